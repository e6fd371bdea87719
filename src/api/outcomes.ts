import { soundness } from "./answer-kind.ts";
import type { Integer } from "../lib/integer.ts";

/** The facts about an attempt that ended in a certain way: whoever needs some of the outcomes asks for one of these. */
interface OutcomeFacts {
  /** At least one byte of the request may have left. */
  left: boolean;
  /** It used up a request of the budget: one that nobody let through did not. */
  spends: boolean;
  /** It counts against `retries` of its job. */
  countsAsTry: boolean;
  /** The consequence for the job; `retry-if-allowed`: sent again only where nobody minds that it may be paid twice. */
  next: "finish" | "wait" | "retry" | "retry-if-allowed" | "stop-target" | "stop-deployment";
  /** The service asks us to slow down. */
  slowsDown: boolean;
  /** A run may have been made and charged although its record is not known. */
  mayBePaid: boolean;
  /** The service fails whoever asks, not only us. */
  ofService: boolean;
  /** The service has taken the key, and what it was asked for. */
  accepted: boolean;
  /** The request itself is wrong: another one may be right. */
  wrongRequest: boolean;
  /** The error is the run's own text: runs that fail alike are recognised by it. */
  ownError: boolean;
  /** The endpoint's description may give this meaning to a status. */
  ofStatus: boolean;
  /** The state of a submitted run that is asked for, by such an answer to the question. */
  whenAsked: "ended" | "unknown" | "refused" | "untold";
  /** The cause where it stopped something. */
  cause: StopCause;
}

/** The thing to look at when something was stopped; null: the error says it all. */
export type StopCause = "key" | "no-credits" | "name" | "unreached" | "other-api" | "configuration" | "away" | null;

const usual = {
  left: true,
  spends: true,
  countsAsTry: false,
  slowsDown: false,
  mayBePaid: false,
  ofService: false,
  accepted: false,
  wrongRequest: false,
  ownError: false,
  ofStatus: true,
  whenAsked: "untold",
  cause: null,
} as const;

/**
 * The outcomes of an attempt, each with what is true of it. The kinds are decided by status and cause, never by searching
 * a text: by `failureKind` in client/failure.ts, `classify` in client/classify.ts, and client/attempt-outcome.ts.
 */
export const outcomes = {
  /** No byte left (refused, DNS, TLS, connect time-out). */
  "not-sent": { ...usual, next: "wait", left: false, spends: false, ofStatus: false, cause: "unreached" },
  /** The deployment refuses the key. */
  auth: { ...usual, next: "stop-deployment", whenAsked: "refused", cause: "key" },
  /** The account has no credits left. */
  credits: { ...usual, next: "stop-deployment", whenAsked: "ended", cause: "no-credits" },
  /** There is no such example_id. */
  target: { ...usual, next: "stop-target", whenAsked: "unknown", cause: "name" },
  /** Asked to come back later. */
  throttled: { ...usual, next: "wait", spends: false, slowsDown: true, ofService: true },
  /** A run exists and failed. */
  "run-failed": {
    ...usual,
    next: "retry",
    countsAsTry: true,
    ofService: true,
    ownError: true,
    accepted: true,
    whenAsked: "ended",
    cause: "configuration",
  },
  /** The request itself is wrong. */
  rejected: { ...usual, next: "finish", wrongRequest: true, accepted: true },
  /** A run may exist and may have been paid. */
  ambiguous: {
    ...usual,
    next: "retry-if-allowed",
    countsAsTry: true,
    mayBePaid: true,
    ofService: true,
    cause: "away",
  },
  /** Something else answered at this address. */
  "not-the-api": { ...usual, next: "stop-target", ofStatus: false, cause: "other-api" },
  /** A run record. */
  ok: { ...usual, next: "finish", accepted: true, ofStatus: false, whenAsked: "ended" },
} as const satisfies Record<string, OutcomeFacts>;

/** The facts about who stands behind an answer. */
interface AnswererFacts {
  /** Such answers in a row, with none of the service between, mean that it is away. */
  tellsAway: boolean;
  /** A gateway's own answer: it may be the only one that tells of the service, also for a single job. */
  isGateway: boolean;
}

const inItsPlace = { tellsAway: true, isGateway: true } as const;

/** Who stands behind an answer. `classify` in client/classify.ts decides it by status and form. */
const answerers = {
  /** The service itself. */
  service: { tellsAway: false, isGateway: false },
  /** A gateway in its place. */
  gateway: inItsPlace,
  /** Nobody in full: closed or reset before it was whole, empty, cut, or not to be decoded. */
  broken: { ...inItsPlace, isGateway: false },
} as const satisfies Record<string, AnswererFacts>;

export type Answerer = keyof typeof answerers;

/** True when somebody is known to stand behind an answer of whom a fact is true. */
export const isAnswerer = (answerer: Answerer | null, fact: keyof AnswererFacts): boolean =>
  answerer !== null && answerers[answerer][fact];

/** Outcome of an attempt whose end is known. */
export type OutcomeKind = keyof typeof outcomes;

