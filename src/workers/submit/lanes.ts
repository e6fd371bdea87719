import { isAnswerKind } from "../../api/answer-kind.ts";
import { endpointWord } from "../../api/endpoint-name.ts";
import { isOutcomeKind, type OutcomeKind, outcomes } from "../../api/outcomes.ts";
import type { Outcome } from "../../client/outcome.ts";
import { steadyNow } from "../../lib/clock.ts";
import type { Decision } from "../../runner/decision.ts";
import type { Load } from "../../runner/drive.ts";
import { type QueueSnapshot, Tally } from "../../runner/tally.ts";
import type { HandedOver } from "../../store/journal/handed-over.ts";
import type { Deployment } from "../../suite/suite.ts";
import { queueName } from "../postgres/queue.ts";

type LoadTarget = Load["targets"][number];

/** A deployment's endpoint with what workers have done of it. */
export interface Lane {
  /** Its number at the workers; 0: it is not there yet. */
  id: number;
  /** `deployment/endpoint`. */
  name: string;
  queue: string;
  deployment: Deployment;
  targets: LoadTarget[];
  tally: Tally;
  /** Target to its jobs that are not over. */
  left: Map<number, number>;
  inFlight: number;
  /** Why nothing more is started; null: it goes on. */
  stopped: string | null;
  /** Nobody sends anything of it, for this reason and since then, on the steady clock; null: somebody does. */
  unserved: { why: string; since: number } | null;
}

/** One lane for each endpoint of a deployment with targets. */
export function lanesOf({ suite, targets }: Load): Lane[] {
  return suite.deployments.flatMap((deployment) => {
    const own = targets.filter((target) => target.deployment === deployment.name);
    return [...new Set(own.map(({ endpoint }) => endpointWord(endpoint)))].map((word): Lane => {
      const of = own.filter(({ endpoint }) => endpointWord(endpoint) === word);
      const name = `${deployment.name}/${word}`;
      return {
        id: 0,
        name,
        queue: queueName(name, deployment),
        deployment,
        targets: of,
        tally: new Tally(of.reduce((sum, { unfinished }) => sum + unfinished, 0)),
        left: new Map(of.map(({ id, unfinished }) => [id, unfinished])),
        inFlight: 0,
        stopped: null,
        unserved: null,
      };
    });
  });
}

/** Jobs of a lane that are not over; of all its targets, or of some. */
export function leftOf(
  { left, targets }: Pick<Lane, "left" | "targets">,
  isMeant = (_target: number): boolean => true,
): number {
  return targets.reduce((sum, { id }) => sum + (isMeant(id) ? (left.get(id) ?? 0) : 0), 0);
}

/** A lane as the progress shows it. `waitsForMs`: a worker is waited for so long. */
export function laneSnapshot(
  lane: Lane,
  { leftOut, waitsForMs }: { leftOut: number; waitsForMs: number | null },
): QueueSnapshot {
  const { deployment, inFlight, unserved } = lane;
  const forMs = unserved === null ? 0 : steadyNow() - unserved.since;
  return lane.tally.snapshot({
    name: lane.name,
    deployment: deployment.name,
    inFlight,
    finishesWithinMs: inFlight === 0 ? 0 : deployment.timeoutMs,
    waiting: 0,
    leftOut,
    limit: deployment.concurrency,
    rate: deployment.rate,
    pausedMs: 0,
    stall:
      unserved === null
        ? null
        : {
            why: unserved.why,
            forMs,
            nextMs: null,
            leftMs: waitsForMs === null ? null : Math.max(0, waitsForMs - forMs),
          },
    stopped: lane.stopped,
  });
}

const decisions: readonly string[] = [
  "finish",
  "retry",
  "wait",
  "hold",
  "set-aside",
  "stop-target",
  "stop-deployment",
] satisfies Decision[];

const isDecision = (text: string | undefined): text is Decision => text !== undefined && decisions.includes(text);

/** The consequence that a worker drew from an attempt. */
export function decisionOf({ decision }: HandedOver, isEnd: boolean): Decision {
  if (isEnd) return "finish";
  return isDecision(decision) && decision !== "finish" ? decision : "retry";
}

const numberOr = (value: unknown): number | null => (typeof value === "number" ? value : null);
const textOr = (value: unknown): string | null => (typeof value === "string" ? value : null);

/** The outcome of an attempt as it was handed over; null: it has none. Its body stays where it is. */
export function handedOutcome({ attempt, record }: HandedOver): Outcome | null {
  const kind = textOr(attempt?.["outcome"]);
  if (attempt === null || kind === null || !isOutcomeKind(kind)) return null;
  const answer = attempt["answer"];
  const input = numberOr(attempt["tokens_in"]);
  const output = numberOr(attempt["tokens_out"]);
  const cached = numberOr(attempt["tokens_cached"]);
  return {
    kind,
    answer: isAnswerKind(answer) ? answer : null,
    status: numberOr(attempt["status"]),
    record:
      record === null
        ? null
        : {
            id: textOr(record["id"]) ?? "",
            url: textOr(record["url"]),
            createdAt: textOr(record["created_at"]),
            body: null,
          },
    error: textOr(attempt["error"]),
    possiblyPaid: attempt["possibly_paid"] === 1,
    retryAfterMs: numberOr(attempt["retry_after_ms"]),
    limit: null,
    headers: null,
    bodyStart: null,
    redacted: attempt["redacted"] === 1,
    localLimit: false,
    answeredBy: null,
    ...(input !== null && output !== null && { usage: { input, output, ...(cached !== null && { cached }) } }),
    timing: {
      sentAt: numberOr(attempt["sent_at"]),
      firstByteAt: numberOr(attempt["first_byte_at"]),
      doneAt: numberOr(attempt["done_at"]) ?? 0,
    },
  };
}

/** A kind of outcome by its name; `ambiguous`, for which nothing is advised, where it is none. */
export const knownKind = (text: string | null): OutcomeKind =>
  text !== null && isOutcomeKind(text) ? text : "ambiguous";

/** True for a kind that used up a request of the budget. */
export const isSpentKind = (kind: OutcomeKind): boolean => outcomes[kind].spends;
