import type { DatasetFormat } from "../suite/suite.ts";
import { FindingList } from "./finding.ts";
import { isNameOf, keyNames } from "./table/column-names.ts";
import { isLettered } from "./table/lettered-column.ts";
import { openRows } from "./table/rows.ts";

/** Rows in which a key is looked for: one that repeats later is none either, and a sheet of more rows has an `id`. */
const mostRows = 100_000;

/**
 * The column that identifies the rows of a dataset by its name (`Nr`, `case_id`, `序号`), where every row has another value in it;
 * null: there is none. `init` takes a key by the same names. Standard input is not read ahead. Never throws.
 */
export async function keyColumn(
  files: readonly string[],
  { format, isFree }: { format: DatasetFormat | undefined; isFree: (column: string) => boolean },
): Promise<string | null> {
  if (files.includes("-")) return null;
  const seen = new Set<string>();
  let found: string | null = null;
  try {
    for (const path of files) {
      const quiet = { onNotice: () => undefined, onEmpty: () => undefined, keepText: false, mapping: {} };
      for await (const { header, rows } of openRows(path, path, { ...quiet, format, faults: new FindingList() }).rows) {
        found ??= keyIn(header.filter(isFree));
        const at = found === null ? -1 : header.indexOf(found);
        if (at < 0) return null;
        for (const { cells } of rows) {
          const key = (cells[at] ?? "").trim();
          if (key === "" || seen.has(key) || seen.size >= mostRows) return null;
          seen.add(key);
        }
      }
    }
  } catch {
    // Faults of the file are told when it is read.
    return null;
  }
  return seen.size > 0 ? found : null;
}

const keyIn = (header: readonly string[]): string | null =>
  keyNames.flatMap((name) => header.find((column) => !isLettered(column) && isNameOf(column, name)) ?? [])[0] ?? null;
