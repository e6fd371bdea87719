import { z } from "zod";
import { isTemplate } from "../../lib/liquid-name.ts";
import { languageCode } from "../../text/language.ts";
import { loadLiquid, prepareValue, templateText, type valuesKey } from "../contract/expected.ts";
import type { Answer } from "../contract/scorer.ts";

/** `language` of scorers that know some languages better than others; `what` says for what they need it. */
export function languageKey(what: string): z.ZodOptional<z.ZodString> {
  return z
    .string()
    .optional()
    .describe(
      `${what}: a code such as en, es or ar, or a template such as {{ tags.language }}. Default: the case's tag language, else en.`,
    );
}

/** Loads what a `value` and a `language` need, when they are templates. */
export async function prepareWords(
  value: z.infer<typeof valuesKey> | undefined,
  language: string | undefined,
): Promise<void> {
  await prepareValue(value);
  if (language !== undefined && isTemplate(language)) await loadLiquid();
}

/** The columns that tell the language of a case, the likelier first. */
export const languageColumns = ["language", "lang"];

/** The language that a case says it is in, by a tag or a column, as it is written there; empty: it says none. */
export function saidLanguage({ case: { tags, columns } }: Answer): string {
  const said = [tags["language"], ...languageColumns.map((name) => columns[name])];
  return said.map((each) => each?.trim() ?? "").find((each) => each !== "") ?? "";
}

/** The language of a case. A column is not asked: `language` may be one of programming, by which no text is normalised. */
export function languageReader(language: string | undefined): (answer: Answer) => string {
  if (language === undefined) return ({ case: { tags } }) => codeOf(tags["language"] ?? "en");
  if (!isTemplate(language)) return () => codeOf(language);
  const fill = templateText(language);
  return (answer) => {
    const filled = fill(answer);
    return typeof filled === "string" ? codeOf(filled.trim()) : "en";
  };
}

/** A tag may say Spanish or es-MX. */
function codeOf(language: string): string {
  return languageCode(language) ?? language;
}
