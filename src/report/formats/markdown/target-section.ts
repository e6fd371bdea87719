import { scoreFigure, scoreRange } from "../../words/figures.ts";
import { counted, duration, number, price, timeHeads } from "../../words/quantity.ts";
import { reasonsOf } from "../../words/reason-words.ts";
import { markdownCode, markdownText } from "../../text/markdown-text.ts";
import type { ReportSummary, ReportTarget } from "../../shape/model.ts";
import { listOf, markdownTable, moreLine, mostListed } from "./lists.ts";

/** The targets with their runs and scores, and what went wrong. */
export function targetSection({ targets, metrics }: ReportSummary): string {
  const shown = metrics.slice(0, 4);
  const withTokens = targets.some(({ tokens }) => tokens !== null);
  const withCost = targets.some(({ cost }) => cost !== null);
  const rows = targets.slice(0, mostListed).map((target) => [
    markdownCode(target.name),
    number(target.jobs),
    outcomesOf(target),
    target.latency === null ? "–" : duration(target.latency.p50),
    target.latency === null ? "–" : duration(target.latency.p99),
    ...(withTokens ? [target.tokens === null ? "–" : number(target.tokens.input + target.tokens.output)] : []),
    ...(withCost ? [target.cost === null ? "–" : price(target.cost)] : []),
    ...shown.map((metric) => {
      const found = target.scores[metrics.indexOf(metric)] ?? null;
      const within = found === null || found.interval === null ? "" : ` (${scoreRange(found.interval, metric)})`;
      return markdownText(`${scoreFigure(found?.value ?? null, metric)}${within}`);
    }),
  ]);
  const cost = [...(withTokens ? ["tokens"] : []), ...(withCost ? ["cost"] : [])];
  const titles = [
    "target",
    "jobs",
    "outcomes",
    timeHeads.median,
    timeHeads.almostAll,
    ...cost,
    ...shown.map(({ name }) => markdownCode(name)),
  ];
  const stopped = targets.flatMap(({ name, stopped: reason }) =>
    reason === null ? [] : [`${markdownCode(name)} was stopped: ${markdownText(reason)}`],
  );
  return [
    "### Targets",
    markdownTable(titles, rows),
    ...moreLine(targets.length - mostListed, "target"),
    ...(stopped.length === 0 ? [] : [listOf(stopped)]),
    ...reasonList(targets),
  ].join("\n\n");
}

/** Reasons for runs without an answer and answers without a grade: those that differ only in numbers and ids are one line. */
function reasonList(targets: readonly ReportTarget[]): string[] {
  const all = reasonsOf(targets);
  if (all.length === 0) return [];
  const lines = all.slice(0, mostListed).map(({ target, text, jobs, example }) => {
    return `${counted(jobs, "job")} of ${markdownCode(target)}, ${markdownText(text)} (such as ${markdownCode(example)})`;
  });
  return [[listOf(lines), ...moreLine(all.length - mostListed, "message")].join("\n\n")];
}

function outcomesOf({ outcomes }: ReportTarget): string {
  const found = Object.entries(outcomes).slice(0, 6);
  return found.length === 0 ? "–" : found.map(([name, jobs]) => `${number(jobs)} ${markdownText(name)}`).join(", ");
}
