import { nightLabel } from "../say/night-names.ts";
import type { Night, NightDifference, NightTarget, SuiteHistory } from "../shape/history.ts";
import { providerChangeWords } from "../say/provider.ts";
import type { Cell } from "./spreadsheet.ts";
import { distinctColumns, type Table, type TypedColumn } from "./table.ts";

/** A column, and what it shows of a line. */
interface Column<Line> extends TypedColumn {
  of: (line: Line) => Cell;
}

const nightColumns: readonly Column<Night>[] = [
  { name: "night", type: "text", of: nightLabel },
  { name: "batch", type: "text", of: ({ batch }) => batch },
  { name: "started_at", type: "time", of: ({ at }) => new Date(at).toISOString() },
  { name: "state", type: "text", of: ({ state }) => state },
  { name: "verdict", type: "text", of: ({ verdict }) => verdict },
  { name: "why", type: "text", of: ({ why }) => why },
  { name: "against", type: "text", of: ({ against }) => against },
  { name: "changed", type: "text", of: ({ changes }) => changes.join("; ") },
  { name: "provider", type: "text", of: ({ provider }) => providerChangeWords(provider.changes) },
  { name: "alarms", type: "text", of: ({ noticed }) => noticed.join(" ") },
];

/** Columns of each target, behind its name. */
const targetColumns: readonly Column<NightTarget>[] = [
  { name: "metric", type: "text", of: ({ metric }) => metric },
  { name: "value", type: "number", of: ({ value }) => value },
  { name: "lower", type: "number", of: ({ interval }) => interval?.lower ?? null },
  { name: "upper", type: "number", of: ({ interval }) => interval?.upper ?? null },
  { name: "cases", type: "integer", of: ({ cases }) => cases },
  { name: "failed", type: "integer", of: ({ failed }) => failed },
  { name: "runs", type: "integer", of: ({ runs }) => runs },
  { name: "latency_ms", type: "number", of: ({ latencyMs }) => latencyMs },
  { name: "cost", type: "number", of: ({ cost }) => cost },
];

const differenceColumns: readonly Column<NightDifference>[] = [
  { name: "difference", type: "number", of: ({ difference }) => difference },
  { name: "difference_lower", type: "number", of: ({ interval }) => interval?.lower ?? null },
  { name: "difference_upper", type: "number", of: ({ interval }) => interval?.upper ?? null },
];

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
    ...cellsOf(nightColumns, night),
    ...targets.flatMap((name) =>
      cellsOf(
        targetColumns,
        night.targets.find(({ target }) => target === name),
      ),
    ),
    ...candidates.flatMap((name) =>
      cellsOf(
        differenceColumns,
        night.differences.find(({ candidate }) => candidate === name),
      ),
    ),
  ]);
  return { name: "Nights", columns: distinctColumns(columns), rows };
}

function named(columns: readonly TypedColumn[], prefix: string): TypedColumn[] {
  return columns.map(({ name, type }) => ({ name: `${prefix}${name}`, type }));
}

/** A line that is not there has empty cells. */
function cellsOf<Line>(columns: readonly Column<Line>[], line: Line | undefined): Cell[] {
  return columns.map(({ of }) => (line === undefined ? null : of(line)));
}

function distinct(names: readonly string[]): string[] {
  return Array.from(new Set(names));
}
