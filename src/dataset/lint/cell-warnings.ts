import { showText } from "../../lib/show.ts";
import { findInvisible } from "./invisible.ts";
import type { NormalForms } from "./normal-forms.ts";
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

/** Letters of Cyrillic and Greek that cannot be told from Latin ones by eye. */
const cyrillic = "АВЕЅІЈКМНОРСТУХаеѕіјорсух";
const greek = "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧον";
const latinLike = /[ABCEHIJKMNOPSTXYZaceijopsuvxy]/;

const suspicious =
  /\p{Script=Latin}[\p{L}\p{M}]*[\p{Script=Cyrillic}\p{Script=Greek}]|[\p{Script=Cyrillic}\p{Script=Greek}][\p{L}\p{M}]*\p{Script=Latin}/u;

/** The first word that mixes Latin with look-alikes of another script, as when а letter was typed on another keyboard. */
function findLookAlike(text: string): { at: number; word: string; letter: string; script: string } | null {
  if (!suspicious.test(text)) return null;
  for (const { 0: word, index } of text.matchAll(/[\p{L}\p{M}]+/gu)) {
    if (!suspicious.test(word)) continue;
    for (const [script, alike, pattern] of scripts) {
      const foreign = word.match(pattern) ?? [];
      const latin = word.match(/\p{Script=Latin}/gu) ?? [];
      const [first] = foreign;
      if (first === undefined || latin.length === 0) continue;
      if (foreign.every((letter) => alike.includes(letter))) {
        return { at: index + word.indexOf(first), word, letter: first, script };
      }
      const [firstLatin = ""] = latin;
      if (latin.every((letter) => latinLike.test(letter))) {
        return { at: index + word.indexOf(firstLatin), word, letter: firstLatin, script: "Latin" };
      }
    }
  }
  return null;
}

const scripts = [
  ["Cyrillic", cyrillic, /\p{Script=Cyrillic}/gu],
  ["Greek", greek, /\p{Script=Greek}/gu],
] as const;

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
