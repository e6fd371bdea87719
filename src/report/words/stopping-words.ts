import type { Comparison } from "../../compare/comparison.ts";
import { counted, number, price, priceUnit } from "./quantity.ts";

/**
 * The sentences on a run that could stop when it was decided: after how many cases, what was spared in requests and money,
 * and which gates stayed open. Empty for any other run.
 */
export function stoppingWords({ stopping, gates, verdict, candidates, targets }: Comparison, batch: string): string[] {
  if (stopping === null) return [];
  const { cases, decidedAfter, spared, saved, isOpen, needsSuite } = stopping;
  const rest = needsSuite ? "tandem run SUITE.yaml --resume --rest" : `tandem resume ${batch} --rest`;
  const money = saved === null ? "" : ` (about ${price(saved)} saved, ${priceUnit}${unpricedWords(targets)})`;
  const unsent = `${counted(spared, "request")} ${spared === 1 ? "was" : "were"} not sent`;
  const sends = `\`${rest}\` sends ${spared === 1 ? "it" : "them"}.`;
  if (decidedAfter === null) {
    if (spared > 0) {
      const now = `By the grades of now nothing is decided without ${spared === 1 ? "it" : "them"}`;
      return [`${unsent} when it was decided${money}. ${now}: ${sends}`];
    }
    return isOpen ? [] : [`Nothing was decided before the end: ${counted(cases, "case")} were sent.`];
  }
  const reached = `after ${number(decidedAfter)} of ${counted(cases, "case")}`;
  // Too many missing answers are no decision.
  const decided = `${verdict === "invalid" && spared > 0 && !isOpen ? "Stopped" : "Decided"} ${reached}`;
  if (spared === 0 && isOpen) {
    return [`${decided}; the rest is not all sent. \`${rest}\` sends it; without --rest it is left out.`];
  }
  if (decidedAfter === cases) return [`Decided with the last of ${counted(cases, "case")}.`];
  if (spared === 0) return [`${decided}; the rest was sent too.`];
  const open = gates.filter(({ state }) => state === "inconclusive");
  const names = open.map(({ candidate, metric, slice }) => {
    const about = slice === null ? metric : `${metric} where ${slice.tag} is ${slice.value}`;
    return candidates.length > 1 ? `${candidate}: ${about}` : about;
  });
  return [
    `${decided}: ${unsent}${money}. ${sends}`,
    ...(names.length === 0
      ? []
      : [`Open when it stopped: ${names.slice(0, mostNames).join(", ")}${names.length > mostNames ? " ..." : ""}.`]),
  ];
}

/** The targets whose price of what was spared is not known: the sum lacks theirs. */
function unpricedWords(targets: Comparison["targets"]): string {
  const names = targets.flatMap(({ target, spared, saved }) => (spared > 0 && saved === null ? [target] : []));
  return names.length === 0 ? "" : `, without ${names.join(", ")}, whose price is not known`;
}

const mostNames = 5;
