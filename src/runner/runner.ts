import { setTimeout as delay } from "node:timers/promises";
import { endpointWord } from "../api/endpoint-name.ts";
import type { Client } from "../client/client.ts";
import { steadyNow } from "../lib/clock.ts";
import { seededRandom } from "../lib/random.ts";
import type { Deployment } from "../suite/suite.ts";
import { defaultWaits, type Waits } from "./backoff.ts";
import type { Journal } from "./journal.ts";
import type { Budget } from "./budget.ts";
import { EndpointQueue, type EndpointQueueOptions } from "./endpoint-queue.ts";
import type { Gate } from "./gate.ts";
import type { QueueEvent } from "./queue-event.ts";
import type { RunTarget } from "./run-target.ts";
import { FirstJobs, type FirstLook } from "./first-jobs.ts";
import { Lockstep } from "./lockstep.ts";
import type { QueueSnapshot } from "./tally.ts";
import { Health } from "./health.ts";

export interface RunnerOptions {
  /** Each deployment with its client and the targets that have unfinished jobs. */
  sides: RunnerSide[];
  journal: Journal;
  /** Orders back-offs. */
  seed: string;
  /** May be one that another runner has spent a part of. */
  budget: Budget;
  interleave: "off" | "strict";
  /** Cases by which one side may be ahead of the others where it is not strict; left out: as many as it likes. */
  lead?: number;
  onAmbiguous: "retry" | "fail";
  conversations: boolean;
  /** The key of a case by its id. Default: it is not known. */
  caseKey?: (caseId: number) => string;
  /** Default: nothing is held back. */
  firstLook?: FirstLook;
  /** The health of the service behind each account at each endpoint, where others send with it as well; left out: one of its own. */
  healthOf?: HealthOfAccount;
  /** Default: waits that suit services which take minutes. */
  waits?: Waits;
  onEvent?: (event: QueueEvent) => void;
}

/** Also while nothing is entered it is seen this soon that the journal is gone. */
const journalCheckMs = 1_000;
/** An answer that has arrived is entered within a few milliseconds. */
const settleLookMs = 5;

/** A deployment with its targets, and the account that it sends with. */
interface RunnerSide {
  deployment: Deployment;
  /** The same for deployments with the same address and key: the service counts their requests together. */
  account: string;
  client: Client;
  targets: RunTarget[];
}

/** The end of a run. */
export interface RunEnd {
  /** Endpoint queues that stopped before their jobs were done, with the reason. */
  stopped: { queue: string; reason: string }[];
  /** The reason why only the first case of each target was sent. */
  refusal?: string;
}

/** The part of a runner that can be watched and stopped while it works. */
export interface Watched extends Pick<Runner, "stop" | "abort" | "snapshot"> {
  /** Lines to be shown with its queues. */
  lines?: () => string[];
  /** Words on what becomes of so many in flight when it is given up; left out: they are in doubt. */
  leaving?: (inFlight: number) => string;
  /** Resolves when everything that has arrived is where it is kept; left out: it is at any time. */
  settled?: () => Promise<void>;
}

/** The same, shown otherwise. */
export function watchedAs(watched: Watched, shown: Partial<Pick<Watched, "snapshot" | "lines">>): Watched {
  const { leaving } = watched;
  return {
    stop: (reason) => watched.stop(reason),
    abort: () => watched.abort(),
    snapshot: () => watched.snapshot(),
    lines: () => watched.lines?.() ?? [],
    settled: async () => watched.settled?.(),
    ...(leaving !== undefined && { leaving }),
    ...shown,
  };
}

/** Drives all deployments side by side; none waits for another (unless interleaved). */
export class Runner {
  readonly #queues: EndpointQueue[];
  readonly #clients: Client[];
  readonly #endsAt: number | null;
  readonly #firstJobs: FirstJobs | null;
  readonly #journal: Journal;
  #timer: NodeJS.Timeout | null = null;

  constructor(options: RunnerOptions) {
    const { budget } = options;
    const lockstep = lockstepOf(options);
    this.#clients = options.sides.map(({ client }) => client);
    this.#endsAt = budget.endsAt;
    this.#journal = options.journal;
    const { healthOf = healthByAccount(options) } = options;
    this.#firstJobs =
      options.firstLook === undefined
        ? null
        : new FirstJobs({
            ...options.firstLook,
            onRefused: (reason) => this.stop(reason),
            onOpen: () => this.nudge(),
          });
    // Where first jobs have a word, sides need not keep together.
    const gates: Gate[] = [this.#firstJobs, lockstep].filter((gate) => gate !== null);
    this.#queues = options.sides.flatMap((side) =>
      queuesOf(side, options, {
        budget,
        gates,
        healthOf,
        onMoved: () => lockstep !== null && this.nudge(),
        onEvent: (event) => this.#tell(event, options),
        // Entries for requests in flight could not be made any more: their answers are lost either way.
        onFailure: () => this.#abandon("the journal cannot be kept"),
      }),
    );
  }

