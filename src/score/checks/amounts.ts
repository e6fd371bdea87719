import { z } from "zod";
import { hasUnit, numbersIn, type WrittenNumber } from "../../text/numbers.ts";
import { graphemes } from "../../text/graphemes.ts";
import { type WordKind, wordsBy } from "../../text/tokens.ts";
import { wordsKey } from "./compared-words.ts";
import { boundKeys, boundsGrade, hasBounds } from "../contract/bounds.ts";
import { defineScorer } from "../contract/define.ts";
import { notKey, quote, verdict } from "../contract/finding.ts";
import { selectionKeys, nameOf, textReader } from "../contract/text-selection.ts";
import type { Answer, Score } from "../contract/scorer.ts";
import { orExpected, expectedText } from "../contract/expected.ts";

const lengthKeys = {
  ...selectionKeys,
  unit: z
    .enum(["graphemes", "characters", "words"])
    .default("graphemes")
    .describe(
      "What is counted: graphemes (characters as a reader counts them), characters (code points) or words. Default: graphemes.",
    ),
  words: wordsKey,
  ...boundKeys,
  not: notKey,
};

const numericKeys = {
  ...selectionKeys,
  value: orExpected,
  tolerance: z.number().min(0).default(0).describe("The largest difference that is still accepted. Default: 0."),
  relative: z
    .number()
    .min(0)
    .default(0)
    .describe(
      "The largest difference as a share of the wanted number, such as 0.05; the larger of both counts. Default: 0.",
    ),
  find: z
    .enum(["any", "first", "last", "only"])
    .default("any")
    .describe("Which number of the text is meant: any, the first, the last, or the only one. Default: any."),
  unit: z
    .union([z.string(), z.array(z.string()).min(1)])
    .optional()
    .describe("What must stand directly after the number (or before it, such as ₹): one unit or a list. Default: any."),
  decimal: z
    .enum(["auto", ".", ","])
    .default("auto")
    .describe(
      "What stands before the fraction. Default: auto, by the form of each number; 1,234 and 1.234 are thousands.",
    ),
  not: notKey,
};
type NumericOptions = z.output<z.ZodObject<typeof numericKeys>>;

/** Scorers that count and compare amounts. */
export const amountScorers = [
  defineScorer({
    type: "length",
    family: "plain",
    about: "How long the text is; it passes within min and max.",
    keys: lengthKeys,
    examples: [
      {
        about: "characters as a reader counts them",
        scorer: { max: 3 },
        answer: "नमस्ते",
        score: { value: 3, pass: true },
      },
      { about: "words", scorer: { unit: "words", min: 3 }, answer: "Two words.", score: { value: 2, pass: false } },
      {
        about: "without bounds it measures only",
        scorer: { unit: "characters" },
        answer: "👋🏽",
        score: { value: 2, pass: null },
      },
    ],
    metric: (options) => ({
      scale: { kind: "unbounded", unit: options.unit },
      lowerIsBetter: false,
      passes: hasBounds(options),
    }),
    grade: lengthGrade,
  }),
  defineScorer({
    type: "numeric",
    family: "plain",
    about:
      "The text has the wanted number, in any digits and writing: 1,234.5 and 1.234,5, ₹ 1,23,456, १२.५, ٣٫١٤, 3 × 10⁸, 2½, 2 lakh, 3万. 20% and 0.2 are alike.",
    keys: numericKeys,
    examples: [
      { about: "Hindi digits", scorer: {}, expected: "10", answer: "पौधों के बीच १० सेमी रखें।", score: "passes" },
      {
        about: "within 5 percent",
        scorer: { value: 1234.5, relative: 0.05 },
        answer: "About 1.200,00 €.",
        score: "passes",
      },
      { about: "lakhs", scorer: { value: 123456 }, answer: "₹ 1,23,456", score: "passes" },
      { about: "in another unit", scorer: { value: 5, unit: ["km", "kilometres"] }, answer: "5 miles", score: "fails" },
      { about: "the last one is meant", scorer: { value: 7, find: "last" }, answer: "3 + 4 = 7", score: "passes" },
      {
        about: "in a sentence without spaces",
        scorer: { value: 25, unit: "元" },
        answer: "价格是25元。",
        score: "passes",
      },
      { about: "a power of ten", scorer: { value: 300_000_000 }, answer: "Some 3 × 10⁸ m/s.", score: "passes" },
      {
        about: "to the last digit, where it is whole",
        scorer: { value: "9007199254740993" },
        answer: "9007199254740992",
        score: "fails",
      },
      { about: "nothing to compare with", scorer: {}, expected: "many", answer: "7", score: { unscored: true } },
    ],
    grade: numericGrade,
  }),
];

