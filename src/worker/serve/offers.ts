import { AppError } from "../../errors.ts";
import { storedJson } from "../../lib/stored-json.ts";
import { version } from "../../lib/version.ts";
import { isSuite } from "../../store/stored-suite.ts";
import { sliceQueue } from "../engine/slice-queue.ts";
import { type OpenWork, openWork, suiteOf } from "../postgres/open-work.ts";
import type { Tools } from "./tools.ts";

/** A queue that this worker may fetch from. */
export interface Offer {
  queue: string;
  deployment: string;
  service: number;
}

/** A deployment that could not be reached is tried again after this time. */
const tryAgainMs = 60_000;

interface Refusal {
  reason: string;
  /** On the steady clock; infinite: not as long as this worker runs. */
  until: number;
}

/** Knows which of the open work this worker can do, and why it leaves the rest. */
export class Offers {
  /** The latest look at what is open. */
  open: OpenWork[] = [];
  readonly #tools: Tools;
  /** Names of deployments to serve; null: all. */
  readonly #only: ReadonlySet<string> | null;
  readonly #refusals = new Map<string, Refusal>();
  readonly #made = new Set<string>();

  constructor(tools: Tools, only: readonly string[]) {
    this.#tools = tools;
    this.#only = only.length === 0 ? null : new Set(only);
  }

  /** Looks what is open, and gives the queues to fetch from. */
  async look(): Promise<Offer[]> {
    const { db, engine, link } = this.#tools;
    this.open = await link.patiently(() => openWork(db));
    const offers = new Map<string, Offer>();
    for (const work of this.open) {
      if (!(await this.#canServe(work))) continue;
      const queue = sliceQueue(work);
      if (!this.#made.has(queue)) await link.patiently(() => engine.createQueue(queue));
      this.#made.add(queue);
      offers.set(queue, { queue, deployment: work.deployment, service: work.service });
    }
    return [...offers.values()];
  }

  /** Names of the deployments that this worker serves. */
  get served(): string[] {
    const fits = this.open.filter((work) => work.version === version && this.#isWanted(work) && !this.#refusalOf(work));
    return [...new Set([...fits.map(({ deployment }) => deployment), ...(this.#only ?? [])])]
      .filter((name) => !this.open.some((work) => work.deployment === name && this.#refusalOf(work)))
      .toSorted();
  }

  /** Sentences on what this worker leaves to others. */
  get told(): string[] {
    const lines = this.open.flatMap((work) => {
      if (!this.#isWanted(work)) return [];
      if (work.version !== version)
        return [`not ${work.deployment}: its batch was planned by tandem ${work.version}, and this is ${version}`];
      const refusal = this.#refusalOf(work);
      return refusal === null ? [] : [`not ${work.deployment}: ${refusal.reason}`];
    });
    return [...new Set(lines)];
  }

  /** A deployment cannot be served from here: for a while, or for good. */
  refuse({ service, deployment }: Offer, reason: string, isForGood: boolean): void {
    const until = isForGood ? Number.POSITIVE_INFINITY : performance.now() + tryAgainMs;
    this.#refusals.set(`${service} ${deployment}`, { reason, until });
  }

  async #canServe(work: OpenWork): Promise<boolean> {
    if (!this.#isWanted(work) || work.version !== version || this.#refusalOf(work) !== null) return false;
    try {
      await this.#openClient(work);
      return true;
    } catch (error) {
      if (!(error instanceof AppError) || error.code.startsWith("WORKERS_")) throw error;
      this.refuse({ ...work, queue: "" }, error.message, false);
      return false;
    }
  }

  /** Throws what keeps this worker from a deployment: a key that it lacks, a certificate that is missing. */
  async #openClient({ batch, deployment }: OpenWork): Promise<void> {
    const { db, link, clients } = this.#tools;
    if (this.#suites.get(batch)?.has(deployment) === true) return;
    const text = await link.patiently(() => suiteOf(db, batch));
    if (text === null) return;
    const found = storedJson(text, "a suite", isSuite).deployments.find(({ name }) => name === deployment);
    if (found !== undefined) await clients.of(found);
    this.#suites.set(batch, (this.#suites.get(batch) ?? new Set()).add(deployment));
  }

  /** Batches with the deployments of theirs that were looked at. */
  readonly #suites = new Map<number, Set<string>>();

  #isWanted({ deployment }: OpenWork): boolean {
    return this.#only === null || this.#only.has(deployment);
  }

  #refusalOf({ service, deployment }: OpenWork): Refusal | null {
    const refusal = this.#refusals.get(`${service} ${deployment}`);
    return refusal !== undefined && refusal.until > performance.now() ? refusal : null;
  }
}
