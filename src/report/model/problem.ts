import { wordFacts } from "../../compare/verdict-word.ts";
import type { ReportSummary } from "../shape/model.ts";

/** True where somebody has to be told, whatever the exit code: by its word, a tag that lost everything, or a regression that only a column which nobody named took away. */
export function hasProblem({
  verdict: { word },
  lostTags = [],
  gates,
}: Pick<ReportSummary, "verdict" | "lostTags" | "gates">): boolean {
  const isBad = word !== null && wordFacts(word).isProblem;
  return isBad || lostTags.length > 0 || gates.some(({ byRows }) => byRows === "regression");
}
