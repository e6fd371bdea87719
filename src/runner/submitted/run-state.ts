import { asyncFormOf, endpointOf } from "../../api/endpoints.ts";
import { outcomes } from "../../api/outcomes.ts";
import type { AttemptRequest } from "../../client/attempt-request.ts";
import type { Outcome } from "../../client/outcome.ts";
import { textOfRecord } from "../../client/run-record.ts";
import { parsedJson } from "../../lib/json.ts";
import type { PendingJob, TakenRun } from "../journal.ts";
import type { RunTarget } from "../run-target.ts";

/** A run that the service has taken and has not ended yet. */
export interface OpenRun {
  job: PendingJob;
  target: RunTarget;
  taken: TakenRun;
  /** It was submitted by a process that has gone. */
  reattached: boolean;
  /** Milliseconds to add to moments of the steady clock for its dates: the same from its submission to its end. */
  dateOffset: number;
}

/**
 * The state that an answer tells of a run.
 * - `going`: it waits, or is being made
 * - `unknown`: the service does not know it
 * - `refused`: the service does not let us ask
 * - `untold`: nothing was told of it, because the service could not be reached or is busy, or told of another run
 */
export type RunState =
  | { kind: "going" | "unknown" | "refused" }
  | { kind: "untold"; why: string | null }
  /** `final`: it was made and is paid, so nothing is sent again, although it has no answer. */
  | { kind: "ended"; outcome: Outcome; final: boolean };

/** Longest wait for the answer to a question, which takes a service some ten milliseconds. */
const longestAskMs = 60_000;

/** The question for a run. */
export function statusRequest({ target: { endpoint }, taken, dateOffset }: OpenRun): AttemptRequest {
  return { endpoint, part: "status", ...asyncFormOf(endpoint).ask(taken.run.id), timeoutMs: longestAskMs, dateOffset };
}

/** Reads an answer to the question for a run. */
export function stateOf({ target, taken }: OpenRun, outcome: Outcome): RunState {
  const { kind } = outcome;
  const { whenAsked } = outcomes[kind];
  if (whenAsked === "untold") return { kind: whenAsked, why: outcome.error };
  if (whenAsked !== "ended") return { kind: whenAsked };
  const other = outcome.record?.id ?? taken.run.id;
  // A cache on the way may answer with what it was told of another run.
  if (other !== taken.run.id) return { kind: "untold", why: `asked for the run ${taken.run.id}, it told of ${other}` };
  const reported = outcome.record === null ? undefined : parsedJson(textOfRecord(outcome.record));
  const { isGoing, isCompleted, output, runMs } = asyncFormOf(target.endpoint).stateOf(reported);
  if (kind === "ok" && isGoing) return { kind: "going" };
  const answer = kind === "ok" ? endpointOf(target.endpoint).kindOf(output) : null;
  const { id, url, createdAt } = taken.run;
  const { record } = outcome;
  const known = { body: null, ...record, url: record?.url ?? url, createdAt: record?.createdAt ?? createdAt };
  const timing = { sentAt: taken.sentAt, firstByteAt: null, doneAt: outcome.timing.doneAt };
  return {
    kind: "ended",
    final: isCompleted && kind !== "ok",
    outcome: { ...outcome, answer, record: { ...known, id }, timing: runMs === null ? timing : { ...timing, runMs } },
  };
}
