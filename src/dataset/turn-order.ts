import type { Endpoint } from "../api.ts";
import { caseShape } from "./case-shape.ts";
import { findColumn } from "./column.ts";
import { FindingList } from "./finding.ts";
import { KeyTable } from "./key-table.ts";
import type { ReadOptions } from "./read.ts";
import { RowNumbers } from "./row-numbers.ts";
import { openRows, shownPath } from "./rows.ts";
import { type Times, TimeColumn } from "./time.ts";

/** The turns of rows by the times in a column. */
export interface TurnOrder {
  /** By the row's number over all files. */
  turnOf: (number: number) => number;
}

/**
 * Reads a dataset once to put the rows of each cluster in the order of their times; null where the mapping does not ask
 * for it. What else is wrong with the rows is told by the reading that follows. Takes about 50 bytes for each row.
 */
export async function turnsByTime(options: ReadOptions): Promise<TurnOrder | null> {
  const { orderBy } = options.mapping;
  if (orderBy === undefined) return null;
  const numbers: number[] = [];
  const clusters: number[] = [];
  const ids = new KeyTable();
  /** Cluster to the place of its latest row. */
  const latest: number[] = [];
  const times = new TimeColumn();
  const rowNumbers = new RowNumbers();
  for (const path of options.files) {
    const file = shownPath(path, options.folder ?? null);
    rowNumbers.startFile(file);
    for await (const { row, cluster, time } of rowsOf(path, file, orderBy, options)) {
      const number = rowNumbers.note(row);
      if (cluster === "") continue;
      const id = ids.addOnce(cluster, latest.length) ?? latest.length;
      numbers.push(number);
      clusters.push(id);
      times.add(time, latest[id] ?? null);
      latest[id] = numbers.length - 1;
    }
  }
  const { values, ambiguous } = times.times();
  if (times.others > 0) {
    const rows = `${times.others.toLocaleString("en")} ${times.others === 1 ? "row has" : "rows have"}`;
    options.onNotice?.(`${orderBy}: ${rows} no time; each stays behind the row of its conversation before it.`);
  }
  if (ambiguous) {
    options.onNotice?.(`${orderBy}: its dates are read as month/day/year; write them as 2026-11-20 to be sure.`);
  }
  return { turnOf: turnTable(numbers, clusters, values) };
}

/** What is needed of each row; a file that cannot be read is left to the reading that follows. */
async function* rowsOf(
  path: string,
  file: string,
  orderBy: string,
  options: ReadOptions,
): AsyncGenerator<{ row: number; cluster: string; time: string }, void, undefined> {
  const faults = new FindingList();
  const quiet = { ...options, faults, onNotice: () => undefined, onEmpty: () => undefined, keepText: false };
  const endpoints: Endpoint[] = [...options.endpoints];
  let raw: readonly string[] | null = null;
  let read: ((cells: readonly string[]) => { cluster: string; time: string }) | null = null;
  try {
    for await (const { header, rows } of openRows(path, file, quiet).rows) {
      if (header !== raw) {
        raw = header;
        const { shape } = await caseShape({ header, mapping: options.mapping, endpoints, file });
        const { at } = findColumn(header, orderBy, { file, usedFor: "case.order_by" });
        read = (cells) => {
          const columns = Object.fromEntries(header.map((name, i) => [name, cells[i] ?? ""]));
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
function turnTable(numbers: readonly number[], clusters: readonly number[], times: Times): (number: number) => number {
  const order = Uint32Array.from(numbers.keys());
  order.sort((a, b) => (clusters[a] ?? 0) - (clusters[b] ?? 0) || (times[a] ?? 0) - (times[b] ?? 0) || a - b);
  const turns = new Uint32Array((numbers.at(-1) ?? 0) + 1);
  let turn = 0;
  let cluster = -1;
  for (const i of order) {
    const own = clusters[i] ?? 0;
    turn = own === cluster ? turn + 1 : 1;
    cluster = own;
    turns[numbers[i] ?? 0] = turn;
  }
  return (number) => turns[number] ?? 1;
}
