import type { Case } from "../../dataset/case.ts";

/** A file of a dataset as it was read. */
export interface MappedFile {
  file: string;
  cases: number;
  /** Cases with an expected answer. */
  expected: number;
  /** Cases with checks of their own. */
  checked: number;
  /** The first and the last row that is a case, as a spreadsheet shows them. */
  rows: { first: number; last: number } | null;
  /** The files that its cases send, by their type, as often as they are sent. */
  sent: { types: Record<string, number>; bytes: number; largestCase: number };
  /** Columns that are used, in their order, with what for: `case.key`, `case.input.input_prompt` ... */
  columns: { column: string; uses: readonly string[] }[];
}

/** Notes what is made of each file of a dataset while its cases pass by. */
export function watchFiles(): {
  files: MappedFile[];
  onColumns: (file: string, columns: MappedFile["columns"]) => void;
  onCase: (found: Case) => void;
} {
  const files = new Map<string, MappedFile>();
  const fileOf = (file: string): MappedFile => {
    const known = files.get(file);
    if (known !== undefined) return known;
    const made = {
      file,
      cases: 0,
      expected: 0,
      checked: 0,
      rows: null,
      sent: { types: {}, bytes: 0, largestCase: 0 },
      columns: [],
    };
    files.set(file, made);
    return made;
  };
  const onCase = (found: Case): void => count(fileOf(found.source.file), found);
  return {
    get files() {
      return [...files.values()];
    },
    onColumns: (file, columns) => void (fileOf(file).columns = columns),
    onCase,
  };
}

function count(file: MappedFile, { source: { row }, expected, checks, files = [] }: Case): void {
  for (const { type } of files) file.sent.types[type] = (file.sent.types[type] ?? 0) + 1;
  const bytes = files.reduce((sum, each) => sum + each.bytes, 0);
  file.sent.bytes += bytes;
  file.sent.largestCase = Math.max(file.sent.largestCase, bytes);
  file.cases += 1;
  if (expected !== null && expected.trim() !== "") file.expected += 1;
  if (checks !== null) file.checked += 1;
  file.rows = { first: Math.min(row, file.rows?.first ?? row), last: Math.max(row, file.rows?.last ?? row) };
}
