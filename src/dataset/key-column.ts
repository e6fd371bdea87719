import type { DatasetFormat } from "../suite/suite.ts";
import { isNameOf, keyNames } from "./table/column-names.ts";
import { isLettered } from "./table/lettered-column.ts";
import type { Sheets } from "./sheets.ts";

/** Rows in which a key is looked for: one that repeats later is none either, and a sheet of more rows has an `id`. */
const mostRows = 100_000;

/**
 * The column that identifies the rows of a dataset by its name (`Nr`, `case_id`, `序号`), where every row has another value in it;
 * null: there is none. `init` takes a key by the same names. Standard input is not read ahead. Never throws.
 */
export async function keyColumn(
  files: readonly string[],
  {
    sheets,
    format,
    isFree,
  }: { sheets: Sheets; format: DatasetFormat | undefined; isFree: (column: string) => boolean },
): Promise<string | null> {
  if (files.includes("-")) return null;
  let rowsSeen = 0;
  let open: Candidate[] | null = null;
  try {
    for (const path of files) {
      for await (const { header, rows } of sheets.table(path).quietRows(format)) {
        const candidates: readonly Candidate[] = open ?? candidatesIn(header.filter(isFree));
        rowsSeen += rows.length;
        open = candidates.filter(({ name, seen }) => {
          const at = header.indexOf(name);
          return at >= 0 && rows.every(({ cells }) => isNew(cells[at] ?? "", seen));
        });
        if (open.length === 0 || rowsSeen > mostRows) return null;
      }
    }
  } catch {
    // Faults of the file are told when it is read.
    return null;
  }
  return rowsSeen > 0 ? (open?.[0]?.name ?? null) : null;
}

/** A column that may identify the rows, with its values so far. */
interface Candidate {
  name: string;
  seen: Set<string>;
}

function isNew(cell: string, seen: Set<string>): boolean {
  const key = cell.trim();
  if (key === "" || seen.has(key)) return false;
  seen.add(key);
  return true;
}

/** The columns with such a name, the likelier first. */
const candidatesIn = (header: readonly string[]): Candidate[] => {
  const named = keyNames.flatMap((name) => header.filter((column) => !isLettered(column) && isNameOf(column, name)));
  return Array.from(new Set(named), (name) => ({ name, seen: new Set() }));
};
