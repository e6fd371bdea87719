import type { OutcomeKind } from "../api/outcomes.ts";
import type { Outcome } from "../client/outcome.ts";

/**
 * The runner's view of a store: jobs in their order, and a journal entry before and after every attempt. A promise
 * resolves when its entry is on disk; it rejects when it cannot be written.
 */
export interface Journal {
  /**
   * Unfinished jobs of these targets with an id above `after`, in the order of the plan, at most `limit`.
   * A job that waits for an unfinished one is left out: `successor` gives it when its time comes.
   */
  pending(targetIds: readonly number[], after: number, limit: number): PendingJob[];
  /** The job that waits for this one, or null. */
  successor(jobId: number): PendingJob | null;
  /** The finished earlier turns of a job's conversation, first turn first. */
  history(job: PendingJob): EarlierTurn[];
  /**
   * Enters that an attempt is about to be sent. True: it may leave. False: nothing is entered, and it must not be sent,
   * because another has the job or nothing more is to leave. One that had to wait has its `queuedAt` moved to its end.
   */
  sending(entry: Sending): Promise<boolean>;
  /** Enters that the service has taken an attempt as a run, which is asked for by its id until it has ended. */
  taken(entry: TakenRun): Promise<void>;
  /** The runs of these targets that were taken and have not ended, in the order of the plan. */
  takenRuns(targetIds: readonly number[]): { job: PendingJob; taken: TakenRun }[];
  /**
   * Enters what became of an attempt and, when that decides the job, the job's end. False: the job was sent again by
   * another meanwhile, so this is kept on record and decides nothing.
   */
  settle(entry: Settlement): Promise<boolean>;
  /** Ends a job by an attempt that is entered already, whose refusal is the fault of its row; left out: a refusal always stops. */
  conclude?(jobId: number, number: number, kind: OutcomeKind): Promise<void>;
  /** Ends a job and all that wait for it without sending them; resolves with their number. */
  skip(jobId: number, reason: string): Promise<number>;
  /** Enters why nothing more is sent to a target. */
  stopTarget(targetId: number, reason: string): Promise<void>;
  /** When requests that a rate counts were sent to a service, by whatever batch, not before `since`, oldest first. */
  sentSince(service: string, since: number): number[];
  /** The clock by which everything is entered, in milliseconds since 1970. */
  now(): number;
  /** Takes back the entry of an attempt that was not sent, because it might not leave any more. */
  giveBack(entry: Sending): Promise<void>;
  /** Throws when what is entered could not be found again: the store was taken away. */
  check(): void;
  /** Enters that a service is away, or that it is back; jobs whose tries fell into that time get them back. */
  noteOutage(entry: OutageEntry): Promise<void>;
  /** Enters that a service has answered, whatever an earlier process has entered as still away. */
  noteBack(deployment: string, endpoint: string, at: number): Promise<void>;
  /** Enters a change of the limits that the runner keeps. */
  notePace(entry: PaceEntry): Promise<void>;
  /** The limits that were kept when this batch last ran; null when they never moved. */
  lastPace(deployment: string, endpoint: string): PaceEntry | null;
}

export interface Sending {
  jobId: number;
  /** 1, 2, ... within the job. */
  number: number;
  /** Milliseconds since 1970. */
  queuedAt: number;
  /** The service whose rate counts this request; null when no rate is kept. */
  service: string | null;
}

/** An attempt that the service has taken as a run. */
export interface TakenRun {
  jobId: number;
  /** Number of the attempt, as it was entered. */
  number: number;
  queuedAt: number;
  /** When the submission was sent. */
  sentAt: number | null;
  run: { id: string; url: string | null; createdAt: string | null };
}

/** A job that may be sent now. */
export interface PendingJob {
  id: number;
  targetId: number;
  caseId: number;
  repeat: number;
  turn: number;
  /** The job of the previous turn; null for a case of its own and for a first turn. */
  waitsFor: number | null;
  /** The case's mapped input as JSON text. */
  input: string;
  /** Attempts already made. */
  attempts: number;
  /** Attempts among these that used up a retry. */
  failures: number;
  /** When this process first tried it, on the steady clock less the outages by then; null before. */
  firstTriedAt: number | null;
  /** A refusal of its latest attempt has stopped an earlier process: it is sent when all others were. */
  goesLast?: true;
}

export interface EarlierTurn {
  /** The case's mapped input as JSON text. */
  input: string;
  /** The run record's body as JSON text. */
  record: string;
}

export interface Settlement {
  jobId: number;
  /** Number of the attempt, as it was entered. */
  number: number;
  queuedAt: number;
  outcome: Outcome;
  /** True when this outcome is the job's last. */
  final: boolean;
  /** Neither this attempt nor those before it count against `retries`: a gateway answered in an outage; left out: they do. */
  isForgiven?: true;
  /** The run was submitted by a process that has gone, and asked for by this one; left out: it was not. */
  reattached?: boolean;
}

/** A time in which gateways answered in the place of a service. */
export interface OutageEntry {
  deployment: string;
  endpoint: string;
  /** The latest status with which a gateway answered. */
  status: number;
  /** Milliseconds since 1970: the first answer of a gateway. */
  since: number;
  /** The first answer of the service itself after that; null: it is still away. */
  until: number | null;
  /** Jobs whose tries so far no longer count against `retries`. */
  givenBack: readonly number[];
}

export interface PaceEntry {
  deployment: string;
  endpoint: string;
  at: number;
  concurrency: number;
  /** The most that was configured or stated by the service. */
  ceiling: number;
  rate: { count: number; windowMs: number } | null;
  reason: string;
}
