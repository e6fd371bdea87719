import { showText } from "../../lib/show.ts";
import { isUtf8 } from "node:buffer";
import { writeWindows1252 } from "../../lib/windows-1252.ts";

/** Something about the text of a cell that is probably not meant. */
export interface CellWarning {
  kind: string;
  /** Offset in the cell. */
  at: number;
  /** Goes on after `column "x"`. */
  message: string;
  hint: string;
}

/** Spreadsheets cut longer cells off. */
const longestCell = 32_767;
/** The errors of Excel, Google Sheets and LibreOffice, in English and in the languages in which Excel writes its own. */
const spreadsheetError = new RegExp(
  `^(?:${[
    /#(?:REF!|N\/A|VALUE!|NAME\?|DIV\/0!|NULL!|NUM!|SPILL!|CALC!|ERROR!|FIELD!|BLOCKED!|CONNECT!|GETTING_DATA)/,
    /#(?:BEZUG!|NV|WERT!|ZAHL!|ÜBERLAUF!|VALEUR!|NOM\?|NOMBRE!|NUL!|PROPAGATION!|RIF!|N\/D|VALORE!|NOME\?|VALOR!)/,
    /#(?:¡(?:REF|VALOR|DIV\/0|NUM|NULO|DESBORDAMIENTO)!|¿NOMBRE\?|VERW!|WAARDE!|NAAM\?|GETAL!|ADR!|ARG!|LICZBA!|NAZWA\?)/,
    /#(?:ССЫЛКА!|Н\/Д|ЗНАЧ!|ИМЯ\?|ДЕЛ\/0!|ЧИСЛО!|ПУСТО!|SAYI\/0!|BAŞV!|DEĞER!|AD\?|YOK)|Err:5\d\d/,
  ]
    .map(({ source }) => source)
    .join("|")})$`,
  "u",
);
/** A formula that was exported as it is typed: of a function, a cell, another sheet or a text in quotes. */
const formula =
  /^=\s*[-+(]*(?:\p{Lu}[\p{Lu}\p{N}._]{0,40}\(|\$?[A-Z]{1,3}\$?\d{1,7}(?![\p{L}\p{N}])|'?[^'!=]{1,60}'?!\$?[A-Z]{1,3}\$?\d|"[^"]*"\s*&)/u;

/** Finds signs that a cell does not hold what its writer typed; at most one of each kind. */
export function cellWarnings(text: string): CellWarning[] {
  const warnings = [spreadsheet(text), lostLetters(text)];
  // Most cells are printable ASCII.
  if (/[^\x20-\x7e\n\r\t]/.test(text)) warnings.push(mojibake(text));
  return warnings.filter((warning) => warning !== null);
}

function spreadsheet(text: string): CellWarning | null {
  if (spreadsheetError.test(text)) {
    const hint = "A formula of the spreadsheet failed; correct it and export again.";
    return { kind: "spreadsheet-error", at: 0, message: `holds the error ${text}`, hint };
  }
  if (formula.test(text)) {
    const hint = "Export the values of the cells, not what is typed into them; a text that begins so is sent as it is.";
    return { kind: "formula", at: 0, message: `holds the formula ${showText(text)} instead of its value`, hint };
  }
  if (text.length !== longestCell) return null;
  const message = "has exactly 32,767 characters, the most that Excel keeps: the rest is probably lost";
  return { kind: "cut-off", at: text.length, message, hint: "Compare its end with the original." };
}

/** Words of question marks: a program that knows no letters of a script writes one for each. */
function lostLetters(text: string): CellWarning | null {
  if (!text.includes("???") || !/\?[^?]+\?/.test(text) || /\p{L}/u.test(text)) return null;
  return {
    kind: "mojibake",
    at: text.indexOf("?"),
    message: "holds question marks where letters were: they were lost when it was saved",
    hint: 'Export it again from the original, as "CSV UTF-8".',
  };
}

function mojibake(text: string): CellWarning | null {
  const found = findMojibake(text);
  if (found === null) return null;
  const { at, probably } = found;
  const message =
    probably === null
      ? "holds U+FFFD: a character was lost before"
      : `holds ${showText(found.found)}, which was probably ${showText(probably)}`;
  return { kind: "mojibake", at, message, hint: "Export it again from the original, as UTF-8." };
}

/** Characters of Windows-1252 beyond ASCII, and the codes that it leaves open. */
const high = /[\u0080-\u00ff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]{2,}/g;

/**
 * The first place of a text that was UTF-8 and has been read as Windows-1252 (`Ã©` for `é`), with what it probably was;
 * or where characters were lost (U+FFFD).
 */
function findMojibake(text: string): { at: number; found: string; probably: string | null } | null {
  const lost = text.indexOf("\uFFFD");
  if (lost >= 0) return { at: lost, found: "\uFFFD", probably: null };
  for (const { 0: run, index } of text.matchAll(high)) {
    const bytes = writeWindows1252(run);
    if (bytes === null || !isTelling(bytes)) continue;
    const probably = bytes.toString("utf8");
    return { at: index, found: run, probably };
  }
  return null;
}

/**
 * Valid UTF-8 that is no accident: a character of three or four bytes, several of two, or one of those that accented letters
 * and signs of Western Europe become (`Ã`, `Â` and what follows).
 */
function isTelling(bytes: Buffer): boolean {
  if (!isUtf8(bytes)) return false;
  const text = Array.from(bytes.toString("utf8"));
  if (text.some((character) => (character.codePointAt(0) ?? 0) >= 0x800)) return true;
  return text.length >= 2 || text.some((character) => (character.codePointAt(0) ?? 0) < 0x100);
}
