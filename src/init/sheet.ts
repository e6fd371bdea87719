import { ExpectedCounts, type ExpectedProfile } from "../dataset/lint/expected-profile.ts";
import type { FileFacts } from "../dataset/file-facts.ts";
import { readDataset } from "../dataset/read.ts";
import type { Sheets } from "../dataset/sheets.ts";
import { scriptColumns } from "../lib/script-columns.ts";
import type { CaseMapping, DatasetFormat } from "../suite/suite.ts";

/** The facts about a column that are looked at. */
export interface Column {
  name: string;
  filled: number;
  /** Different values, up to `mostDistinct`, with the rows of each. */
  values: Map<string, number>;
  /** Characters of all cells. */
  characters: number;
  longest: number;
  /** Every filled cell is a whole number from 1. */
  counts: boolean;
}

/** A dataset as `init` sees it. */
export interface Sheet {
  rows: number;
  columns: Column[];
  /** Its encoding, and what separates its cells. */
  facts: FileFacts | null;
  /** The first rows, header to cell. */
  sample: Record<string, string>[];
}

const mostDistinct = 100_000;
const sampleRows = 2_000;
/** Characters of the sample. */
const sampleSize = 4_000_000;

/** The row itself is what is wanted: nothing is mapped, so that any sheet can be read. */
export const anyMapping = {
  key: null,
  input: { input_prompt: "{{ 'any' }}" },
  expected: null,
  cluster: null,
  turn: null,
  opening: null,
  tags: [],
};

/** The format of a dataset, and which of its columns are conversations. */
export interface SheetReading {
  sheets: Sheets;
  format?: DatasetFormat | undefined;
  talks?: Partial<CaseMapping> | undefined;
  /** Takes decisions about the file that a person may want to know. */
  onNotice?: ((message: string) => void) | undefined;
}

/** Reads a whole dataset, by the rules of a run that would send it nowhere. Throws what is wrong with the file. */
export async function lookAt(path: string, { sheets, format, talks, onNotice }: SheetReading): Promise<Sheet> {
  const columns = new Map<string, Column>();
  const sample: Sheet["sample"] = [];
  let rows = 0;
  let facts: FileFacts | null = null;
  const onFile = (learned: FileFacts): void => void (facts = learned);
  let sampled = 0;
  const reading = {
    mapping: { ...anyMapping, ...talks },
    endpoints: [],
    sheets,
    format,
    ...(onNotice !== undefined && { onNotice }),
  };
  for await (const page of readDataset({ ...reading, files: [path], onFile })) {
    for (const { columns: cells } of page) {
      rows += 1;
      if (sample.length < sampleRows && sampled < sampleSize) {
        sample.push(cells);
        sampled += Object.values(cells).reduce((sum, cell) => sum + cell.length, 0);
      }
      for (const [name, cell] of Object.entries(cells)) count(columns, name, cell.trim());
    }
  }
  return { rows, columns: [...columns.values()], facts, sample };
}

/** True where a conversation has more than one turn, by the columns that its rows are named by. */
export function hasTurns({ columns }: Pick<Sheet, "columns">, { talks, cluster, turn }: ConversationColumns): boolean {
  const column = (name: string): Column | undefined => columns.find((each) => each.name === name);
  if (talks !== null) return (column(scriptColumns.turn)?.values.size ?? 0) > 1;
  const named = cluster === null || turn === null ? undefined : column(cluster);
  return named !== undefined && named.values.size < named.filled;
}

/** The columns of conversations. */
interface ConversationColumns {
  talks: Pick<CaseMapping, "turns" | "messages"> | null;
  cluster: string | null;
  turn: string | null;
}

/** Looks at the expected answers of a dataset, once it is known which column has them. */
export async function lookAtExpected(
  path: string,
  column: string,
  { sheets, format, talks }: SheetReading,
): Promise<ExpectedProfile> {
  const counts = new ExpectedCounts();
  const reading = { mapping: { ...anyMapping, ...talks }, endpoints: [], sheets, format };
  for await (const page of readDataset({ ...reading, files: [path] })) {
    for (const { columns } of page) counts.add(columns[column] ?? null);
  }
  return counts.profile;
}

/** True for the sheet of promptfoo whose rows bring checks of their own. */
export const bringsChecks = ({ columns }: Pick<Sheet, "columns">): boolean =>
  columns.some(({ name }) => /^__expected\d*$/.test(name.trim()));

function count(columns: Map<string, Column>, name: string, cell: string): void {
  const known = columns.get(name);
  const column = known ?? { name, filled: 0, values: new Map(), characters: 0, longest: 0, counts: true };
  if (known === undefined) columns.set(name, column);
  if (cell === "") return;
  column.filled += 1;
  const rows = column.values.get(cell);
  if (rows !== undefined || column.values.size < mostDistinct) column.values.set(cell, (rows ?? 0) + 1);
  column.characters += cell.length;
  column.longest = Math.max(column.longest, cell.length);
  column.counts &&= /^[1-9]\d{0,8}$/.test(cell);
}