  /** Runs until every endpoint queue has ended. Rejects when the journal cannot be kept. */
  async run(): Promise<RunEnd> {
    if (this.#endsAt !== null) this.#stopAt(this.#endsAt);
    const watch = setInterval(() => this.#checkJournal(), journalCheckMs);
    try {
      this.#firstJobs?.begin();
      const ends = await Promise.allSettled(this.#queues.map((queue) => queue.run()));
      this.#firstJobs?.close();
      await this.#firstJobs?.examined;
      for (const end of ends) if (end.status === "rejected") throw end.reason;
    } finally {
      clearInterval(watch);
      for (const queue of this.#queues) queue.leave();
      if (this.#timer !== null) clearTimeout(this.#timer);
    }
    const stopped = this.snapshot().flatMap(({ stopped: reason, name: queue, done, total }) =>
      reason === null || done >= total ? [] : [{ queue, reason }],
    );
    const refusal = this.#firstJobs?.refusal ?? null;
    return { stopped, ...(refusal !== null && { refusal }) };
  }

  /** Starts nothing more; what is in flight is finished. */
  stop(reason: string): void {
    for (const queue of this.#queues) queue.stop(reason);
  }

  /** Starts nothing more, because nothing more is needed; what is in flight is finished. */
  enough(): void {
    for (const queue of this.#queues) queue.enough();
  }

  /** Sends nothing more to a target, because no more of it is needed; what is in flight is finished. */
  drop(targetId: number): void {
    for (const queue of this.#queues) queue.drop(targetId);
  }

  /** Wakes its queues: something outside it has changed, such as its share. */
  nudge(): void {
    for (const queue of this.#queues) queue.nudge();
  }

  /** Gives up what is in flight as well: those attempts are in doubt. */
  abort(): void {
    this.#abandon("aborted");
  }

  /** Lets go of the connections of its clients, when it has ended. */
  async close(): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.close()));
  }

  /** Resolves when nothing is in flight, and everything that has arrived is entered. */
  async settled(): Promise<void> {
    while (this.#queues.some((queue) => !queue.isIdle)) await delay(settleLookMs);
  }

  snapshot(): QueueSnapshot[] {
    return this.#queues.map((queue) => queue.snapshot());
  }

  #checkJournal(): void {
    try {
      this.#journal.check();
    } catch (error) {
      for (const queue of this.#queues) queue.fail(error);
    }
  }

  #abandon(reason: string): void {
    for (const queue of this.#queues) queue.abandon(reason);
    for (const client of this.#clients) client.abortAll();
  }

  /** One timer cannot wait for more than 24 days. */
  #stopAt(time: number): void {
    const left = time - steadyNow();
    if (left <= 0) this.stop("the time is used up (--max-duration)");
    else this.#timer = setTimeout(() => this.#stopAt(time), Math.min(left, 2 ** 31 - 1));
  }

  /** A key that is refused, or an account without credits, ends every endpoint queue of its deployment. */
  #tell(event: QueueEvent, options: RunnerOptions): void {
    options.onEvent?.(event);
    if (event.type !== "queue-stopped" || !event.deployment) return;
    const stopped = this.#queues.find(({ name }) => name === event.queue);
    for (const queue of this.#queues) {
      if (queue === stopped) this.#firstJobs?.unreached(queue.targetNames);
      else if (queue.deployment === stopped?.deployment) queue.stop(event.reason, { kind: event.kind });
    }
  }
}

/** Keeps the sides together where that is asked for; null: each goes on by itself. */
function lockstepOf({ sides, interleave, lead }: RunnerOptions): Lockstep | null {
  if (interleave === "off" && lead === undefined) return null;
  const widest = Math.max(2, ...sides.map(({ deployment }) => deployment.concurrency));
  const cases = interleave === "strict" ? widest : widest + (lead ?? 0);
  // A case takes a place in the plan for each of its targets.
  const jobsOfCase = sides.flatMap(({ targets }) => targets).length;
  // The targets of a case are sent in an order of their own in each case: places are counted from the last of them.
  return new Lockstep(cases * jobsOfCase - (jobsOfCase - 1));
}

function queuesOf(
  side: RunnerSide,
  options: RunnerOptions,
  given: Pick<EndpointQueueOptions, "budget" | "gates" | "onMoved" | "onEvent" | "onFailure"> & {
    healthOf: HealthOfAccount;
  },
): EndpointQueue[] {
  const { healthOf, ...shared } = given;
  const { deployment, client } = side;
  const { journal, onAmbiguous, conversations, caseKey = () => "", waits = defaultWaits } = options;
  return endpointsOf(side).map((endpoint) => {
    const targets = side.targets.filter((target) => endpointWord(target.endpoint) === endpoint);
    const random = seededRandom(`${options.seed} ${deployment.name} ${endpoint}`);
    const own = { deployment, targets, client, random, health: healthOf(side.account, endpoint) };
    return new EndpointQueue({
      ...shared,
      ...own,
      endpoint,
      journal,
      onAmbiguous,
      conversations,
      caseKey,
      waits,
    });
  });
}

type HealthOfAccount = (account: string, endpoint: string) => Health;

/** The health of the service behind each account at each endpoint, shared by the deployments that send with it. */
function healthByAccount({ sides, journal, seed, waits = defaultWaits }: RunnerOptions): HealthOfAccount {
  const made = new Map<string, Health>();
  return (account, endpoint) => {
    const known = made.get(`${endpoint} ${account}`);
    if (known !== undefined) return known;
    const deployments = sides
      .filter((side) => side.account === account && endpointsOf(side).includes(endpoint))
      .map(({ deployment }) => deployment);
    const random = seededRandom(`${seed} ${deployments.map(({ name }) => name).join(" ")} ${endpoint} limits`);
    const own = { deployments, endpoint, journal, random, waits, now: steadyNow() };
    const health = new Health(own);
    made.set(`${endpoint} ${account}`, health);
    return health;
  };
}

/** One word for each queue: all endpoints that a suite describes share one, however they are described. */
const endpointsOf = ({ targets }: RunnerSide): string[] => [
  ...new Set(targets.map(({ endpoint }) => endpointWord(endpoint))),
];
