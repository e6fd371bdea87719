import type { FileFacts } from "./file-facts.ts";

type SheetKind = FileFacts["format"];

/** The endings by which a file is known as a sheet, whether it is packed with gzip or not. */
const endings: Readonly<Record<string, SheetKind>> = {
  csv: "csv",
  tsv: "csv",
  jsonl: "jsonl",
  ndjson: "jsonl",
  json: "json",
  xlsx: "excel",
  xlsm: "excel",
  xls: "excel",
  xlsb: "excel",
};

/** The kind of sheet that a file is by its name; null for another ending, which is read as a table of separated values. */
export function sheetKind(path: string): SheetKind | null {
  const [, ending = "", packed] = /\.([a-z]+)(\.gz)?$/i.exec(path) ?? [];
  const kind = endings[ending.toLowerCase()] ?? null;
  return kind === "excel" && packed !== undefined ? null : kind;
}

/** The name of a file without its endings, as far as they are those of sheets. */
export const withoutSheetEndings = (name: string): string =>
  name.replace(new RegExp(`(?:\\.(?:${Object.keys(endings).join("|")}|tab|txt|gz))+$`, "i"), "");
