import { amountScorers } from "./checks/amounts.ts";
import { audioScorers } from "./checks/audio.ts";
import { calledFunctionScorers } from "./checks/called-functions.ts";
import { commandScorers } from "./own/command.ts";
import { compositeScorers } from "./checks/composite.ts";
import type { RegisteredScorer } from "./contract/define.ts";
import { embeddingScorers } from "./judge/embedding-similarity.ts";
import { comparisonScorers } from "./checks/comparisons.ts";
import { functionScorers } from "./checks/function-checks.ts";
import { functionJudgeScorers } from "./judge/function-judge.ts";
import { judgeScorers } from "./judge/judge.ts";
import { jsonScorers } from "./json/json-checks.ts";
import { languageScorers } from "./checks/language-checks.ts";
import { runAmountScorers } from "./checks/run-amounts.ts";
import { gradeFileScorers } from "./own/from-file.ts";
import { moduleScorers } from "./own/module.ts";
import { outcomeScorers } from "./checks/outcome-checks.ts";
import { overlapScorers } from "./checks/overlap.ts";
import { pairwiseScorers } from "./judge/pairwise.ts";
import { referenceScorers } from "./checks/references.ts";
import { regexScorers } from "./checks/regex.ts";
import { shapeScorers } from "./checks/shape.ts";
import { similarityScorers } from "./checks/similarity.ts";
import { translationScorers } from "./checks/translation.ts";

/** Every type of scorer but the checks of rows, which are made of these; in the order of the reference page. */
export const catalogue: readonly RegisteredScorer[] = [
  ...comparisonScorers,
  ...regexScorers,
  ...jsonScorers,
  ...amountScorers,
  ...overlapScorers,
  ...similarityScorers,
  ...translationScorers,
  ...runAmountScorers,
  ...outcomeScorers,
  ...referenceScorers,
  ...audioScorers,
  ...languageScorers,
  ...calledFunctionScorers,
  ...shapeScorers,
  ...functionScorers,
  ...moduleScorers,
  ...commandScorers,
  ...gradeFileScorers,
  ...judgeScorers,
  ...functionJudgeScorers,
  ...pairwiseScorers,
  ...embeddingScorers,
  ...compositeScorers,
];
