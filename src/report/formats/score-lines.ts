import { longScores, wideScores } from "../tables/score-tables.ts";
import type { TableFrame, TableLines } from "./table-lines.ts";

/** `scores-long.csv`: a line for each case and each target. */
export function longScoreLines({ comparisonPlan, runs }: TableFrame): TableLines {
  return longScores({ comparisonPlan, columns: runs.columns });
}

/** `scores-wide.csv`: a line for each case, with the score of each target. */
export function wideScoreLines({ comparisonPlan, runs }: TableFrame): TableLines {
  return wideScores({ comparisonPlan, columns: runs.columns });
}
