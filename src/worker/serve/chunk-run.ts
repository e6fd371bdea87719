import type { OutcomeKind } from "../../api/outcomes.ts";
import { steadyNow } from "../../lib/clock.ts";
import { storedJson } from "../../lib/stored-json.ts";
import type { LimitSharing } from "../../runner/account-limits.ts";
import { Budget } from "../../runner/budget.ts";
import type { QueueEvent } from "../../runner/queue-event.ts";
import { Runner } from "../../runner/runner.ts";
import type { QueueSnapshot } from "../../runner/tally.ts";
import { isEndpoint } from "../../api/endpoints.ts";
import { readSuite } from "../../store/stored-suite.ts";
import type { Deployment } from "../../suite/suite.ts";
import { createChunkJournal, type ChunkJournal } from "../journal/chunk-journal.ts";
import { RunDesk } from "../journal/run-desk.ts";
import type { Attempt, TakeCounter } from "../journal/take-desk.ts";
import { noteAskedRuns } from "../postgres/asked-runs.ts";
import { learn, type Lesson } from "../postgres/learned.ts";
import type { FetchedChunk } from "../postgres/queues.ts";
import { markTaken, skipRemoteJobs, stopTarget } from "../postgres/settle.ts";
import { endChunk, leaveRuns, loadChunk, type LoadedChunk, type ChunkTarget } from "../postgres/chunk.ts";
import { giveBack, type Granted } from "../postgres/take.ts";
import type { Tools } from "./tools.ts";
import { z } from "zod";
import type { EndpointName } from "../../api/endpoint-name.ts";
import type { RunTarget } from "../../runner/run-target.ts";

/** A chunk of which others still have jobs in flight is looked at again after this time. */
const lookAgainMs = 2_000;

/** The end of a chunk here: it is done, or somebody else goes on with it. */
export type ChunkEnd =
  | { kind: "done" | "given-back" }
  /** The deployment cannot be served from here. */
  | { kind: "refused"; reason: string; outcome: OutcomeKind | null };

/** A chunk that this worker drives. */
export class ChunkRun {
  readonly queue: string;
  readonly fetched: FetchedChunk;
  readonly deployment: string;
  readonly #tools: Tools;
  #hasToldNearlyOut = false;
  /** Requests that its deployment lets it have in flight at the most. */
  #concurrency = 0;
  #runner: Runner | null = null;
  #journal: ChunkJournal | null = null;
  #takes: TakeCounter | null = null;
  #service = 0;
  /** Why it is given back; null: it is not. */
  #leaving: string | null = null;
  /** Why nothing of its batch leaves any more. */
  #batchStopped: string | null = null;
  #refused: Extract<ChunkEnd, { kind: "refused" }> | null = null;
  #batch = "";
  /** Its targets are asked for runs that they have taken. */
  #hasRuns = false;

  constructor(tools: Tools, given: { queue: string; fetched: FetchedChunk; deployment: string }) {
    this.#tools = tools;
    this.queue = given.queue;
    this.fetched = given.fetched;
    this.deployment = given.deployment;
  }

  /** Name of its batch, once it is loaded. */
  get batch(): string {
    return this.#batch;
  }

  /** Attempts that wait for leave. */
  get waiting(): number {
    return this.#takes?.waiting ?? 0;
  }

