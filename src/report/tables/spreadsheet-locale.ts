import { AppError } from "../../errors.ts";
import { showText } from "../../lib/show.ts";

/** The marks with which the spreadsheets of a country separate cells and write decimals. */
export interface SpreadsheetLocale {
  delimiter: "," | ";";
  decimal: "." | ",";
}

/**
 * Finds the marks of a locale: if decimals have a comma, it cannot separate cells, and spreadsheets expect semicolons.
 * `name` is a locale such as `de`, `de-DE` or `de_DE.UTF-8`; `C`, `POSIX` and an empty name are like English. Throws
 * USAGE.
 */
export function spreadsheetLocale(name: string): SpreadsheetLocale {
  const tag = (name.split(/[.@:]/)[0] ?? "").replaceAll("_", "-");
  if (tag === "" || tag === "C" || tag === "POSIX") return { delimiter: ",", decimal: "." };
  try {
    const [, sign] = /1(\D)5/u.exec(new Intl.NumberFormat(tag, { numberingSystem: "latn" }).format(1.5)) ?? [];
    return sign === "," ? { delimiter: ";", decimal: "," } : { delimiter: ",", decimal: "." };
  } catch (cause) {
    throw new AppError("USAGE", `${showText(name)} is no locale.`, {
      hint: "Name a language or a language and a country, such as de, fr-CH or en-IN.",
      cause,
    });
  }
}

/** The locale of the person at the keyboard, as the environment names it. */
export function environmentLocale(env: Readonly<Record<string, string | undefined>>): string {
  return [env["LC_ALL"], env["LC_NUMERIC"], env["LANG"]].find((name) => name !== undefined && name !== "") ?? "";
}
