import { wordFacts } from "../../compare/verdict-word.ts";
import type { ReportSummary } from "../shape/model.ts";
import { factText } from "../say/findings.ts";
import { watchWords } from "../say/judges.ts";
import { capitalised } from "../say/quantity.ts";

/** True where somebody has to be told, whatever the exit code: by its word, a tag that lost everything, a regression that only a column which nobody named took away, or a judge that has changed. */
export function hasProblem({
  verdict: { word },
  lostTags = [],
  gates,
  judgeWatch = [],
}: Pick<ReportSummary, "verdict" | "lostTags" | "gates" | "judgeWatch">): boolean {
  const isBad = word !== null && wordFacts(word).isProblem;
  const isByRows = gates.some(({ byRows }) => byRows === "regression");
  return isBad || lostTags.length > 0 || isByRows || judgeWatch.some(({ state }) => state === "changed");
}

/** Why somebody has to be told although the word at the top does not say so: a sentence for each reason. */
export function problemsBeside(summary: ReportSummary): string[] {
  const { verdict, lostTags = [], gates, judgeWatch = [], findings } = summary;
  const { word } = verdict;
  const judges = judgeWatch.flatMap((judge) => (judge.state === "changed" ? [watchWords(judge)] : []));
  if (word === "regression" || word === "invalid") return judges;
  const isByRows = gates.some(({ byRows }) => byRows === "regression");
  const byRows = findings.facts.flatMap((fact) =>
    isByRows && fact.kind === "note" && fact.label === "groups" ? fact.texts : [],
  );
  const where = lostTags.length === 0 ? [] : findings.facts.filter(({ kind }) => kind === "where");
  return [...where.map((fact) => `${capitalised(factText(fact, summary))}.`), ...byRows, ...judges];
}