  /** Fewer jobs are left to start than it may have in flight: the next chunk should be there. */
  get isNearlyOut(): boolean {
    const queue = this.snapshot();
    if (this.#journal === null || queue === null) return false;
    return this.#journal.jobs.left - queue.inFlight < queue.limit;
  }

  snapshot(): QueueSnapshot | null {
    return this.#runner?.snapshot()[0] ?? null;
  }

  /** Says once that the next chunk should be there, as soon as that is so: a fast service uses up the rest between two looks. */
  #tellNearlyOut(): void {
    // Nothing is looked at before it can be so.
    const mayBe = (this.#journal?.jobs.left ?? 0) < 2 * this.#concurrency;
    if (this.#hasToldNearlyOut || !mayBe || !this.isNearlyOut) return;
    this.#hasToldNearlyOut = true;
    this.#tools.hungry();
  }

  /** Starts nothing more; what is in flight is finished, and the rest is given back. */
  leave(reason: string): void {
    this.#leaving ??= reason;
    this.#takes?.close();
    this.#runner?.stop(reason);
  }

  /** Gives up what is in flight as well. */
  abort(): void {
    this.leave("aborted");
    this.#runner?.abort();
  }

  /** Drives the chunk until nothing of it is left to do here. */
  async run(): Promise<ChunkEnd> {
    const { link, db, workerId } = this.#tools;
    const { batch, slice: chunk } = this.fetched;
    for (;;) {
      const loaded = await link.patiently(() => loadChunk(db, { batch, slice: chunk, worker: workerId }));
      if (loaded === null) return { kind: "done" };
      this.#batch = loaded.batch.name;
      if (this.#leaving === null) await this.#drive(loaded);
      if (this.#hasRuns) await link.patiently(() => leaveRuns(db, { batch, slice: chunk, worker: workerId }));
      if (this.#refused !== null) return this.#refused;
      if (this.#leaving !== null) return { kind: "given-back" };
      if (this.#batchStopped !== null) return { kind: "done" };
      if ((await link.patiently(() => endChunk(db, { batch, slice: chunk }))) === 0) return { kind: "done" };
      await new Promise((resolve) => setTimeout(resolve, lookAgainMs));
    }
  }

  async #drive(loaded: LoadedChunk): Promise<void> {
    const { clients, settles, clock, lease, workerId } = this.#tools;
    this.#service = loaded.service.id;
    const left = (target: number): number => loaded.jobs.filter(({ targetId }) => targetId === target).length;
    const targets = loaded.targets
      .filter(({ id, stopped }) => stopped === null && left(id) > 0)
      .map((target) => storedTarget(target, left(target.id)));
    if (targets.length === 0) return;
    this.#hasRuns = targets.some(({ mode }) => mode === "async");
    const { client, deployment } = await clients.of(deploymentOf(loaded));
    this.#concurrency = deployment.concurrency;
    const runs = this.#runDesk(loaded);
    this.#takes = this.#counter(loaded, runs);
    const journal = createChunkJournal({
      workerId,
      slice: loaded,
      targets,
      takes: this.#takes,
      settles,
      entries: this.#entries(loaded.batch.no),
      clock,
      lease,
      onStray: () => (this.#tools.counters.strays += 1),
    });
    this.#journal = journal;
    this.#runner = new Runner({
      sides: [{ deployment, account: String(loaded.service.id), client, targets }],
      journal,
      seed: `${loaded.batch.seed} ${workerId}`,
      // The batch's own budget is kept where all workers ask for leave.
      budget: new Budget({ requests: null, cost: null, durationMs: null, failures: null }, steadyNow()),
      interleave: "off",
      onAmbiguous: loaded.batch.onAmbiguous,
      conversations: loaded.batch.conversations,
      shared: this.#shared(runs),
      onEvent: (event) => this.#noted(event),
    });
    if (this.#leaving !== null) this.leave(this.#leaving);
    try {
      await this.#runner.run();
    } finally {
      runs.close();
      journal.close();
    }
    this.#takes.close();
  }

  #runDesk({ batch, service }: LoadedChunk): RunDesk {
    const { db, faults, workerId, clock } = this.#tools;
    const at = { worker: workerId, batch: batch.no, service: service.id };
    return new RunDesk({
      now: () => clock.now(),
      enter: (asked) => faults.within(batch.no, () => noteAskedRuns(db, at, asked), null),
      onHeard: (outage) => this.#runner?.heed({ pausedMs: 0, concurrency: null, rate: null, outage }),
    });
  }

  #counter({ batch, service }: LoadedChunk, runs: RunDesk): TakeCounter {
    const { takes, counters } = this.#tools;
    return takes.counter(
      { batch: batch.no, service: service.id },
      {
        onOutcome: (reported) => {
          runs.heard(reported);
          this.#heed(reported);
        },
        onWaited: (ms) => {
          counters.granted += 1;
          counters.waitedMs += ms;
        },
        onStopped: (reason) => {
          this.#batchStopped = reason;
          this.#runner?.stop(reason);
        },
      },
    );
  }

  #heed({ pausedMs, concurrency, rate, isSuspect, away }: Granted): void {
    const outage = { isSuspect, away };
    this.#runner?.heed({ pausedMs, concurrency: concurrency === 0 ? null : concurrency, rate, outage });
  }

  #entries(batch: number) {
    const { db, faults, workerId, clock } = this.#tools;
    // A runner that cannot keep its journal gives up what is in flight, also of other batches with the same client.
    const within = <Result>(otherwise: Result, work: () => Promise<Result>) => faults.within(batch, work, otherwise);
    return {
      taken: (run: Parameters<typeof markTaken>[3]) => within(false, () => markTaken(db, workerId, batch, run)),
      skip: (job: number, reason: string) => within(0, () => skipRemoteJobs(db, batch, job, reason)),
      giveBack: (attempt: Attempt) =>
        within([], () => giveBack(db, { worker: workerId, batch, jobs: [attempt], until: clock.patience() })),
      stopTarget: (target: number, reason: string) => within(undefined, () => stopTarget(db, batch, target, reason)),
    };
  }

  /** Tells the other workers what the service has taught this one. */
  #shared(runs: RunDesk): LimitSharing {
    const { db, faults } = this.#tools;
    const teach = (lesson: Lesson): void =>
      void faults.within(this.fetched.batch, () => learn(db, this.#service, lesson), null);
    return {
      paused: (pausedMs) => teach({ pausedMs, reason: "the service asked for a pause" }),
      changed: ({ concurrency, ceiling, rate, reason }) =>
        teach({ concurrency, ceiling, reason, ...(rate !== null && { rate }) }),
      asked: (run) => runs.answered(run),
    };
  }

  #noted(event: QueueEvent): void {
    const { counters, tell } = this.#tools;
    counters.noted(this.deployment, event);
    if (event.type === "settled") this.#tellNearlyOut();
    if (event.type === "target-stopped")
      tell(`${this.#batch}: nothing more is sent to ${event.target}: ${event.reason}`);
    if (event.type === "pace") tell(`${event.lane}: ${event.reason}; now at most ${event.concurrency} at once`);
    if (event.type !== "lane-stopped" || !event.deployment || this.#leaving !== null) return;
    this.#refused = { kind: "refused", reason: event.reason, outcome: event.kind };
  }
}

/** The deployment of a chunk, as the suite of its batch writes it. Throws DATABASE_INVALID where a stranger wrote it. */
function deploymentOf({ batch, deployment: name }: LoadedChunk): Deployment {
  const { deployments } = readSuite(batch.suite);
  const found = deployments.find((each) => each.name === name);
  if (found === undefined) throw new Error(`the suite of ${batch.name} has no deployment ${name}`);
  return found;
}

const price = z.union([
  z.number(),
  z.object({ run: z.number(), input: z.number(), output: z.number(), cached: z.number().exactOptional() }),
]);

/** The parts of a target that a runner needs. Files are left out: a worker reads none of its machine for somebody else. */
const fields = z.looseObject({
  endpoint: z.custom<EndpointName>((name) => typeof name === "string" && isEndpoint(name)),
  exampleId: z.string(),
  mode: z.literal("async").optional(),
  price: price.nullish(),
  body: z.string(),
  failedWhen: z.array(z.string()).optional(),
  history: z.object({ user: z.record(z.string(), z.json()), assistant: z.record(z.string(), z.json()) }).optional(),
});

type Fields = z.infer<typeof fields>;
const isFields = (value: unknown): value is Fields => fields.safeParse(value).success;

/** A target as its submitter has stored it, with so many unfinished jobs. Throws DATABASE_INVALID for one of a stranger. */
function storedTarget({ id, name, data }: ChunkTarget, unfinished: number): RunTarget {
  const { endpoint, exampleId, mode, price: cost, body, history, failedWhen } = storedJson(data, "a target", isFields);
  return {
    id,
    name,
    endpoint,
    exampleId,
    body,
    unfinished,
    price: cost ?? null,
    ...(mode !== undefined && { mode }),
    ...(history !== undefined && { history }),
    ...(failedWhen !== undefined && { failedWhen }),
  };
}
