import { failureTable } from "../doc/failure-tables.ts";
import { checkedWords } from "../say/judges.ts";
import type { ReportSummary } from "../shape/model.ts";
import { findingsTables } from "../doc/choice-findings-tables.ts";
import { choiceTable } from "../doc/choice-table.ts";
import { gateTable } from "../doc/gate-table.ts";
import { scoreTable } from "../doc/target-table.ts";
import { speedNotes } from "../model/speed-basis.ts";
import { counted, number, price } from "../say/quantity.ts";
import { docTable, type TableScreen } from "./doc-table.ts";
import { visible } from "../text/visible.ts";
import { wrapped } from "../text/wrap.ts";
import { uncountedLines } from "../say/validity.ts";

/** The configurations that are chosen among; empty where nothing is chosen. */
export function choiceLines(summary: ReportSummary, screen: TableScreen): string[] {
  const table = choiceTable(summary);
  return table === null ? [] : docTable(table, screen);
}

/** Where configurations are good, and what a matrix does; with details also the cases that are worth a look. */
export function findingsLines(summary: ReportSummary, screen: TableScreen, isDetailed: boolean): string[] {
  const tables = findingsTables(summary).filter(({ isBeside }) => isDetailed || !isBeside);
  return tables.flatMap(({ table, about }, place) => [
    ...(place === 0 ? [] : [""]),
    screen.color("bold", table.name),
    ...docTable(table, screen),
    ...(about === "" ? [] : wrapped(about, screen.width)).map((line) => screen.color("dim", line)),
  ]);
}

/** Newly failing rows by what is answered. */
export function failureLines(summary: ReportSummary, screen: TableScreen): string[] {
  const table = failureTable(summary, null);
  return table.rows.length === 0 ? [] : [screen.color("bold", table.name), ...docTable(table, screen)];
}

/** The metrics with their intervals: of each candidate against its baseline, or of each target where nothing is compared. */
export function metricLines(summary: ReportSummary, screen: TableScreen): string[] {
  if (summary.metrics.length === 0) return [];
  return summary.pairs.length === 0 ? docTable(scoreTable(summary), screen) : gateLines(summary, screen);
}

/** Gates, and below them metrics without one: their ranges and their p values answer other questions. */
function gateLines(summary: ReportSummary, screen: TableScreen): string[] {
  const kinds = [
    summary.gates.filter(({ state }) => state !== null),
    summary.gates.filter(({ state }) => state === null),
  ].filter((gates) => gates.length > 0);
  const reported = kinds.flatMap((gates) => gates.slice(0, screen.most));
  return [
    ...kinds.flatMap((gates, place) => [
      ...(place === 0 ? [] : [""]),
      ...docTable(gateTable(gates, summary, { name: "Metrics", several: summary.pairs.length > 1 }), screen),
    ]),
    ...uncountedLines(summary).map((text) => screen.color("yellow", text)),
    ...speedNotes(reported, summary).map((note) => screen.color("dim", visible(note))),
  ];
}

/** `judge: 240 questions, 80 of them asked now, 2 without a reply, cost 1.6` */
export function judgeLines({ judges }: ReportSummary): string[] {
  return judges.map(({ name, questions, asked, failed, cost, checks }) => {
    const parts = [
      counted(questions, "question"),
      ...(asked === questions ? [] : [`${number(asked)} of them asked now`]),
      ...(failed === 0 ? [] : [`${number(failed)} without a reply`]),
      ...(cost === null ? [] : [`cost ${price(cost)}`]),
    ];
    const checked = checks.map((check) => `; ${visible(checkedWords(check))}`).join("");
    return `Judge ${visible(name)}: ${parts.join(", ")}${checked}`;
  });
}
