import { execFileSync, spawnSync } from "node:child_process";
import { basename, join } from "node:path";
import { readFileSync } from "node:fs";
import { parse } from "csv-parse/sync";
import { microsecondsOf } from "../../src/report/tables/workbook/sheet.ts";
import { type Cell, cellFromSheet } from "../../src/report/tables/spreadsheet.ts";

/** The cells of a CSV, without what protects them from being run. */
export const cellsOf = (csv: string): string[][] => parse(csv).map((row: string[]) => row.map(cellFromSheet));

/** The cells of a sheet as CSV has them. */
export function asCsv(rows: readonly (readonly Cell[])[], like: readonly (readonly string[])[]): string[][] {
  return rows.map((row, at) =>
    (like[at] ?? []).map((text, place) => {
      const cell = row[place] ?? null;
      const isTime = at > 0 && typeof cell === "number" && like[0]?.[place] === "created_at";
      const same = isTime && Math.abs((cell - 25_569) * 86_400_000 - Number(microsecondsOf(text)) / 1000) < 1;
      return same ? text : cell === null ? "" : String(cell).replace(/^created_at \(UTC\)$/, "created_at");
    }),
  );
}

/** Not a part of a build machine: `apt-get install libreoffice-calc-nogui`. */
export const hasOffice = spawnSync("soffice", ["--version"]).status === 0;

/** Where LibreOffice keeps its own things, and the locale in which it shows a workbook. */
export interface Office {
  home: string;
  locale: "en-US" | "de-DE";
}

/** The cells of a sheet as LibreOffice shows them, in the words of the CSV that they are compared with. */
export function officeReader(book: string, { home, locale }: Office) {
  // 44, 34: commas and quotes; 76: UTF-8; cells as they are stored and not as they look; every sheet a file.
  const form = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,false,false,false,false,-1";
  const profile = `-env:UserInstallation=file://${join(home, locale)}`;
  const folder = join(home, "shown");
  const env = { ...process.env, LC_ALL: `${locale.replace("-", "_")}.UTF-8`, LANG: locale };
  execFileSync("soffice", [profile, "--headless", "--convert-to", form, "--outdir", folder, book], {
    env,
    stdio: "ignore",
  });
  return (sheet: string, like: readonly (readonly string[])[]): string[][] => {
    const shown: string[][] = parse(readFileSync(join(folder, `${basename(book, ".xlsx")}-${sheet}.csv`)));
    return shown.map((row, at) =>
      row.map((text, place) => {
        const own = like[at]?.[place] ?? "";
        if (/^(TRUE|FALSE|WAHR|FALSCH)$/.test(text)) return text === "TRUE" || text === "WAHR" ? "true" : "false";
        if (at === 0) return text.replace(" (UTC)", "");
        if (like[0]?.[place] === "created_at") return isSameTime(text, own) ? own : text;
        return isNumber(own) && isSameNumber(text, Number(own), locale) ? own : text;
      }),
    );
  };
}

const isSameTime = (shown: string, own: string): boolean => {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)/.exec(shown) ?? [];
  return own.startsWith(`${day}T${time}`);
};

const isNumber = (text: string): boolean => /^-?\d+(?:\.\d+)?(?:e-\d+)?$/.test(text);

/** A number has the sign of the country, the 15 digits that a spreadsheet keeps, and the unit of its cell: percent, or days since 1899. */
function isSameNumber(shown: string, own: number, locale: Office["locale"]): boolean {
  const text = locale === "de-DE" ? shown.replace(",", ".") : shown;
  if (/^\d{4}-\d\d-\d\d /.test(text))
    return Math.abs(Date.parse(`${text.replace(" ", "T")}Z`) / 86_400_000 + 25_569 - own) < 1 / 86_400;
  const number = text.endsWith("%") ? Number(text.slice(0, -1)) / 100 : Number(text);
  return text !== "" && Math.abs(number - own) <= Math.abs(own) * 1e-14;
}