/** The facts about a job that ended in a certain way, or about what is shown in the place of an outcome. */
interface EndFacts {
  /** Somebody was asked: where it brought no answer, it failed. */
  asked: boolean;
  /** An answer was due: there is one, or one is missed. */
  due: boolean;
  /** It says something of the target, be it that it fails: scorers look at it. */
  says: boolean;
  /** Nobody knows what became of the request. */
  inDoubt: boolean;
  /** It is not over: somebody decides whether it is sent again. */
  open: boolean;
  /** It has no answer only because an earlier turn has none: the reason is the earlier one's. */
  follows: boolean;
}

const ended: EndFacts = { asked: true, due: true, says: true, inDoubt: false, open: false, follows: false };

/** Ends of a job that are no outcome of an attempt. */
export const otherEnds = {
  /** The process or the worker has gone while the request was in flight, and the policy has ended its job. */
  "in-doubt": { ...ended, inDoubt: true },
  /** The same, kept until somebody decides. */
  held: { ...ended, says: false, inDoubt: true, open: true },
  /** A turn that was not sent because an earlier one of its conversation failed, or a job that is no longer asked for. */
  skipped: { ...ended, says: false, follows: true },
  /** A run of the plan that was not sent, because the comparison was decided without it. */
  spared: { ...ended, asked: false, due: false, says: false },
  /** A row without a stored answer, or a job that was never planned: nothing was asked, so that nothing failed. */
  missing: { ...ended, asked: false, says: false },
  /** A turn of which no answer is kept, because only the last reply of its conversation is: there is none to miss. */
  "not-asked": { ...ended, asked: false, due: false, says: false },
} as const satisfies Record<string, EndFacts>;

/** Outcome of an attempt as it is stored. */
export type AttemptOutcome = OutcomeKind | "in-doubt";

/** Outcome of a job as it is stored; one that is not finished has none. */
export type JobOutcome = OutcomeKind | keyof typeof otherEnds;

/**
 * The outcome in one word, as every file and screen has it: for a run record the kind of its answer (`ok` where an old
 * file does not tell it).
 */
export type ShownOutcome = keyof Shown;

type Shown = typeof outcomes &
  typeof otherEnds &
  typeof soundness & {
    /** The job is not over. */
    unfinished: true;
  };

/** Number of jobs by what is shown of them. */
export type OutcomeCounts = { [Kind in keyof Shown]?: Integer };

/** The counts as a list. */
export function outcomeEntries(counts: OutcomeCounts): [outcome: ShownOutcome, jobs: number][] {
  return Object.entries(counts).flatMap(([outcome, jobs]) => (isStoredOutcome(outcome) ? [[outcome, jobs]] : []));
}

/** True for every text: as an outcome of a file, one that this tandem does not know keeps its word (see `endOf`). */
export const isStoredOutcome = (text: unknown): text is ShownOutcome => typeof text === "string";

/** The kinds of which a fact is true, in the order of the table. */
export function outcomesWhere(isMeant: (facts: OutcomeFacts) => boolean): OutcomeKind[] {
  return outcomeKinds.filter((kind) => isMeant(outcomes[kind]));
}

/** True for the kind of an attempt. */
export const isOutcomeKind = (text: string): text is OutcomeKind => Object.hasOwn(outcomes, text);
const isOtherEnd = (text: string): text is keyof typeof otherEnds => Object.hasOwn(otherEnds, text);

/** All outcomes of attempts, in the order of the table. */
export const outcomeKinds: readonly OutcomeKind[] = Object.keys(outcomes).filter(isOutcomeKind);

/** Every word for what becomes of a run. */
export const shownOutcomes: readonly string[] = [
  ...Object.keys(soundness),
  ...outcomeKinds,
  ...Object.keys(otherEnds),
  "unfinished",
];

/** The ends of jobs of which a fact is true. */
export function endsWhere(isMeant: (facts: EndFacts) => boolean): JobOutcome[] {
  const others = Object.keys(otherEnds).filter(isOtherEnd);
  return [...outcomeKinds, ...others].filter((end) => isMeant(endOf(end)));
}

const ends: ReadonlyMap<string, EndFacts> = new Map(
  Object.entries({ ...otherEnds, unfinished: { ...ended, says: false } }),
);

/**
 * The facts about an outcome. A file may hold an outcome that this tandem does not know: it
 * keeps its word, and counts as a failure of which nothing more is known. No other place looks a stored text up.
 */
export function endOf(outcome: ShownOutcome): EndFacts {
  return ends.get(outcome) ?? ended;
}

/** Kinds of outcome that an endpoint's description may give a status. */
export type StatusMeaning = {
  [Kind in OutcomeKind]: (typeof outcomes)[Kind]["ofStatus"] extends true ? Kind : never;
}[OutcomeKind];

const isStatusMeaning = (kind: OutcomeKind): kind is StatusMeaning => outcomes[kind].ofStatus;

/** Those, in the order of the table. */
export const statusMeanings: readonly StatusMeaning[] = outcomeKinds.filter(isStatusMeaning);
