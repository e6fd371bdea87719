import type { EndpointName } from "../../api/endpoint-name.ts";
import { caseShape } from "./case-shape.ts";
import { findColumn } from "../table/column.ts";
import { FindingList } from "../finding.ts";
import { KeyTable } from "../table/key-table.ts";
import { NumberColumn } from "../table/number-column.ts";
import { isTemplate } from "../../lib/liquid-name.ts";
import type { ReadDatasetOptions } from "../read-options.ts";
import { RowNumbers } from "../table/row-numbers.ts";
import { openRows, shownPath } from "../table/rows.ts";
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
  const numbers = new NumberColumn();
  const clusters = new NumberColumn();
  const ids = new KeyTable();
  /** Cluster to the place of its latest row. */
  const latest = new NumberColumn();
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
      const place = numbers.length - 1;
      times.add(time, id < latest.length ? latest.at(id) : null);
      if (id < latest.length) latest.set(id, place);
      else latest.push(place);
    }
  }
  const { timeOf, ambiguous } = times.times();
  if (times.others > 0) {
    const rows = `${times.others.toLocaleString("en")} ${times.others === 1 ? "row has" : "rows have"}`;
    options.onNotice?.(`${orderBy}: ${rows} no time; each stays behind the row of its conversation before it.`);
  }
  if (ambiguous) {
    options.onNotice?.(`${orderBy}: its dates are read as month/day/year; write them as 2026-11-20 to be sure.`);
  }
  return { turnOf: turnTable({ numbers, clusters, count: latest.length, timeOf }) };
}

/** The columns of each row that are needed here; a file that cannot be read is left to the reading that follows. */
async function* rowsOf(
  path: string,
  file: string,
  orderBy: string,
  options: ReadDatasetOptions,
): AsyncGenerator<{ row: number; cluster: string; time: string }, void, undefined> {
  const faults = new FindingList();
  const quiet = { ...options, faults, onNotice: () => undefined, onEmpty: () => undefined, keepText: false };
  const endpoints: EndpointName[] = [...options.endpoints];
  let raw: readonly string[] | null = null;
  let read: ((cells: readonly string[]) => { cluster: string; time: string }) | null = null;
  try {
    for await (const { header, rows } of openRows(path, file, quiet).rows) {
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

/** The rows of clusters: for each the row's number, its cluster (below `count`) and its time. */
interface Timed {
  numbers: NumberColumn;
  clusters: NumberColumn;
  count: number;
  timeOf: (place: number) => number;
}

/** Row number to its place among the rows of its cluster; rows of the same time stay as they stand. */
function turnTable({ numbers, clusters, count, timeOf }: Timed): (number: number) => number {
  const { starts, order } = byCluster(clusters, count);
  const turns = new Uint32Array((numbers.length === 0 ? 0 : numbers.at(numbers.length - 1)) + 1);
  for (let cluster = 0; cluster < count; cluster++) {
    const places = Array.from(order.subarray(starts[cluster], starts[cluster + 1]));
    places.sort((a, b) => timeOf(a) - timeOf(b) || a - b);
    for (const [i, place] of places.entries()) turns[numbers.at(place)] = i + 1;
  }
  return (number) => turns[number] ?? 1;
}

/** Places by their clusters, those of a cluster behind each other from `starts[cluster]` on, as they stand. */
function byCluster(clusters: NumberColumn, count: number): { starts: Uint32Array; order: Uint32Array } {
  const starts = new Uint32Array(count + 1);
  for (let place = 0; place < clusters.length; place++) {
    const next = clusters.at(place) + 1;
    starts[next] = (starts[next] ?? 0) + 1;
  }
  for (let cluster = 0; cluster < count; cluster++) {
    starts[cluster + 1] = (starts[cluster + 1] ?? 0) + (starts[cluster] ?? 0);
  }
  const free = starts.slice();
  const order = new Uint32Array(clusters.length);
  for (let place = 0; place < clusters.length; place++) {
    const cluster = clusters.at(place);
    const at = free[cluster] ?? 0;
    order[at] = place;
    free[cluster] = at + 1;
  }
  return { starts, order };
}
