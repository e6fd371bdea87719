/** A number as a text writes it. */
export interface WrittenNumber {
  value: number;
  /** The number as written, without its unit. */
  text: string;
  /** The unit directly after it, or a sign of currency before it: `%`, `₹`, `km`; empty when there is none. */
  unit: string;
}

/** The mark before the fraction. */
export type DecimalMark = "." | "," | "auto";

const minus = "\\-\u2212\u2010\u2011\uff0d\ufe63";
/** Marks between groups of digits that are never before a fraction: spaces, apostrophes, the Arabic ones. */
const groupMarks = " \u00a0\u202f\u2009'\u2019_\u066c";
const currencies = "Rs|INR|USD|EUR|GBP|KES|KSh|Ksh|TZS|TSh|UGX|USh|ETB|Br|NGN|AED|SAR|EGP|Rp|\u0930\u0941|\u0930\u0942";

/** A sign, digits with marks between them, an exponent; not the 2 of `H2O`, but the 5 of `Rs5`. */
const written = new RegExp(
  `(?<![\\p{L}\\p{M}\\p{Nd}](?<!(?<![\\p{L}\\p{M}])(?:${currencies}))|\\p{Nd}[.,\u066b])` +
    `([${minus}+]?)((?:(?<=(?:^|[\\s(${minus}+]))[.,\u066b])?\\p{Nd}+(?:[.,\u066b\u060c${groupMarks}]\\p{Nd}+)*)` +
    `([eE][${minus}+]?\\p{Nd}{1,3}(?![\\p{L}\\p{Nd}]))?`,
  "gu",
);
const minusSign = new RegExp(`[${minus}]`, "gu");
const groupMark = new RegExp(`[.,${groupMarks}]`, "u");
const unitAfter = /\s?([%\u066a\u2030\p{Sc}°]|[\p{L}\p{M}]+)/uy;
const unitBefore = new RegExp(`(\\p{Sc}|${currencies})[\\s.]?$`, "u");

/** Words that multiply the number before them. */
const scales = new Map<string, number>([
  ...["thousand", "elfu", "mil", "हज़ार", "हजार", "ألف", "آلاف"].map((word) => [word, 1e3] as const),
  ...["lakh", "lakhs", "lac", "लाख", "laki"].map((word) => [word, 1e5] as const),
  ...["million", "millions", "millón", "millones", "milioni", "مليون"].map((word) => [word, 1e6] as const),
  ...["crore", "crores", "करोड़", "करोड"].map((word) => [word, 1e7] as const),
  ...["billion", "billions", "bilioni", "مليار"].map((word) => [word, 1e9] as const),
]);

/**
 * The numbers of a text in any of the world's digits: `1,234.5`, `1.234,5`, `1 234,5`, `₹ 1,23,456`, `१२.५`, `٣٫١٤`,
 * `-3e5`, `2 lakh`. A single comma or full stop with exactly three digits after it and one to three before it separates
 * thousands (`1,234`), unless `decimal` names it as the mark of fractions.
 */
export function numbersIn(text: string, decimal: DecimalMark = "auto"): WrittenNumber[] {
  const found: WrittenNumber[] = [];
  for (const match of text.normalize("NFC").matchAll(written)) {
    const [whole, sign = "", digits = "", exponent = ""] = match;
    const parts = partsOf(asciiDigits(digits), decimal);
    const unit = unitOf(match.input, match.index, whole.length);
    for (const [i, part] of parts.entries()) {
      const last = i === parts.length - 1;
      const signed = `${i === 0 && sign.search(minusSign) !== -1 ? "-" : ""}${part}${last ? plainExponent(exponent) : ""}`;
      const value = Number(signed) * (last ? (scales.get(unit.toLowerCase()) ?? 1) : 1);
      if (Number.isFinite(value))
        found.push({ value, text: parts.length === 1 ? whole : part, unit: last ? unit : "" });
    }
  }
  return found;
}

/** `1,234.5` is one number; what cannot be one (`1,2,3` or `12 34`) is several. */
function partsOf(digits: string, decimal: DecimalMark): string[] {
  const one = plainNumber(digits, decimal);
  if (one !== null) return [one];
  return digits.split(new RegExp(`[,\u060c${groupMarks}]`, "u")).flatMap((part) => {
    const plain = plainNumber(part, decimal);
    return plain === null ? (part.match(/\d+/g) ?? []) : [plain];
  });
}

/** Digits and marks as JavaScript reads a number; null where the marks make no sense together. */
function plainNumber(digits: string, decimal: DecimalMark): string | null {
  if (digits.includes("\u066b")) return grouped(digits.replace("\u066b", "!"), "!");
  const uniform = digits.replaceAll("\u060c", ",");
  return grouped(uniform, decimal === "auto" ? decimalMarkOf(uniform) : decimal);
}

/** The mark before the fraction; null where there is none. */
function decimalMarkOf(digits: string): string | null {
  const marks = digits.match(/[.,]/g) ?? [];
  const last = marks.at(-1);
  if (last === undefined) return null;
  if (marks.length > 1) return marks.filter((mark) => mark === last).length > 1 ? null : last;
  return /^[1-9]\d{0,2}[.,]\d{3}$/.test(digits) ? null : last;
}

function grouped(digits: string, mark: string | null): string | null {
  const at = mark === null ? -1 : digits.lastIndexOf(mark);
  const whole = at === -1 ? digits : digits.slice(0, at);
  const fraction = at === -1 ? "" : digits.slice(at + 1);
  if (!/^\d*$/.test(fraction)) return null;
  const groups = whole.split(groupMark);
  if (groups.length > 1 && !isGrouped(groups)) return null;
  const joined = groups.join("");
  if (!/^\d*$/.test(joined) || (joined === "" && fraction === "")) return null;
  return `${joined === "" ? "0" : joined}${fraction === "" ? "" : `.${fraction}`}`;
}

/** Thousands, or lakhs and crores: 1,23,45,678. */
function isGrouped([first = "", ...rest]: string[]): boolean {
  if (first.length === 0 || first.length > 3 || rest.at(-1)?.length !== 3) return false;
  const inner = rest.slice(0, -1);
  return inner.every(({ length }) => length === 3) || (first.length < 3 && inner.every(({ length }) => length === 2));
}

function plainExponent(exponent: string): string {
  return asciiDigits(exponent).replaceAll(minusSign, "-");
}

function unitOf(text: string, at: number, length: number): string {
  unitAfter.lastIndex = at + length;
  const after = unitAfter.exec(text)?.[1] ?? "";
  if (after !== "") return after;
  return unitBefore.exec(text.slice(Math.max(0, at - 6), at))?.[1] ?? "";
}

/** Digits of any script as 0 to 9; everything else stays. */
export function asciiDigits(text: string): string {
  return plain.test(text) ? text : text.replaceAll(digit, (each) => String(valueOf(each.codePointAt(0) ?? 0)));
}

// oxlint-disable-next-line no-control-regex
const plain = /^[\x00-\x7f]*$/;
const digit = /\p{Nd}/gu;

const values = new Map<number, number>();

/** Unicode has decimal digits in rows of ten that begin with the zero; some rows follow each other without a gap. */
function valueOf(point: number): number {
  const known = values.get(point);
  if (known !== undefined) return known;
  let start = point;
  while (/\p{Nd}/u.test(String.fromCodePoint(start - 1))) start--;
  values.set(point, (point - start) % 10);
  return (point - start) % 10;
}
