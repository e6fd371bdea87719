import { z } from "zod";
import { type AnswerKind, isAnswerKind } from "../../api/answer-kind.ts";
import { isAnswerer, outcomeKinds, outcomes } from "../../api/outcomes.ts";
import type { Decision } from "../../runner/decision.ts";
import { blankVerdict } from "../../client/verdict.ts";
import type { Settlement } from "../../runner/journal.ts";
import type { PulledAttempt } from "../postgres/pull.ts";

/** The longest time that a date can hold, in milliseconds. */
const latestDate = 8.64e15;
const millis = z.number().min(-latestDate).max(latestDate).nullable();
/** A longer text is cut: it is no reason to lose an answer. */
const told = z.string().transform((text) => text.slice(0, 20_000));
const count = z.number().int().min(0).max(1e12);
/** No client of ours takes a larger body. */
const mostBodyBytes = 32 * 1024 * 1024;

const statedLimit = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("requests"), count: z.number(), windowMs: z.number() }),
  z.object({ kind: z.literal("concurrency"), count: z.number() }),
]);

/** A settlement as a worker writes it: the body of its record comes beside it. */
const settlement = z.object({
  number: z.number().int(),
  queuedAt: z.number().min(0).max(latestDate),
  final: z.boolean(),
  reattached: z.boolean().exactOptional(),
  outcome: z.object({
    kind: z.enum(outcomeKinds),
    answer: z.custom<AnswerKind>(isAnswerKind).nullable(),
    status: z.number().int().min(100).max(999).nullable(),
    record: z
      .object({
        id: told.nullable(),
        url: told.nullable(),
        createdAt: told.nullable(),
        text: z.string().max(mostBodyBytes).exactOptional(),
      })
      .nullable(),
    error: told.nullable(),
    possiblyPaid: z.boolean(),
    retryAfterMs: millis,
    limit: statedLimit.nullable(),
    headers: z
      .record(z.string().max(20_000), told)
      .refine((headers) => Object.keys(headers).length <= 100)
      .nullable(),
    bodyStart: told.nullable(),
    redacted: z.boolean(),
    localLimit: z.boolean(),
    answeredBy: z.enum(["service", "gateway", "broken"]).nullable().default(null),
    usage: z.object({ input: count, output: count, cached: count.exactOptional() }).exactOptional(),
    timing: z.object({
      sentAt: millis,
      firstByteAt: millis,
      doneAt: z.number().min(0).max(latestDate),
      runMs: z.number().min(0).max(latestDate).exactOptional(),
    }),
  }),
});

/**
 * The settlement of an attempt as it arrives from a worker, for the job that it has here. A worker that writes what no tandem
 * does ends nothing: its attempt has no answer, with the reason.
 */
export function arrivedSettlement(
  jobId: number,
  { number, kind, final, entry, body }: Pick<PulledAttempt, "number" | "kind" | "final" | "body"> & { entry: string },
): Settlement {
  const read = settlement.safeParse(parsed(entry));
  if (!read.success) {
    const why = `it is no result (${z.prettifyError(read.error).replaceAll("\n", " ").slice(0, 300)})`;
    return unread(jobId, { number, final, why });
  }
  const why = faultOf(read.data, { number, kind, final, body });
  if (why !== null) return unread(jobId, { number, final, why });
  const { outcome, ...rest } = read.data;
  const { record } = outcome;
  return { jobId, ...rest, outcome: { ...outcome, record: record === null ? null : { ...record, body } } };
}

function parsed(entry: string): unknown {
  try {
    return JSON.parse(entry);
  } catch {
    return undefined;
  }
}

/** Why a result cannot be what a worker of ours enters; null: it can. */
function faultOf(
  { number, final, outcome }: z.output<typeof settlement>,
  attempt: Pick<PulledAttempt, "number" | "kind" | "final" | "body">,
): string | null {
  if (number !== attempt.number || final !== attempt.final || outcome.kind !== attempt.kind)
    return "it says something else than its row";
  if ((attempt.body?.length ?? 0) > mostBodyBytes) return "its body is too large";
  const hasAnswer = outcome.record !== null && attempt.body !== null && outcome.answer !== null;
  return outcome.kind === "ok" && !hasAnswer ? "it tells of an answer and has none" : null;
}

function unread(jobId: number, { number, final, why }: { number: number; final: boolean; why: string }): Settlement {
  const doneAt = Date.now();
  return {
    jobId,
    number,
    queuedAt: doneAt,
    final,
    outcome: {
      ...blankVerdict("ambiguous"),
      error: `a worker has entered a result that is not used: ${why}`,
      timing: { sentAt: null, firstByteAt: null, doneAt },
    },
  };
}

/** The consequence that a worker has drawn from an outcome. */
export function decisionOf({ final, outcome: { kind, answeredBy } }: Settlement): Decision {
  if (final) return "finish";
  if (isAnswerer(answeredBy, "isGateway")) return "hold";
  const { next } = outcomes[kind];
  return next === "finish" || next === "retry-if-allowed" ? "retry" : next;
}
