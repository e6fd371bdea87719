/** A number as a text writes it. */
export interface WrittenNumber {
  value: number;
  /** The same exactly, where it is whole: a number keeps no more than 15 digits of all. */
  whole: bigint | null;
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

/** Letters that stand directly before a number in a sentence without spaces: `价格是25元`. */
const unspaced = ["Han", "Hiragana", "Katakana", "Hangul", "Bopomofo", "Thai", "Lao", "Khmer", "Myanmar", "Tibetan"]
  .map((script) => `\\p{scx=${script}}`)
  .join("");
const isUnspaced = new RegExp(`^[${unspaced}]`, "u");

/** A ten in the digits of the scripts that have them in row, from a zero each. */
const tens = [
  0x30, 0x660, 0x6f0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xe50, 0xed0, 0xf20, 0x1040,
  0x17e0, 0x1810, 0xff10,
]
  .map((zero) => String.fromCodePoint(zero + 1, zero))
  .join("|");
const raisedDigits = "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079";
const space = "[ \u00a0\u202f\u2009]?";
/** The power of a ten: `10⁸`, `10^8`, `10**8`, `10^{8}`, `10<sup>8</sup>`. */
const raised =
  `(?:[\u207b\u207a]?[${raisedDigits}]{1,3}|(?:\\^|\\*\\*)\\{?\\(?[${minus}+]?\\p{Nd}{1,3}\\)?\\}?|` +
  `<sup>[${minus}+]?\\p{Nd}{1,3}</sup>)(?![\\p{Nd}${raisedDigits}])`;
const times = `${space}(?:[\u00d7xX\u0445\u2715\u2a09*\u00b7\u22c5\u2219\u2022]|\\\\times|\\\\cdot)${space}(?:${tens})`;

/**
 * A sign, digits with marks between them, an exponent or a power of ten (`3 × 10⁸`, `10^8`); not the 2 of `H2O`, but the 5
 * of `Rs5`.
 */
const written = new RegExp(
  `(?<!(?![${unspaced}])[\\p{L}\\p{M}\\p{Nd}](?<!(?<![\\p{L}\\p{M}])(?:${currencies}))|\\p{Nd}[.,\u066b])` +
    `((?<![\\p{L}\\p{M}])[${minus}+]|)((?:(?<=(?:^|[\\s(${unspaced}${minus}+]))[.,\u066b])?\\p{Nd}+(?:[.,\u066b\u060c${groupMarks}]\\p{Nd}+)*)` +
    `([eE][${minus}+]?\\p{Nd}{1,3}(?![\\p{L}\\p{Nd}])|${times}${raised}|(?<=(?<![\\p{Nd}.,\u066b])(?:${tens}))${raised})?`,
  "gu",
);
const minusSign = new RegExp(`[${minus}]`, "gu");
const groupMark = new RegExp(`[.,${groupMarks}]`, "u");
const unitAfter = /\s?([%\u066a\u2030\p{Sc}°]|[\p{L}\p{M}]+)/uy;
const unitBefore = new RegExp(`(\\p{Sc}|${currencies})[\\s.]?$`, "u");

const scaleWords: readonly (readonly [power: number, words: string])[] = [
  [3, "thousand thousands elfu mil mille हज़ार हजार ألف آلاف هزار tausend duizend tusen tusind ribu nghìn ngàn พัน"],
  [3, "тыс тысяча тысячи тысяч тис тисяча тисячі тисяч tys tysiąc tysiące tysięcy"],
  [4, "หมื่น"],
  [5, "lakh lakhs lac लाख laki লাখ แสน"],
  [6, "million millions millón millones milioni milione مليون ملايين میلیون millionen mio mn milhão milhões miljoen"],
  [
    6,
    "miljon miljoner millioner млн миллион миллиона миллионов мільйон мільйони мільйонів mln milion miliony milionów",
  ],
  [6, "milyon juta triệu ล้าน"],
  [7, "crore crores करोड़ करोड কোটি"],
  [9, "billion billions bilioni مليار مليارات میلیارد milliard milliards milliarde milliarden mrd bn bilhão bilhões"],
  [9, "miljard miljarder milliarder miliardo miliardi млрд миллиард миллиарда миллиардов мільярд мільярди мільярдів"],
  [9, "mld miliard miliardy miliardów milyar miliar tỷ अरब"],
  [12, "trillion trillions billionen billón billones"],
];

/** Words that multiply the number before them, by the power of ten. */
const scales = new Map<string, number>(
  scaleWords.flatMap(([power, words]) => words.split(" ").map((word) => [word, power] as const)),
);

/** Signs that multiply the number right before them, and begin no unit: `3万元`, but not the `千` of `2千克`. */
const scaleSign = /(?:[万萬만]|[亿億억]|[千천](?![克米瓦卡赫字帕伏焦])|[兆조](?![赫字瓦帕比]))/uy;
const powerOfSign = new Map<string, number>(
  [["千천", 3] as const, ["万萬만", 4] as const, ["亿億억", 8] as const, ["兆조", 12] as const].flatMap(
    ([signs, power]) => Array.from(signs, (sign) => [sign, power] as const),
  ),
);

/** Fractions that are one character, with the number before it. */
const singleFraction = /(?<![\p{Nd}.,])(?:(\p{Nd}{1,9})[ \u00a0\u202f\u2009]?)?([\u00bc-\u00be\u2150-\u215e])/gu;

/** `2½` as `2.5`. */
function withoutFractions(text: string): string {
  return text.replaceAll(singleFraction, (_found, count: string | undefined, sign: string) => {
    const [over = 0, under = 1] = sign.normalize("NFKC").split("\u2044").map(Number);
    return String(Number(asciiDigits(count ?? "0")) + over / under);
  });
}

/**
 * The numbers of a text in any of the world's digits: `1,234.5`, `1.234,5`, `1 234,5`, `₹ 1,23,456`, `१२.५`, `٣٫١٤`,
 * `-3e5`, `3 × 10⁸`, `2 lakh`, `3万`, `2½`. A single comma or full stop with exactly three digits after it and one to three before it separates
 * thousands (`1,234`), unless `decimal` names it as the mark of fractions.
 */
export function numbersIn(text: string, decimal: DecimalMark = "auto"): WrittenNumber[] {
  const found: WrittenNumber[] = [];
  /** Where a number ends with a sign that a smaller one may follow: `1億2000万`. */
  let open = { at: -1, power: 0 };
  for (const match of withoutFractions(text.normalize("NFC")).matchAll(written)) {
    const [whole, sign = "", digits = "", exponent = ""] = match;
    const parts = partsOf(asciiDigits(digits), decimal);
    const end = match.index + whole.length;
    const scaled = scaleAt(match.input, end);
    const unit = unitOf(match.input, match.index, whole.length + (scaled === null ? 0 : 1));
    for (const [i, part] of parts.entries()) {
      const last = i === parts.length - 1;
      const signed = `${i === 0 && sign.search(minusSign) !== -1 ? "-" : ""}${part}`;
      const power = last ? powerOf(exponent) + (scaled ?? scales.get(unit.toLowerCase()) ?? 0) : 0;
      // A ten with a power of its own is that power of ten.
      const isTen = last && exponent !== "" && !/^[eE]/.test(exponent) && !mantissaFollows.test(exponent);
      const number = isTen ? signed.replace("10", "1") : signed;
      const value = Number(`${number}e${power}`);
      if (!Number.isFinite(value)) continue;
      const read = {
        value,
        whole: wholeOf(number, power),
        text: parts.length === 1 ? whole : part,
        unit: last ? unit : "",
      };
      const before = i === 0 && open.at === match.index && power < open.power ? found.pop() : undefined;
      found.push(before === undefined ? read : sumOf(before, read));
    }
    open = { at: scaled === null ? -1 : end + 1, power: scaled ?? 0 };
  }
  return found;
}

/** The power of ten of the sign at a place; null: there is none. */
function scaleAt(text: string, at: number): number | null {
  scaleSign.lastIndex = at;
  return powerOfSign.get(scaleSign.exec(text)?.[0] ?? "") ?? null;
}

function sumOf(more: WrittenNumber, less: WrittenNumber): WrittenNumber {
  const value = more.value + (more.value < 0 ? -less.value : less.value);
  const whole =
    more.whole === null || less.whole === null ? null : more.whole + (more.value < 0 ? -less.whole : less.whole);
  return { value, whole, text: more.text + less.text, unit: less.unit };
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

/** An exponent that multiplies a number before it with a ten. */
const mantissaFollows = new RegExp(`^${times}`, "u");

/** The power of ten of an exponent in any writing; 0 where there is none. */
function powerOf(exponent: string): number {
  const own = mantissaFollows.test(exponent) ? exponent.replace(mantissaFollows, "") : exponent;
  const lowered = own
    .replaceAll(/[\u2070\u00b9\u00b2\u00b3\u2074-\u2079]/g, (digit) => String(raisedDigits.indexOf(digit)))
    .replaceAll("\u207b", "-");
  return Number(/-?\d+/.exec(asciiDigits(lowered).replaceAll(minusSign, "-"))?.[0] ?? 0);
}

/** A decimal number times a power of ten as a whole one; null: it is none. */
function wholeOf(number: string, power: number): bigint | null {
  const [, sign = "", digits = "", fraction = ""] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(number) ?? [];
  const shift = power - fraction.length;
  const all = digits + fraction;
  if (shift >= 0) return BigInt(`${sign}${all}${"0".repeat(shift)}`);
  const cut = Math.max(0, all.length + shift);
  return /^0*$/.test(all.slice(cut)) ? BigInt(`${sign}${all.slice(0, cut) || "0"}`) : null;
}

/** True for a unit behind a number, also where a sentence without spaces goes on behind it: the `元` of `元起`. */
export function hasUnit({ unit }: Pick<WrittenNumber, "unit">, wanted: string): boolean {
  const [found, asked] = [unitForm(unit), unitForm(wanted)];
  return found === asked || (asked !== "" && found.startsWith(asked) && isUnspaced.test(found.slice(asked.length)));
}

const unitForm = (unit: string): string => unit.normalize("NFC").trim().toLowerCase();

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
