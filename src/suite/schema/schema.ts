import { z } from "zod";
import { showValue } from "../../lib/show.ts";
import { passRule } from "../../score/contract/case-pass.ts";
import { scorerEntry } from "../../score/registry.ts";
import { defaultErrorShare, defaultMargin } from "../default-values.ts";
import { compareSection, gate, historySection } from "./compare-schema.ts";
import { caseSection, filesSection, formatSection } from "./dataset-schema.ts";
import { text } from "./form.ts";
import { csvSection } from "./csv-schema.ts";
import { reportKeys, runKeys } from "./run-schema.ts";
import { deployment, judgeSection, matrix, target } from "./target-schema.ts";

/**
 * The suite file as one schema: the source of its types, its validation, the JSON Schema for editors and the reference page.
 * It describes the file as written; `resolve.ts` turns it into a Suite.
 */

/** The whole suite file. */
export const suiteFile = z
  .strictObject({
    name: text.optional().describe("Name of the suite in results. Default: the file's name."),
    dataset: z
      .union([text, z.array(text).min(1)], {
        error: ({ input }) =>
          input === undefined ? "is required" : `must be a file or a list of files, got ${showValue(input)}`,
      })
      .describe(
        "A file of cases or a list of them (.csv, .tsv, .jsonl, .json, each also with .gz; .xlsx), relative to this file; - is standard input.",
      ),
    format: formatSection.optional(),
    files: filesSection.optional(),
    case: caseSection.optional(),
    deployments: z
      .record(z.string(), deployment)
      .optional()
      .describe("Deployments by name. Needed, but where every target is stored answers."),
    targets: z
      .record(z.string(), target)
      .optional()
      .describe("Targets by name: where and how every case is sent. Either targets or matrix."),
    matrix: matrix.optional(),
    judges: z
      .record(z.string(), judgeSection)
      .optional()
      .describe("Judges by name, for the scorers of the types judge, function-judge and pairwise. Default: none."),
    ...runKeys,
    scorers: z.array(scorerEntry).optional().describe("Rules that grade answers. Default: none."),
    pass: passRule.optional(),
    compare: compareSection.optional(),
    gates: z
      .array(gate)
      .optional()
      .describe(
        `Rules that decide the exit code. Default: the primary metric with a margin of ${defaultMargin} of its pass rate, and errors ${defaultErrorShare}.`,
      ),
    history: historySection.optional(),
    ...reportKeys,
    csv: csvSection.optional(),
  })
  .describe("A tandem suite: which cases go to which targets, how they are scored, compared and gated.");

/** The suite file after the schema: defaults of keys are filled in, names are not yet resolved. */
export type SuiteFile = z.infer<typeof suiteFile>;

/** The suite file as a person writes it. */
export type SuiteFileInput = z.input<typeof suiteFile>;
