import type { Night, NightDifference, NightTarget, SuiteHistory } from "../shape/history.ts";
import type { Cell } from "./spreadsheet.ts";
import type { ColumnType } from "../../lib/column-type.ts";
import { distinctColumns, type Table, type TypedColumn } from "./table.ts";

const nightColumns = {
  night: "text",
  batch: "text",
  started_at: "time",
  state: "text",
  verdict: "text",
  why: "text",
  against: "text",
  changed: "text",
  alarms: "text",
} as const satisfies Record<string, ColumnType>;

/** Columns of each target, behind its name. */
const targetColumns = {
  metric: "text",
  value: "number",
  lower: "number",
  upper: "number",
  cases: "integer",
  failed: "integer",
  runs: "integer",
  latency_ms: "number",
  cost: "number",
} as const satisfies Record<string, ColumnType>;

const differenceColumns = {
  difference: "number",
  difference_lower: "number",
  difference_upper: "number",
} as const satisfies Record<string, ColumnType>;

/** A history as a table: a line for each night. `alarms`: those that were noticed in that night. */
export function tableOfHistory({ nights }: Pick<SuiteHistory, "nights">): Table {
  const targets = distinct(nights.flatMap((night) => night.targets.map(({ target }) => target)));
  const candidates = distinct(nights.flatMap((night) => night.differences.map(({ candidate }) => candidate)));
  const columns = [
    ...named(nightColumns, ""),
    ...targets.flatMap((name) => named(targetColumns, `${name}.`)),
    ...candidates.flatMap((name) => named(differenceColumns, `${name}.`)),
  ];
  const rows = nights.map((night) => [
    ...nightCells(night),
    ...targets.flatMap((name) => targetCells(night.targets.find(({ target }) => target === name))),
    ...candidates.flatMap((name) => differenceCells(night.differences.find(({ candidate }) => candidate === name))),
  ]);
  return { columns: distinctColumns(columns), rows };
}

function named(columns: Readonly<Record<string, ColumnType>>, prefix: string): TypedColumn[] {
  return Object.entries(columns).map(([name, type]) => ({ name: `${prefix}${name}`, type }));
}

function nightCells({ label, batch, at, state, verdict, why, against, changes, noticed }: Night): Cell[] {
  const startedAt = new Date(at).toISOString();
  return [label, batch, startedAt, state, verdict, why, against, changes.join("; "), noticed.join(" ")];
}

function targetCells(target: NightTarget | undefined): Cell[] {
  if (target === undefined) return Object.keys(targetColumns).map(() => null);
  const { metric, value, interval, cases, failed, runs, latencyMs, cost } = target;
  return [metric, value, interval?.lower ?? null, interval?.upper ?? null, cases, failed, runs, latencyMs, cost];
}

function differenceCells(found: NightDifference | undefined): Cell[] {
  return [found?.difference ?? null, found?.interval?.lower ?? null, found?.interval?.upper ?? null];
}

function distinct(names: readonly string[]): string[] {
  return Array.from(new Set(names));
}
