import type { EndpointName } from "../../api/endpoint-name.ts";
import { caseShape } from "./case-shape.ts";
import { findColumn } from "../table/column.ts";
import { FindingList } from "../finding.ts";
import { isTemplate } from "../../lib/liquid-name.ts";
import type { ReadDatasetOptions } from "../read-options.ts";
import { RowNumbers } from "../table/row-numbers.ts";
import type { SheetTable } from "../sheets.ts";
import { TimeColumn } from "../table/time.ts";

/** The turns of rows by the times in a column. */
export interface TurnOrder {
  /** The turn of a row, by its number over all files. */
  turnOf: (number: number) => number;
}

/**
 * Reads a dataset once to put the rows of each cluster in the order of their times; null when the mapping does not ask
 * for it. Other faults of the rows are told by the reading that follows. Takes about 50 bytes for each row.
 */
export async function turnsByTime(options: ReadDatasetOptions): Promise<TurnOrder | null> {
  const { orderBy } = options.mapping;
  // Messages are put in order where they become turns.
  if (orderBy === undefined || options.mapping.messages !== undefined) return null;
  const rows: { number: number; cluster: number }[] = [];
  const ids = new Map<string, number>();
  /** Cluster to the place of its latest row. */
  const latest: number[] = [];
  const times = new TimeColumn();
  const rowNumbers = new RowNumbers();
  for (const path of options.files) {
    const table = options.sheets.table(path);
    rowNumbers.startFile(table.file);
    for await (const { row, cluster, time } of rowsOf(table, orderBy, options)) {
      const number = rowNumbers.note(row);
      if (cluster === "") continue;
      const id = ids.get(cluster) ?? ids.size;
      ids.set(cluster, id);
      times.add(time, latest[id] ?? null);
      latest[id] = rows.push({ number, cluster: id }) - 1;
    }
  }
  const { timeOf, ambiguous } = times.times();
  if (times.others > 0) {
    const untimed = `${times.others.toLocaleString("en")} ${times.others === 1 ? "row has" : "rows have"}`;
    options.onNotice?.(`${orderBy}: ${untimed} no time; each stays behind the row of its conversation before it.`);
  }
  if (ambiguous) {
    options.onNotice?.(`${orderBy}: its dates are read as month/day/year; write them as 2026-11-20 to be sure.`);
  }
  return { turnOf: turnTable(rows, timeOf) };
}

/** The columns of each row that are needed here; a file that cannot be read is left to the reading that follows. */
async function* rowsOf(
  table: SheetTable,
  orderBy: string,
  options: ReadDatasetOptions,
): AsyncGenerator<{ row: number; cluster: string; time: string }, void, undefined> {
  const faults = new FindingList();
  const { file } = table;
  const quiet = { ...options, faults, onNotice: () => undefined, onEmpty: () => undefined };
  const endpoints: EndpointName[] = [...options.endpoints];
  let raw: readonly string[] | null = null;
  let read: ((cells: readonly string[]) => { cluster: string; time: string }) | null = null;
  try {
    for await (const { header, rows } of table.rows(quiet).rows) {
      if (header !== raw) {
        raw = header;
        const { shape } = await caseShape({
          header,
          mapping: options.mapping,
          endpoints,
          constants: options.constants,
          asksItself: options.asksItself,
          file,
        });
        const { at } = findColumn(header, orderBy, { file, usedFor: "case.order_by" });
        // Only a template looks at a row by its names.
        const names = isTemplate(options.mapping.cluster ?? "") ? header : [];
        read = (cells) => {
          const columns = Object.fromEntries(names.map((name, i) => [name, cells[i] ?? ""]));
          return { cluster: shape.cluster?.(cells, columns) ?? "", time: cells[at] ?? "" };
        };
      }
      if (read !== null) for (const { row, cells } of rows) yield { row, ...read(cells) };
    }
  } catch {
    // The reading that follows meets it again, and tells it.
  }
}

/** Row number to its place among the rows of its cluster; rows of the same time stay as they stand. */
function turnTable(rows: readonly { number: number; cluster: number }[], timeOf: (place: number) => number) {
  const turns = new Map<number, number>();
  for (const places of Map.groupBy(rows.keys(), (place) => rows[place]?.cluster).values())
    for (const [i, place] of places.toSorted((a, b) => timeOf(a) - timeOf(b)).entries())
      turns.set(rows[place]?.number ?? 0, i + 1);
  return (number: number): number => turns.get(number) ?? 1;
}
