import { amountScorers } from "./amounts.ts";
import { audioScorers } from "./audio.ts";
import { calledFunctionScorers } from "./called-functions.ts";
import { commandScorers } from "./command.ts";
import { compositeScorers } from "./composite.ts";
import { containmentScorers } from "./containment.ts";
import type { RegisteredScorer } from "./define.ts";
import { equalityScorers } from "./equality.ts";
import { functionScorers } from "./function-checks.ts";
import { functionJudgeScorers } from "./function-judge.ts";
import { judgeScorers } from "./judge.ts";
import { jsonScorers } from "./json-checks.ts";
import { languageScorers } from "./language-checks.ts";
import { latencyScorers } from "./latency.ts";
import { moduleScorers } from "./module.ts";
import { outcomeScorers } from "./outcome-checks.ts";
import { overlapScorers } from "./overlap.ts";
import { pairwiseScorers } from "./pairwise.ts";
import { referenceScorers } from "./references.ts";
import { regexScorers } from "./regex.ts";
import { shapeScorers } from "./shape.ts";
import { similarityScorers } from "./similarity.ts";

/** Every type of scorer but the checks of rows, which are made of these; in the order of the reference page. */
export const catalogue: readonly RegisteredScorer[] = [
  ...equalityScorers,
  ...containmentScorers,
  ...regexScorers,
  ...jsonScorers,
  ...amountScorers,
  ...overlapScorers,
  ...similarityScorers,
  ...latencyScorers,
  ...outcomeScorers,
  ...referenceScorers,
  ...audioScorers,
  ...languageScorers,
  ...calledFunctionScorers,
  ...shapeScorers,
  ...functionScorers,
  ...moduleScorers,
  ...commandScorers,
  ...judgeScorers,
  ...functionJudgeScorers,
  ...pairwiseScorers,
  ...compositeScorers,
];
