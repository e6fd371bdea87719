import { AppError } from "../../errors.ts";
import type { Deployment } from "../../suite/suite.ts";
import { type Left, type OpenLane, tellServed } from "../postgres/calls.ts";
import type { Clients, OpenedService } from "./clients.ts";
import type { KnownBatches } from "./known-batches.ts";
import { msSince, thisMoment } from "./moment.ts";
import type { WorkerSite } from "./site.ts";

/** A deployment that it cannot serve is tried again after so long. */
const refusedForMs = 30_000;

/** A deployment that is left to others for a while. */
interface Refused extends Left {
  since: ReturnType<typeof thisMoment>;
  askedAt: number;
}

interface ServedQueuesOptions {
  /** Names of deployments to serve; none: all that it has a key for. */
  deployments: readonly string[];
  clients: Clients;
  batches: KnownBatches;
}

/** Knows which queues a worker serves and which it leaves to others, and tells those who wait. */
export class ServedQueues {
  readonly #site: WorkerSite;
  readonly #options: ServedQueuesOptions;
  readonly #refused = new Map<string, Refused>();
  /** Queue to the time at which somebody last began to have something of it sent. */
  readonly #askedAt = new Map<string, number>();
  readonly #reported = new Set<string>();
  /** The latest that the database was told, as text. */
  #known = "";

  constructor(site: WorkerSite, options: ServedQueuesOptions) {
    this.#site = site;
    this.#options = options;
  }

  /** Why queues are left to others. */
  get reasons(): string[] {
    return [...new Set([...this.#refused.values()].map(({ reason }) => reason))];
  }

  isLeft(queue: string): boolean {
    return this.#refused.has(queue);
  }

  /** The database knows nothing of it any more. */
  forgotten(): void {
    this.#known = "";
  }

  /** The lanes that it serves, one for each queue; what it leaves to others is told to those who wait. */
  async look(lanes: readonly OpenLane[]): Promise<OpenLane[]> {
    const served: OpenLane[] = [];
    for (const lane of lanes)
      if (!served.some(({ queue }) => queue === lane.queue) && (await this.#isServed(lane))) served.push(lane);
    await this.#tellServed(served);
    return served;
  }

  async #isServed(lane: OpenLane): Promise<boolean> {
    const { queue, askedAt } = lane;
    this.#askedAt.set(queue, askedAt);
    const refused = this.#refused.get(queue);
    if (refused !== undefined && refused.askedAt === askedAt && msSince(refused.since) < refusedForMs) return false;
    // It was forgotten there as well, and is told again.
    if (refused !== undefined && refused.askedAt !== askedAt) this.forgotten();
    const { deployments, batches } = this.#options;
    if (deployments.length > 0 && !deployments.includes(lane.deployment)) {
      this.leave(queue, { reason: `it serves only ${deployments.join(", ")}`, isByService: false, kind: null });
      return false;
    }
    const batch = await batches.of(lane.batch);
    const deployment = batch?.deployments.find(({ name }) => name === lane.deployment);
    // Without one, the batch was taken away meanwhile.
    if (deployment === undefined || (await this.open(queue, deployment)) === null) return false;
    this.#refused.delete(queue);
    return true;
  }

  async #tellServed(served: readonly OpenLane[]): Promise<void> {
    const { db, link, own } = this.#site;
    const leaves = [...this.#refused].map(([queue, { reason, isByService, kind }]): [string, Left] => [
      queue,
      { reason, isByService, kind },
    ]);
    const state = { serves: served.map(({ queue }) => queue), leaves: Object.fromEntries(leaves) };
    const text = JSON.stringify(state);
    if (text === this.#known) return;
    await link.patiently(() => tellServed(db, own.id, state));
    this.#known = text;
  }

  /** Opens the way to a deployment. Null: something is missing here, such as a key, and its queue is left to others. */
  async open(queue: string, deployment: Deployment): Promise<OpenedService | null> {
    try {
      return await this.#options.clients.of(deployment);
    } catch (error) {
      if (!(error instanceof AppError) || error.code.startsWith("WORKERS_")) throw error;
      this.leave(queue, { reason: error.message.replace(/\.$/, ""), isByService: false, kind: null });
      return null;
    }
  }

  leave(queue: string, left: Left): void {
    this.#refused.set(queue, { ...left, since: thisMoment(), askedAt: this.#askedAt.get(queue) ?? 0 });
    if (!this.#reported.has(left.reason)) this.#site.tell(`${left.reason}; it is left to other workers`);
    this.#reported.add(left.reason);
  }
}
