import { extname } from "node:path";
import type { TableExport } from "../../app/report/export-table.ts";
import { AppError } from "../../errors.ts";
import { replacementOf } from "../../lib/replaced.ts";
import { showText } from "../../lib/show.ts";
import {
  type TableFormat,
  tableFormatNamed,
  tableFormatNames,
  tableFormatOf,
  tableFormats,
} from "../../report/formats/table-formats.ts";
import { readColumnList } from "../../report/tables/selection.ts";
import { csvOptions, environmentLocale, spreadsheetLocale } from "../../report/tables/spreadsheet.ts";

interface ExportFlags {
  /** A path; `-` is standard output. */
  output: string;
  format?: TableFormat | undefined;
  columns?: string | undefined;
  where: readonly string[];
  excel: boolean;
  locale?: string | undefined;
  delimiter?: string | undefined;
  raw: boolean;
}

/** The table that the flags of `export` ask for. Throws USAGE. */
export function tableExport(
  flags: ExportFlags,
  { env, isTerminal }: { env: NodeJS.ProcessEnv; isTerminal: boolean },
): TableExport {
  const { output: path, columns, where } = flags;
  const format = tableFormatFor(flags);
  const { isBinary = false } = tableFormatNamed(format);
  if (isBinary && path === "-" && isTerminal) {
    throw new AppError("USAGE", `A terminal cannot show ${format}: it is no text.`, {
      hint: `Name a file: -o FILE${tableFormats[format].extensions[0]}`,
    });
  }
  return {
    path,
    format,
    columns: columns === undefined ? null : readColumnList(columns),
    where,
    sheetOf: sheetOptions(flags, { format, env }),
  };
}

/** By the name of the file, or where that says nothing by `--format`; CSV on standard output. */
function tableFormatFor({ output, format }: Pick<ExportFlags, "output" | "format">): TableFormat {
  const named = output === "-" ? null : tableFormatOf(extname(output).toLowerCase());
  if (format !== undefined && named !== null && named !== format) {
    throw new AppError("USAGE", `The name ${showText(output)} is one of ${named}, and --format is ${format}.`, {
      hint: "Leave --format out, or give the file another name.",
    });
  }
  const chosen = format ?? named ?? (output === "-" ? "csv" : null);
  if (chosen !== null) return chosen;
  const ends = tableFormatNames.flatMap((name) => tableFormats[name].extensions).join(", ");
  throw new AppError("USAGE", `The name ${showText(output)} does not say what to write.`, {
    hint:
      replacementOf("ending", extname(output).toLowerCase()) ??
      `End it in ${ends.replace(/, (?=[^,]*$)/, " or ")}, or add --format with one of: ${tableFormatNames.join(", ")}.`,
  });
}

function sheetOptions(
  flags: ExportFlags,
  { format, env }: { format: TableFormat; env: NodeJS.ProcessEnv },
): TableExport["sheetOf"] {
  const { excel, raw, locale } = flags;
  refuseForTyped(flags, format);
  const named = flags.delimiter === undefined ? null : delimiterOf(flags.delimiter);
  if (!excel && !raw && named === null) return csvOptions;
  const reader = excel ? spreadsheetLocale(locale ?? environmentLocale(env)) : null;
  return (csv = {}) => {
    const isOfSuite = locale === undefined && (csv.separator ?? csv.decimal) !== undefined;
    const { delimiter: usual = ",", decimal = "." } = (excel && isOfSuite ? csvOptions(csv) : reader) ?? {};
    const delimiter = named ?? usual;
    // Programs that read it back know one way to write a number.
    return { excel, decimal: raw || delimiter === "," ? "." : decimal, raw, delimiter };
  };
}

/** Refuses flags for spreadsheets where a form keeps every value as it is: they would do nothing. */
function refuseForTyped(flags: ExportFlags, format: TableFormat): void {
  if (!tableFormats[format].isTyped) return;
  const given = (["excel", "raw"] as const).find((name) => flags[name]);
  const valued = (["locale", "delimiter"] as const).find((name) => flags[name] !== undefined);
  const flag = given ?? valued;
  if (flag === undefined) return;
  throw new AppError("USAGE", `--${flag} is for CSV, and ${format} is to be written.`, {
    hint: `Leave it out: in ${format} every value stands as it is.`,
  });
}

function delimiterOf(text: string): string {
  if (text === "tab" || text === String.raw`\t`) return "\t";
  if (/^[^"\r\n\p{L}\p{N}]$/u.test(text)) return text;
  throw new AppError("USAGE", `--delimiter must be one character, or tab, got ${showText(text)}.`, {
    hint: "For example: --delimiter ';'",
  });
}
