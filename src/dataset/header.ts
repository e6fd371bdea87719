import type { DatasetFormat } from "../suite/suite.ts";
import { FindingList } from "./finding.ts";
import { peek } from "./decode/head.ts";
import { openRows } from "./table/rows.ts";

/** The names of a file's columns, read ahead. */
interface ReadAhead {
  /** null: it cannot be told; whoever reads the file says why. */
  header: readonly string[] | null;
  /** The cells of the first rows; empty when there is none. */
  rows: readonly (readonly string[])[];
  /** Standard input as it was, where it was read. */
  standardInput: AsyncIterable<Uint8Array>;
}

/** Number of bytes of standard input that are looked at. */
const lookedAt = 262_144;

/** Rows below the header that are enough to see what kind of sheet it is. */
export const firstRows = 50;

/** Reads the header and the first rows of a file without taking anything away from standard input. Never throws. */
export async function readHeader(
  path: string,
  { format, standardInput }: { format: DatasetFormat | undefined; standardInput: AsyncIterable<Uint8Array> },
): Promise<ReadAhead> {
  if (path !== "-") return { ...(await headerOf(path, { format })), standardInput };
  const { head, all } = await peek(standardInput, lookedAt);
  return { ...(await headerOf(path, { format, standardInput: once(head) })), standardInput: all };
}

async function headerOf(
  path: string,
  given: { format: DatasetFormat | undefined; standardInput?: AsyncIterable<Uint8Array> },
): Promise<Pick<ReadAhead, "header" | "rows">> {
  const quiet = { onNotice: () => undefined, onEmpty: () => undefined, keepText: false, mapping: {} };
  const first: string[][] = [];
  let known: readonly string[] | null = null;
  try {
    for await (const { header, rows } of openRows(path, path, { ...given, ...quiet, faults: new FindingList() }).rows) {
      known ??= header;
      first.push(...rows.slice(0, firstRows - first.length).map(({ cells }) => cells));
      if (first.length >= firstRows) break;
    }
  } catch {
    // Faults of the file are told when it is read.
  }
  return { header: known, rows: first };
}

async function* once(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes;
}
