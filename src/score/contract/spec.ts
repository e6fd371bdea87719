import { z } from "zod";
import type { Case } from "../../dataset/case.ts";
import type { JsonObject } from "../../lib/json.ts";
import { rangeKey } from "./scale.ts";

/** Cases that were used to write a judge. */
const keptExamples = z.object({
  /** Their keys. */
  keys: z.array(z.string()).exactOptional(),
  /** Tag to the values of which such a case has one. */
  tags: z.record(z.string(), z.array(z.string())).exactOptional(),
});

const writtenKeys: z.ZodType<JsonObject> = z.record(z.string(), z.json());

export const keptScorer = z.object({
  /** Unique in the suite. */
  name: z.string(),
  type: z.string(),
  primary: z.boolean(),
  weight: z.number(),
  /** Tag to the values of which a case must have one; null: every case is graded. */
  when: z.record(z.string(), z.array(z.string())).nullable(),
  /** Ends that a comparison counts its values between; left out: as the type has it. */
  range: rangeKey.exactOptional(),
  /** Cases that its judge was written with, of which people's labels say nothing. */
  examples: keptExamples.exactOptional(),
  /** The keys of its type, as written. */
  options: writtenKeys,
});

/** An entry of the suite's `scorers`, complete and JSON-safe: it is stored with the batch and with every scoring. */
export interface ScorerSpec extends z.output<typeof keptScorer> {}

const tagValue = z.union([z.string(), z.number(), z.boolean()]).transform(String);
const tagValues = z.record(z.string(), z.union([tagValue, z.array(tagValue).min(1)]));

/** The keys that every scorer has, beside `type`. */
export const commonKeys = {
  name: z
    .string()
    .regex(/\S/, { error: "must not be blank" })
    .optional()
    .describe("Name of the score in results and gates. Default: its type."),
  primary: z.boolean().optional().describe("The score that a comparison is about. Default: the first scorer."),
  weight: z.number().min(0).optional().describe("Its share in a weighted mean of several scorers. Default: 1."),
  when: tagValues
    .optional()
    .describe(
      "Only cases with these tags are graded: tag to a value or a list of values, such as {language: [hi, ar]}. Default: all.",
    ),
  range: rangeKey.optional(),
  examples: z
    .union([z.array(tagValue).min(1), tagValues])
    .optional()
    .describe(
      "Of a judge: cases that it was written with: a list of their keys, or their tags, such as {split: tuning}. People's labels of them do not count. Default: none.",
    ),
};

const commonEntry = z.object({ type: z.string(), ...commonKeys }).catchall(z.json());

/** The scorers of a suite from its entries, which passed the schema. With none marked, the first is primary. */
export function scorerSpecs(entries: readonly unknown[]): ScorerSpec[] {
  const specs = entries.map(scorerSpec);
  const hasPrimary = specs.some(({ primary }) => primary);
  return specs.map((spec, i) => ({ ...spec, primary: hasPrimary ? spec.primary : i === 0 }));
}

/** One of them; `primary` only when it is marked. */
export function scorerSpec(entry: unknown): ScorerSpec {
  const { name, type, primary = false, weight = 1, when, range, examples, ...options } = commonEntry.parse(entry);
  const tags = listsOf(when ?? {});
  return {
    name: name ?? type,
    type,
    primary,
    weight,
    when: Object.keys(tags).length === 0 ? null : tags,
    ...(range !== undefined && { range }),
    ...(examples !== undefined && {
      examples: Array.isArray(examples) ? { keys: examples } : { tags: listsOf(examples) },
    }),
    options,
  };
}

const listsOf = (tags: z.output<typeof tagValues>): Record<string, string[]> =>
  Object.fromEntries(Object.entries(tags).map(([tag, values]) => [tag, [values].flat()]));

/** True for an answer whose case has the tags that the scorer asks for. */
export function isAbout({ when }: ScorerSpec, { tags }: Pick<Case, "tags">): boolean {
  if (when === null) return true;
  return Object.entries(when).every(([tag, values]) => values.includes(tags[tag] ?? ""));
}
