import type { CheckReader } from "../../dataset/import/check-reader.ts";
import { promptfooPart } from "../../parts/promptfoo.ts";
import { checkScorer, columnsOfCheck } from "../../score/row-checks.ts";

/** Reads the checks that rows bring along. */
export const checkReader: CheckReader = {
  expectations: promptfooPart.expectations,
  scorer: checkScorer,
  columnsOf: columnsOfCheck,
};
