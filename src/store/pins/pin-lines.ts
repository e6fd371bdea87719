import { z } from "zod";
import { type EndpointName, endpointNamed } from "../../api/endpoint-name.ts";
import { endpointOf } from "../../api/endpoints.ts";
import { showText } from "../../lib/show.ts";
import { storedVersion } from "../../lib/stored-version.ts";
import { storedMetric } from "../scores/stored-scorer.ts";

/** False for a description that does not describe an endpoint. */
function isSound(endpoint: EndpointName): boolean {
  try {
    return endpointOf(endpoint).call.method !== "";
  } catch {
    return false;
  }
}

function readEndpoint(name: string, context: z.RefinementCtx): EndpointName {
  const endpoint = endpointNamed(name);
  if (endpoint !== null && isSound(endpoint)) return endpoint;
  context.addIssue({
    code: "custom",
    message: `names the endpoint ${showText(name)}, which this tandem does not know`,
  });
  return z.NEVER;
}

const target = z.strictObject({
  name: z.string(),
  endpoint: z.string().transform(readEndpoint),
  exampleId: z.string(),
  repeats: z.int().min(1),
});

/** The first line of an exported pin. */
export const pinHead = z.looseObject({
  tandem_pin: z.literal(storedVersion),
  name: z.string().min(1),
  suite: z.string(),
  created_at: z.string(),
  batches: z.array(z.string()),
  targets: z
    .array(target)
    .min(1)
    .refine((all) => new Set(all.map(({ name }) => name)).size === all.length, { error: "has a name twice" }),
  /** Scorers in the form of a scoring: each with its metric and the way it was written. */
  scorers: z.array(
    z.looseObject({ metric: storedMetric, spec: z.looseObject({ name: z.string(), type: z.string() }) }),
  ),
});
export type PinHead = z.infer<typeof pinHead>;
export type PinnedTarget = z.infer<typeof target>;

/** Milliseconds since 1970, as far as a date goes. */
const time = z.number().min(0).max(8.64e15).nullable();
const text = z.string().nullable();

const pinnedRun = z.strictObject({
  /** null: not finished. */
  outcome: text,
  /** Kind of the answer, such as `answered` or `empty`. */
  kind: text,
  answer: text,
  error: text,
  run_id: text,
  url: text,
  created_at: text,
  /** Milliseconds since 1970. */
  sent_at: time,
  done_at: time,
  /** Scores by the place of the scorer; null: not graded. */
  scores: z.array(z.strictObject({ value: z.number().nullable(), pass: z.boolean().nullable() }).nullable()),
});
export type PinnedRun = z.infer<typeof pinnedRun>;

/** Every line between the first and the last: a case, and the runs of each target. */
export const pinnedCase = z.strictObject({
  key: z.string().min(1),
  input_hash: z.string(),
  cluster: z.string(),
  turn: z.int(),
  runs: z.record(z.string(), z.array(pinnedRun)),
});
export type PinnedCase = z.infer<typeof pinnedCase>;

/** The last line: without it the file was cut off, and where it does not agree somebody changed the file. */
export const pinEnd = z.strictObject({
  cases: z.int(),
  /** Hash of the lines before it, each with a line feed. */
  sha256: z.string(),
});
