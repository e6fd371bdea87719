import { AppError } from "../../errors.ts";
import { showText } from "../../lib/show.ts";
import type { TableOptions } from "../../report/tables/csv.ts";
import { environmentLocale, spreadsheetLocale } from "../../report/tables/spreadsheet-locale.ts";
import { readColumnList } from "../../report/tables/table-view.ts";

interface ExportFlags {
  columns?: string | undefined;
  where: readonly string[];
  excel: boolean;
  locale?: string | undefined;
  "separator-line": boolean;
  delimiter?: string | undefined;
  raw: boolean;
}

/** The format of a table, from the flags. Throws USAGE. */
export function tableOptions(flags: ExportFlags, env: NodeJS.ProcessEnv): TableOptions {
  const { excel, raw, locale, columns, where } = flags;
  if (!excel) {
    const needing = locale !== undefined ? "--locale" : flags["separator-line"] ? "--separator-line" : null;
    if (needing !== null) throw new AppError("USAGE", `${needing} needs --excel.`, { hint: "Add --excel." });
  }
  const reader = excel ? spreadsheetLocale(locale ?? environmentLocale(env)) : null;
  const delimiter = flags.delimiter === undefined ? (reader?.delimiter ?? ",") : delimiterOf(flags.delimiter);
  return {
    excel,
    // Programs that read it back know one way to write a number.
    decimal: raw || delimiter === "," ? "." : (reader?.decimal ?? "."),
    raw,
    delimiter,
    separatorLine: flags["separator-line"],
    view: { columns: columns === undefined ? null : readColumnList(columns), where },
  };
}

function delimiterOf(text: string): string {
  if (text === "tab" || text === String.raw`\t`) return "\t";
  if (/^[^"\r\n\p{L}\p{N}]$/u.test(text)) return text;
  throw new AppError("USAGE", `--delimiter must be one character, or tab, got ${showText(text)}.`, {
    hint: "For example: --delimiter ';'",
  });
}