function lengthGrade(options: z.output<z.ZodObject<typeof lengthKeys>>): (answer: Answer) => Score {
  const read = textReader(options);
  const { unit, words } = options;
  const grade = boundsGrade(options);
  return (answer) => {
    const length = lengthOf(read(answer) ?? "", unit, words);
    return grade(length, `${nameOf(options.on)} has ${length} ${length === 1 ? unit.slice(0, -1) : unit}`);
  };
}

function lengthOf(text: string, unit: "graphemes" | "characters" | "words", words: WordKind): number {
  const composed = text.normalize("NFC");
  if (unit === "words") return wordsBy(composed, words).length;
  let length = 0;
  for (const _ of unit === "characters" ? composed : graphemes(composed)) length++;
  return length;
}

function numericGrade(options: NumericOptions): (answer: Answer) => Score {
  const read = textReader(options);
  const wantedOf = expectedText(options.value);
  const units = options.unit === undefined ? null : [options.unit].flat();
  return (answer) => {
    const text = wantedOf(answer);
    if (typeof text !== "string") return text;
    // A number in the suite is one, whatever marks mean in the texts.
    const [wanted] = typeof options.value === "number" ? [numberOf(options.value)] : numbersIn(text, options.decimal);
    if (wanted === undefined) return { unscored: `there is no number in what was expected: ${quote(text)}` };
    const said = read(answer) ?? "";
    const candidates = pick(numbersIn(said, options.decimal), options.find);
    const found = candidates.find(
      (number) => isNear(number, wanted, options) && (units === null || units.some((unit) => hasUnit(number, unit))),
    );
    const what = nameOf(options.on);
    if (found !== undefined)
      return verdict(true, options.not, `${what} has ${quote(found.text)}, and ${shownNumber(wanted)} was wanted`);
    const had = candidates.slice(0, 5).map((each) => `${each.text}${each.unit === "" ? "" : ` ${each.unit}`}`);
    return verdict(
      false,
      options.not,
      `${what} has ${had.length === 0 ? "no number" : had.join(", ")}, and not ${shownNumber(wanted)}${unitsText(options.unit)}`,
    );
  };
}

function pick(numbers: WrittenNumber[], find: NumericOptions["find"]): WrittenNumber[] {
  if (find === "any") return numbers;
  if (find === "only") return numbers.length === 1 ? numbers : [];
  return find === "first" ? numbers.slice(0, 1) : numbers.slice(-1);
}

/** A number of the suite or of JSON. */
const numberOf = (value: number): WrittenNumber => ({
  value,
  whole: Number.isSafeInteger(value) ? BigInt(value) : null,
  text: String(value),
  unit: "",
});

function isNear(
  number: WrittenNumber,
  wanted: WrittenNumber,
  { tolerance, relative }: Pick<NumericOptions, "tolerance" | "relative">,
): boolean {
  const near = (value: number, target: number): boolean => {
    const most = Math.max(tolerance, relative * Math.abs(target));
    // 0.1 + 0.2 is not 0.3: what differs in the last digits only is alike.
    return Math.abs(value - target) <= most + 1e-12 * Math.max(1, Math.abs(target), Math.abs(value));
  };
  if (number.whole !== null && wanted.whole !== null) {
    const most = Math.max(tolerance, relative * Math.abs(wanted.value));
    const apart = number.whole - wanted.whole;
    if (Number(apart < 0n ? -apart : apart) <= most * (1 + 1e-12)) return true;
  } else if (near(number.value, wanted.value)) return true;
  const [a, b] = [isPercent(number), isPercent(wanted)];
  return a !== b && near(a ? number.value / 100 : number.value, b ? wanted.value / 100 : wanted.value);
}

/** True for numerals of JSON that are as near as a tolerance says; whole ones are compared to the last digit. */
export function areNear(one: string, other: string, tolerance: number): boolean {
  const [first, second] = [one, other].map((numeral) => numbersIn(numeral, ".")[0]);
  if (first === undefined || second === undefined) return one === other;
  return isNear(first, second, { tolerance, relative: 0 });
}

function isPercent({ unit }: WrittenNumber): boolean {
  return /^(?:[%\u066a]|percent|percentage|pct|प्रतिशत|फीसदी|asilimia|por|بالمئة|بالمائة)$/iu.test(unit);
}

const shownNumber = ({ value, whole }: WrittenNumber): string =>
  whole === null || Number.isSafeInteger(value) ? String(value) : String(whole);

function unitsText(unit: string | string[] | undefined): string {
  return unit === undefined ? "" : ` in ${[unit].flat().join(" or ")}`;
}
