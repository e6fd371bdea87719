import { showText } from "../../lib/show.ts";
import { findInvisible } from "./invisible.ts";
import { findLookAlike } from "./look-alike.ts";
import { findMojibake } from "./mojibake.ts";
import type { NormalForms } from "./normal-forms.ts";

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

/** Finds suspicious things in a cell; at most one of each kind. */
export function cellWarnings(text: string, forms: NormalForms): CellWarning[] {
  const warnings = [outerSpace(text), spreadsheet(text), lostLetters(text)];
  // Most cells are printable ASCII.
  if (/[^\x20-\x7e\n\r\t]/.test(text)) {
    warnings.push(controlCharacter(text), invisible(text), lookAlike(text), mojibake(text), normalForm(text, forms));
  }
  return warnings.filter((warning) => warning !== null);
}

function outerSpace(text: string): CellWarning | null {
  if (text.trim() === "" || !/^[ \t\r\n]|[ \t\r\n]$/.test(text)) return null;
  const leading = text.length - text.trimStart().length;
  const where = leading > 0 ? "begins" : "ends";
  const at = leading > 0 ? 0 : text.trimEnd().length;
  return {
    kind: "outer-space",
    at,
    message: `${where} with a space or an empty line`,
    hint: "It is sent and compared as it is; delete it unless it is meant.",
  };
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

// oxlint-disable-next-line no-control-regex -- they are what is looked for
const control = /[\u0001-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;

function controlCharacter(text: string): CellWarning | null {
  const at = text.search(control);
  if (at < 0) return null;
  const code = text.charCodeAt(at).toString(16).toUpperCase().padStart(4, "0");
  return { kind: "control-character", at, message: `holds the control character U+${code}`, hint: "Delete it." };
}

function invisible(text: string): CellWarning | null {
  const found = findInvisible(text);
  if (found === null) return null;
  const message = `holds ${found.name}, which cannot be seen, at character ${found.at + 1}`;
  return { kind: "invisible", at: found.at, message, hint: "Delete it, or type a plain space." };
}

function lookAlike(text: string): CellWarning | null {
  const found = findLookAlike(text);
  if (found === null) return null;
  const { at, word, letter, script } = found;
  const message = `holds the word ${showText(word)} with a ${script} ${showText(letter)} among letters that look the same`;
  return { kind: "mixed-scripts", at, message, hint: "Type the word again on one keyboard." };
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

function normalForm(text: string, forms: NormalForms): CellWarning | null {
  const found = forms.find(text);
  if (found === null) return null;
  const { at, written, before } = found;
  const message = `writes ${showText(written)} as ${codes(written)}, and a cell before as ${codes(before)}: they look the same and are not equal`;
  return { kind: "normal-form", at, message, hint: "Normalise the sheet to one form (NFC)." };
}

function codes(text: string): string {
  return Array.from(text, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
    return `U+${code}`;
  }).join(" ");
}
