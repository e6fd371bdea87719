import type { CsvSettings } from "../suite/schema/csv-schema.ts";
import type { FileFacts } from "./file-facts.ts";

/**
 * The form of tables that a person opens in the program from which the files of a dataset came; null: nothing speaks for
 * another than the usual one. Excel writes semicolons where decimals have a comma, and would take 1.5 for a day there.
 */
export function writtenLike(files: readonly FileFacts[]): CsvSettings | null {
  const [first] = files;
  const delimiter = first?.delimiter;
  if (files.some((file) => file.format !== "csv" || file.delimiter !== delimiter)) return null;
  // A program that leaves the mark out, and does not write the encoding of a country, needs none.
  const bom = files.some(({ hasMark, encoding }) => hasMark || encoding === "windows-1252");
  if (delimiter === ";")
    return { separator: ";", decimal: files.some(({ decimal }) => decimal === ".") ? "." : ",", ...(bom && { bom }) };
  return delimiter === "," && files.every(({ hasMark }) => hasMark) ? { bom: true } : null;
}

/** The decimal mark of a table, told by its beginning; null: it has no such numbers, or both. */
export function decimalIn(text: string, delimiter: string): FileFacts["decimal"] {
  const cell = (mark: string): RegExp =>
    new RegExp(
      String.raw`(?:^|["\n\r\u{${delimiter.codePointAt(0)?.toString(16)}}])-?\d+[${mark}]\d+(?=["\n\r\u{${delimiter.codePointAt(0)?.toString(16)}}]|$)`,
      "u",
    );
  const [hasPoint, hasComma] = [cell(".").test(text), delimiter !== "," && cell(",").test(text)];
  return hasPoint === hasComma ? null : hasPoint ? "." : ",";
}

/** The same in words: `semicolons between cells, decimal commas and a byte order mark`. */
export function csvWords({ separator = ",", decimal = ".", bom = false }: CsvSettings): string {
  const parts = [
    ...(separator === ";" ? ["semicolons between cells"] : []),
    ...(decimal === "," ? ["decimal commas"] : separator === ";" ? ["decimal points"] : []),
    ...(bom ? ["a byte order mark"] : []),
  ];
  return parts.join(", ").replace(/, (?=[^,]*$)/, " and ");
}
