import { z } from "zod";
import { isTemplate } from "../../lib/liquid-name.ts";
import { showText } from "../../lib/show.ts";
import { joinedTexts } from "../../text/value-text.ts";
import { templateText } from "../contract/expected.ts";
import type { Answer, OptionFault, Unscored } from "../contract/scorer.ts";
import { pathKey, valueReader } from "../contract/text-selection.ts";
import { readyRubric } from "../rubrics/rubrics.ts";

/** The keys by which a judge is shown what an answer has to agree with. */
export const sourcesKeys = {
  sources: z
    .string()
    .regex(/\S/, { error: "must not be blank" })
    .optional()
    .describe(
      "What the answer has to agree with: a column, or a Liquid template over the case. Default: the column `sources` for a rubric that needs sources, else none.",
    ),
  sources_on: pathKey
    .optional()
    .describe(
      "The same where the bot itself tells its sources: a path into output, such as references[*].snippet. Default: none.",
    ),
};

interface SourcesOptions {
  rubric?: string | undefined;
  sources?: string | undefined;
  sources_on?: string | undefined;
}

/** The name of the column for a rubric that needs sources. */
const usualColumn = "sources";

/** The column that holds the sources of a case; null: no column does. */
export function sourcesColumn({ rubric, sources, sources_on: on }: SourcesOptions): string | null {
  if (on !== undefined) return null;
  if (sources !== undefined) return isTemplate(sources) ? null : sources;
  return readyRubric(rubric)?.needs.includes("sources") === true ? usualColumn : null;
}

/** Reads the sources of an answer; null: the judge is shown none. */
export function sourcesReader(options: SourcesOptions): ((answer: Answer) => string | Unscored) | null {
  const { sources, sources_on: on } = options;
  if (on !== undefined) {
    const read = valueReader(on);
    return (answer) => joinedTexts(read(answer)) ?? { unscored: `the answer has no sources at ${on}` };
  }
  const column = sourcesColumn(options);
  if (column !== null) {
    return ({ case: { columns } }) => filled(columns[column] ?? "", `no sources in the column ${showText(column)}`);
  }
  if (sources === undefined) return null;
  const fill = templateText(sources);
  return (answer) => {
    const text = fill(answer);
    return typeof text === "string" ? filled(text, "no sources") : text;
  };
}

/** A case without sources leaves the metric: nothing says what its answers have to agree with. */
const filled = (text: string, lack: string): string | Unscored =>
  text.trim() === "" ? { unscored: lack, lack: "row" } : text;

/** Sources come from one place. */
export function sourcesFaults({ sources, sources_on: on }: SourcesOptions): OptionFault[] {
  if (sources === undefined || on === undefined) return [];
  return [{ key: "sources_on", message: "cannot be used together with sources: they come from one place" }];
}
