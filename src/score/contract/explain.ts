import { z } from "zod";
import { pathKey, textReader } from "./text-selection.ts";
import type { Answer } from "./scorer.ts";
import { expectedTexts, valueIsPattern, valuesKey } from "./expected.ts";

/** The text that a scorer looks at, and the one it compares it with; null if there is none. */
export type TextSelection = (answer: Answer) => { text: string | null; expected: string | null };

const looking = z.object({
  on: pathKey.optional(),
  member: pathKey.optional(),
  clean: z.boolean(),
  value: valuesKey.optional(),
});

/** Selects the texts that a scorer with these keys and options compares; null for one that looks at more than one text. */
export function selectionOf(keys: z.ZodRawShape, options: unknown): TextSelection | null {
  const parsed = looking.safeParse(options);
  if (!parsed.success) return null;
  const read = textReader(parsed.data);
  const { value } = parsed.data;
  const wanted = valueIsPattern(keys) ? () => [String(value)] : expectedTexts(value);
  return (answer) => {
    const texts = wanted(answer);
    return { text: read(answer), expected: Array.isArray(texts) ? texts.join("\n") : null };
  };
}
