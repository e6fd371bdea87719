import { wordFacts } from "../../compare/verdict-word.ts";
import type { ReportSummary } from "../shape/model.ts";
import { lostTagWords } from "../words/lost-tag-words.ts";

/** True where somebody has to be told, whatever the exit code: by its word, a tag that lost everything, or a regression that only a column which nobody named took away. */
export function hasProblem({
  verdict: { word },
  lostTags = [],
  gates,
}: Pick<ReportSummary, "verdict" | "lostTags" | "gates">): boolean {
  const isBad = word !== null && wordFacts(word).isProblem;
  return isBad || lostTags.length > 0 || gates.some(({ byRows }) => byRows === "regression");
}

/** Why somebody has to be told although the word at the top does not say so: a sentence for each reason. */
export function problemsBeside({
  verdict: { word, metric },
  lostTags = [],
  gates,
  candidates,
}: Pick<ReportSummary, "verdict" | "lostTags" | "gates" | "candidates">): string[] {
  if (word === "regression" || word === "invalid") return [];
  const isAlone = candidates.length === 1;
  const byRows = gates.flatMap(({ byRows: alone, candidate, name, advice }) => {
    if (alone !== "regression") return [];
    return [`${isAlone ? "" : `${candidate}, ${name}: `}${advice ?? "By rows alone it is a regression."}`];
  });
  return [...lostTagWords(lostTags, { metric, isAlone }), ...byRows];
}
