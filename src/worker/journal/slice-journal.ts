import { outcomes } from "../../api/outcomes.ts";
import { costOf, type Price } from "../../api/price.ts";
import { isSpent } from "../../runner/decision.ts";
import type { Journal, Sending, Settlement, TakenRun } from "../../runner/journal.ts";
import type { RunTarget } from "../../runner/run-target.ts";
import type { LoadedSlice } from "../postgres/slice.ts";
import type { DatabaseClock, Lease } from "./lease.ts";
import { type SentResult, settlementText } from "./result.ts";
import type { SettleDesk } from "./settle-desk.ts";
import { SliceJobs } from "./slice-jobs.ts";
import type { Attempt, TakeCounter } from "./take-desk.ts";

/** Entries of a slice that are made one by one, each tried until the database has it. */
interface SliceEntries {
  taken: (run: TakenRun) => Promise<boolean>;
  skip: (jobId: number, reason: string) => Promise<number>;
  stopTarget: (targetId: number, reason: string) => Promise<void>;
  giveBack: (attempt: Attempt) => Promise<unknown>;
}

interface SliceJournalOptions {
  workerId: string;
  slice: LoadedSlice;
  targets: readonly RunTarget[];
  takes: TakeCounter;
  settles: Pick<SettleDesk, "add" | "expect">;
  entries: SliceEntries;
  clock: DatabaseClock;
  lease: Lease;
  /** Called for a result that came too late to decide anything. */
  onStray: () => void;
}

/** The runner's journal of one slice: its jobs are in memory, its entries in PostgreSQL. */
export interface SliceJournal extends Journal {
  readonly jobs: SliceJobs;
  /** Nothing more comes of what has left: its runner has ended. */
  close: () => void;
}

export function createSliceJournal(options: SliceJournalOptions): SliceJournal {
  const { slice, takes, settles, entries, clock, lease } = options;
  const jobs = new SliceJobs(slice);
  const onTheirWay = new Set<number>();
  const arrived = (jobId: number): void => {
    if (onTheirWay.delete(jobId)) settles.expect(-1);
  };
  return {
    jobs,
    close: () => onTheirWay.forEach(arrived),
    pending: (targetIds, after, limit) => jobs.pending(targetIds, after, limit),
    successor: (jobId) => jobs.successor(jobId),
    history: (job) => jobs.history(job),
    async sending(entry: Sending) {
      const isGranted = await takes.ask({ job: entry.jobId, number: entry.number });
      entry.queuedAt = clock.now();
      if (isGranted && !onTheirWay.has(entry.jobId)) {
        onTheirWay.add(entry.jobId);
        settles.expect(1);
      }
      return isGranted;
    },
    async taken(run) {
      arrived(run.jobId);
      await entries.taken(run);
    },
    takenRuns: (targetIds) => openRuns(options, jobs, targetIds),
    async settle(entry) {
      arrived(entry.jobId);
      const settled = await settles.add(resultOf(options, jobs, entry));
      if (settled === "stray") options.onStray();
      const isEntered = settled === "landed" || settled === "known";
      if (isEntered) jobs.settled(entry);
      return isEntered;
    },
    async skip(jobId, reason) {
      jobs.skipped(jobId);
      return entries.skip(jobId, reason);
    },
    stopTarget: entries.stopTarget,
    now: () => clock.now(),
    // Rates and limits are kept where all workers ask for leave.
    sentSince: () => [],
    notePace: async () => {},
    // Each worker waits for a service by itself, and its slice with it; the tries of jobs are kept with their attempts.
    noteOutage: async () => {},
    lastPace: () => null,
    lease: {
      isHeld: () => lease.isHeld,
      async giveBack({ jobId, number }) {
        arrived(jobId);
        await entries.giveBack({ job: jobId, number });
      },
    },
    // A database that is away is waited for.
    check: () => {},
  };
}

function openRuns({ slice, targets }: SliceJournalOptions, jobs: SliceJobs, targetIds: readonly number[]) {
  const known = new Set(targets.map(({ id }) => id));
  return slice.taken.flatMap((taken) => {
    const job = jobs.job(taken.jobId);
    const isOurs = job !== null && known.has(job.targetId) && targetIds.includes(job.targetId);
    return isOurs ? [{ job, taken }] : [];
  });
}

function resultOf({ workerId, slice, targets }: SliceJournalOptions, jobs: SliceJobs, entry: Settlement): SentResult {
  const { jobId: job, number, outcome, final } = entry;
  const price = targets.find(({ id }) => id === jobs.job(job)?.targetId)?.price ?? null;
  return {
    worker: workerId,
    batch: slice.batch.no,
    job,
    number,
    kind: outcome.kind,
    final,
    failure: final && outcome.kind !== "ok",
    spent: isSpent(outcome),
    countsAsTry: outcomes[outcome.kind].countsAsTry,
    ...costs(price, entry),
    entry: settlementText(entry),
    body: outcome.record?.body ?? null,
  };
}

/** The cost of an attempt, for a limit of cost. */
function costs(price: Price | null, { outcome, reattached }: Settlement): Pick<SentResult, "cost" | "costUnknown"> {
  const { kind, possiblyPaid, usage } = outcome;
  if (price === null) return { cost: null, costUnknown: false };
  const cost = costOf(price, usage ?? null);
  // A run that was submitted tells no tokens.
  if (kind === "ok") return { cost, costUnknown: cost === null && reattached === undefined };
  return { cost: possiblyPaid ? cost : null, costUnknown: false };
}
