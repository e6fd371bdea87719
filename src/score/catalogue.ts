import type { RegisteredScorer } from "./define.ts";
import { containmentScorers } from "./containment.ts";
import { amountScorers } from "./amounts.ts";
import { equalityScorers } from "./equality.ts";
import { jsonScorers } from "./json-checks.ts";
import { latencyScorers } from "./latency.ts";
import { overlapScorers } from "./overlap.ts";
import { regexScorers } from "./regex.ts";
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
];
