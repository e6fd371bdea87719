import { z } from "zod";
import { type AnswerKind, isAnswerKind } from "../../api/answer-kind.ts";
import { outcomeKinds, outcomes } from "../../api/outcomes.ts";
import type { Decision } from "../../runner/decision.ts";
import type { Settlement } from "../../runner/journal.ts";

const millis = z.number().nullable();

const statedLimit = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("requests"), count: z.number(), windowMs: z.number() }),
  z.object({ kind: z.literal("concurrency"), count: z.number() }),
]);

/** A settlement as a worker writes it: the body of its record comes beside it. */
const settlement = z.object({
  number: z.number().int(),
  queuedAt: z.number(),
  final: z.boolean(),
  reattached: z.boolean().exactOptional(),
  outcome: z.object({
    kind: z.enum(outcomeKinds),
    answer: z.custom<AnswerKind>(isAnswerKind).nullable(),
    status: z.number().nullable(),
    record: z
      .object({ id: z.string().nullable(), url: z.string().nullable(), createdAt: z.string().nullable() })
      .nullable(),
    error: z.string().nullable(),
    possiblyPaid: z.boolean(),
    retryAfterMs: millis,
    limit: statedLimit.nullable(),
    headers: z.record(z.string(), z.string()).nullable(),
    bodyStart: z.string().nullable(),
    redacted: z.boolean(),
    localLimit: z.boolean(),
    answeredBy: z.enum(["service", "gateway"]).nullable().default(null),
    usage: z.object({ input: z.number(), output: z.number() }).exactOptional(),
    timing: z.object({ sentAt: millis, firstByteAt: millis, doneAt: z.number(), runMs: z.number().exactOptional() }),
  }),
});

/** The settlement of an attempt as it arrives from a worker, for the job that it has here. Throws where it is none. */
export function arrivedSettlement(jobId: number, entry: string, body: Buffer | null): Settlement {
  const { outcome, ...read } = settlement.parse(JSON.parse(entry));
  const { record } = outcome;
  return { jobId, ...read, outcome: { ...outcome, record: record === null ? null : { ...record, body } } };
}

/** The consequence that a worker has drawn from an outcome. */
export function decisionOf({ final, outcome: { kind } }: Settlement): Decision {
  if (final) return "finish";
  const { next } = outcomes[kind];
  return next === "finish" || next === "retry-if-allowed" ? "retry" : next;
}
