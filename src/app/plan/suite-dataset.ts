import type { CheckReader } from "../../dataset/import/check-reader.ts";
import type { ReadDatasetOptions } from "../../dataset/read-options.ts";
import { promptfooPart } from "../../parts/promptfoo.ts";
import { columnsRead } from "../../score/make.ts";
import { checkScorer, columnsOfCheck } from "../../score/row-checks.ts";
import type { DatasetPart } from "../../suite/dataset-part.ts";
import { askThemselves, namesAsked } from "../../suite/prompts/body-templates.ts";
import type { Suite } from "../../suite/suite.ts";
import { storedSources } from "./stored-answers.ts";

/** The part of a suite about its dataset. */
export function datasetOf({ datasets, mapping, format, files, targets, scorers }: Suite): DatasetPart {
  const read = scorers.map((spec) => columnsRead(spec));
  return {
    datasets,
    mapping,
    format,
    files,
    endpoints: [...new Set(targets.map(({ endpoint }) => endpoint))],
    constants: targets.flatMap(({ body }) => Object.keys(body)),
    asksItself: askThemselves(targets),
    stored: targets.filter(({ stored }) => stored !== undefined),
    named: [...read.flatMap((columns) => (columns === "all" ? [] : columns)), ...targets.flatMap(namesAsked)],
  };
}

/** Reads the checks that rows bring along. */
const checks: CheckReader = {
  expectations: promptfooPart.expectations,
  scorer: checkScorer,
  columnsOf: columnsOfCheck,
};

/** The options by which the dataset of such a part is read. */
export function readOptionsOf({ datasets, files, stored, ...part }: DatasetPart) {
  return {
    ...part,
    files: datasets,
    fileSettings: files,
    stored: storedSources({ targets: stored }),
    checks,
  } satisfies Partial<ReadDatasetOptions>;
}
