import type { JsonObject } from "../../lib/json.ts";
import type { CellReader } from "./column-finder.ts";
import type { CaseChecks } from "../case.ts";
import { parseJsonText } from "../table/json-text.ts";
import type { PromptfooSheet } from "../import/promptfoo.ts";
import type { CheckReader } from "../import/check-reader.ts";

type OnCell = (message: string, hint: string | null, at: number | null) => void;

interface CheckedRow {
  cells: readonly string[];
  columns: Record<string, string>;
  row: number;
}

/** Reads the checks of a row; null when it has none. Faults of a cell are told. */
export type RowChecks = (row: CheckedRow, onCell: OnCell) => CaseChecks | null;

const hint = 'It must be JSON such as {"type": "contains", "value": "Paris"}, or a list of these.';

/** Makes the reader of the checks in a sheet's rows; null when it has none. */
export function rowChecks(
  reader: CheckReader | undefined,
  sheet: PromptfooSheet | null,
  scorers: { read: CellReader; at: number | null } | null,
): RowChecks | null {
  if (reader === undefined || (sheet === null && scorers === null)) return null;
  return (row, onCell) => {
    const promptfoo = sheet?.checks(row, reader, onCell) ?? { scorers: [], threshold: null };
    const own = scorers === null ? [] : cellScorers(scorers.read(row.cells, row.columns), reader, scorers.at, onCell);
    const all = [...promptfoo.scorers, ...own];
    return all.length === 0 ? null : { scorers: all, threshold: promptfoo.threshold };
  };
}

/** The scorers in a cell: one, or a list. */
function cellScorers(text: string, reader: CheckReader, at: number | null, onCell: OnCell): JsonObject[] {
  if (text.trim() === "") return [];
  const parsed = parseJsonText(text);
  if (!parsed.ok) {
    onCell(`the column of scorers is not JSON: ${parsed.message}`, hint, at);
    return [];
  }
  const values = Array.isArray(parsed.value) ? parsed.value : [parsed.value];
  return values.flatMap((value, i) => {
    const read = reader.scorer(value);
    if (read.ok) return [read.scorer];
    onCell(`${values.length > 1 ? `scorer ${i + 1}: ` : ""}${read.fault}`, null, at);
    return [];
  });
}
