import type { Comparison } from "../../compare/comparison.ts";
import { counted, number, price } from "./quantity.ts";

/**
 * The sentences on a run that could stop when it was decided: after how many cases, what was spared in requests and money,
 * and which gates stayed open. Empty for any other run.
 */
export function stoppingWords({ stopping, gates }: Comparison, batch: string): string[] {
  if (stopping === null) return [];
  const { cases, decidedAfter, spared, saved } = stopping;
  if (decidedAfter === null) {
    return spared > 0 || stopping.isOpen
      ? []
      : [`Nothing was decided before the end: ${counted(cases, "case")} were sent.`];
  }
  const decided = `Decided after ${number(decidedAfter)} of ${counted(cases, "case")}`;
  if (spared === 0) return [`${decided}; the rest was sent too.`];
  const money = saved === null ? "" : ` (about ${price(saved)} saved)`;
  const were = spared === 1 ? "was" : "were";
  const open = gates.filter(({ state }) => state === "inconclusive");
  const names = open.map(({ metric, slice }) =>
    slice === null ? metric : `${metric} where ${slice.tag} is ${slice.value}`,
  );
  return [
    `${decided}: ${counted(spared, "request")} ${were} not sent${money}. \`tandem resume ${batch} --rest\` sends ${spared === 1 ? "it" : "them"}.`,
    ...(names.length === 0
      ? []
      : [`Open when it stopped: ${names.slice(0, mostNames).join(", ")}${names.length > mostNames ? " ..." : ""}.`]),
  ];
}

const mostNames = 5;
