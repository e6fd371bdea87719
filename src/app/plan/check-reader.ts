import type { CheckReader } from "../../dataset/import/check-reader.ts";
import { promptfooCheck } from "../../score/promptfoo/assertion.ts";
import { checkScorer } from "../../score/row-checks.ts";

/** Reads the checks that rows bring along. */
export const checkReader: CheckReader = { promptfoo: promptfooCheck, scorer: checkScorer };
