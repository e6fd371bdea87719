import { AppError } from "../../errors.ts";
import { version } from "../../lib/version.ts";
import { readSuite } from "../../store/stored-suite.ts";
import { type OpenWork, openWork, suiteOf, workKind } from "../postgres/open-work.ts";
import { type ChunkKind, chunkQueue } from "../postgres/queues.ts";
import type { WorkerReported } from "../postgres/workers.ts";
import type { Tools } from "./tools.ts";

/** A queue that this worker may fetch from. */
export interface Offer extends ChunkKind {
  queue: string;
}

/** A deployment that could not be reached is tried again after this time. */
const tryAgainMs = 60_000;
/** For so long it is asked whether others serve what a service refuses this worker: they may have just come. */
const asksAgainMs = 30_000;

interface Refusal {
  reason: string;
  /** On the steady clock; infinite: not as long as this worker runs. */
  until: number;
  /** A service that refuses this worker; null: this worker has not asked it. */
  byService: { offer: Offer; asksUntil: number } | null;
}

/** Knows which of the open work this worker can do, and why it leaves the rest. */
export class Offers {
  /** The latest look at what is open. */
  open: OpenWork[] = [];
  readonly #tools: Tools;
  /** Names of deployments to serve; null: all. */
  readonly #only: ReadonlySet<string> | null;
  readonly #refusals = new Map<string, Refusal>();

  constructor(tools: Tools, only: readonly string[]) {
    this.#tools = tools;
    this.#only = only.length === 0 ? null : new Set(only);
  }

  /** Looks what is open, and gives the queues to fetch from. */
  async look(): Promise<Offer[]> {
    const { db, link } = this.#tools;
    this.open = await link.patiently(() => openWork(db));
    const offers = new Map<string, Offer>();
    for (const work of this.open) {
      if (!(await this.#canServe(work))) continue;
      const queue = chunkQueue(work);
      offers.set(queue, { queue, deployment: work.deployment, service: work.service, version });
    }
    return [...offers.values()];
  }

  /** Names of deployments that this worker serves somewhere, for those who look on. */
  get served(): string[] {
    const open = this.open.filter((work) => this.#isWanted(work));
    const fits = open.filter((work) => this.#reasonAgainst(work) === null).map(({ deployment }) => deployment);
    const isOpen = new Set(open.map(({ deployment }) => deployment));
    const idle = [...(this.#only ?? [])].filter((name) => !isOpen.has(name));
    return [...new Set([...fits, ...idle])].toSorted();
  }

  /** All that there is to tell of the latest look. */
  get told(): WorkerReported {
    const looked = this.open.map((work) => ({ work, kind: workKind(work), reason: this.#reasonAgainst(work) }));
    const left = looked.flatMap(({ work, kind, reason }) => (reason === null ? [] : [{ work, kind, reason }]));
    const lines = left.flatMap(({ work, reason }) =>
      this.#isWanted(work) ? [`not ${work.deployment}: ${reason}`] : [],
    );
    const serves = looked.flatMap(({ kind, reason }) => (reason === null ? [kind] : []));
    return {
      lines: [...new Set(lines)],
      serves: [...new Set(serves)],
      leaves: Object.fromEntries(left.map(({ kind, reason }) => [kind, reason])),
    };
  }

  /** A deployment cannot be served from here: for a while, or for good. */
  refuse(offer: Offer, reason: string, { isForGood, isByService }: { isForGood: boolean; isByService: boolean }): void {
    const now = performance.now();
    this.#refusals.set(workKind(offer), {
      reason,
      until: isForGood ? Number.POSITIVE_INFINITY : now + tryAgainMs,
      byService: isByService ? { offer, asksUntil: now + asksAgainMs } : null,
    });
  }

  /** Refusals by services in the last seconds, with the reasons: perhaps nobody else serves them either. */
  get refusedLately(): { offer: Offer; reason: string }[] {
    const open = new Set(this.open.map(workKind));
    return [...this.#refusals].flatMap(([kind, { reason, byService }]) => {
      const isLate = byService !== null && byService.asksUntil > performance.now() && open.has(kind);
      return isLate ? [{ offer: byService.offer, reason }] : [];
    });
  }

  /** Why this worker leaves a kind of requests to others; null: it does not. */
  #reasonAgainst(work: OpenWork): string | null {
    if (!this.#isWanted(work)) return "it serves only what its --deployment names";
    if (work.version !== version) return `its batch was planned by tandem ${work.version}, and this is ${version}`;
    return this.#refusalOf(work)?.reason ?? null;
  }

  async #canServe(work: OpenWork): Promise<boolean> {
    if (this.#reasonAgainst(work) !== null) return false;
    try {
      await this.#openClient(work);
      return true;
    } catch (error) {
      if (!(error instanceof AppError) || error.code.startsWith("WORKERS_")) throw error;
      this.refuse({ ...work, queue: "" }, error.message, { isForGood: false, isByService: false });
      return false;
    }
  }

  /** Throws what keeps this worker from a deployment: a key that it lacks, a certificate that is missing. */
  async #openClient({ batch, deployment }: OpenWork): Promise<void> {
    const { db, faults, clients } = this.#tools;
    if (this.#suites.get(batch)?.has(deployment) === true) return;
    const text = await faults.within(batch, () => suiteOf(db, batch), null);
    if (text === null) return;
    const found = readSuite(text).deployments.find(({ name }) => name === deployment);
    if (found !== undefined) await clients.of(found);
    this.#suites.set(batch, (this.#suites.get(batch) ?? new Set()).add(deployment));
  }

  /** Batches with the deployments of theirs that were looked at. */
  readonly #suites = new Map<number, Set<string>>();

  #isWanted({ deployment }: OpenWork): boolean {
    return this.#only === null || this.#only.has(deployment);
  }

  #refusalOf(work: OpenWork): Refusal | null {
    const refusal = this.#refusals.get(workKind(work));
    return refusal !== undefined && refusal.until > performance.now() ? refusal : null;
  }
}
