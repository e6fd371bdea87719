import { createHmac } from "node:crypto";
import { createBodyBudget } from "../../client/body-budget.ts";
import { type Client, createClient } from "../../client/client.ts";
import { freeFiles, openFileLimit } from "../../client/file-limit.ts";
import type { ServiceConnection } from "../../client/service-connection.ts";
import { version } from "../../lib/version.ts";
import type { Deployment } from "../../suite/suite.ts";

/** Response bodies in flight, over all deployments. */
const bodyBytesInFlight = 128 * 1024 * 1024;

/** The way to a service: its address, the key that is sent to it, and how it is reached. */
export interface ServiceAccess {
  baseUrl: string;
  key: string | null;
  connection?: ServiceConnection;
}

/** Looks up the key of a deployment where this worker runs. Throws the AppError that says why it cannot be served here. */
export type AccessOf = (deployment: Deployment) => Promise<ServiceAccess>;

/** A client with the deployment as this machine can serve it. */
export interface OpenedService {
  client: Client;
  deployment: Deployment;
  /** A fingerprint of what a service counts together: its address with the key and headers that are sent to it. */
  account: string;
}

/** The clients of a worker, one for each deployment as a suite writes it: its connections outlive a chunk. */
export class Clients {
  readonly #accessOf: AccessOf;
  readonly #secret: string;
  readonly #tell: (line: string) => void;
  readonly #opened = new Map<string, Promise<OpenedService>>();
  readonly #bodyBudget = createBodyBudget(bodyBytesInFlight);

  /** `secret` is of one database, so that a fingerprint says nothing anywhere else. */
  constructor(accessOf: AccessOf, { secret, tell }: { secret: string; tell: (line: string) => void }) {
    this.#accessOf = accessOf;
    this.#secret = secret;
    this.#tell = tell;
  }

  /** Rejects with the reason why the deployment cannot be served here. */
  async of(deployment: Deployment): Promise<OpenedService> {
    const known = JSON.stringify(deployment);
    const opened = this.#opened.get(known) ?? this.#open(deployment);
    this.#opened.set(known, opened);
    try {
      return await opened;
    } catch (error) {
      // Something that is missing here may be there later.
      this.#opened.delete(known);
      throw error;
    }
  }

  /** Gives up what is in flight. */
  async abortAll(): Promise<void> {
    for (const { client } of await this.#all()) client.abortAll();
  }

  async close(): Promise<void> {
    await Promise.all((await this.#all()).map(({ client }) => client.close()));
  }

  async #open(asked: Deployment): Promise<OpenedService> {
    const access = await this.#accessOf(asked);
    const free = freeFiles();
    // Half of what is left, as other deployments may follow.
    const most = free === null ? asked.concurrency : Math.max(1, Math.floor(free / 2));
    const deployment = { ...asked, concurrency: Math.min(asked.concurrency, most) };
    if (deployment.concurrency < asked.concurrency)
      this.#tell(
        `${asked.name}: at most ${deployment.concurrency} at once from here, not ${asked.concurrency}: this process may open only ${openFileLimit()} files (raise it with \`ulimit -n\`)`,
      );
    const client = createClient({
      ...access,
      connections: deployment.concurrency,
      bodyBudget: this.#bodyBudget,
      userAgent: `tandem/${version}`,
    });
    const { baseUrl, key, connection } = access;
    const fingerprint = createHmac("sha256", this.#secret)
      .update(JSON.stringify([baseUrl, key, connection?.headers ?? []]))
      .digest("hex");
    return { client, deployment, account: `${baseUrl} ${fingerprint.slice(0, 12)}` };
  }

  async #all(): Promise<OpenedService[]> {
    const all = await Promise.allSettled(this.#opened.values());
    return all.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
  }
}
