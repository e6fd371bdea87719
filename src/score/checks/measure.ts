import { z } from "zod";
import { cleanAnswer } from "../../text/clean.ts";
import { boundsGrade, hasBounds, thresholdKeys, type ScoreBounds } from "../contract/bounds.ts";
import { notKey } from "../contract/finding.ts";
import { measureSelectionKeys, nameOf, textReader } from "../contract/text-selection.ts";
import type { Answer, Metric, Score, Unscored } from "../contract/scorer.ts";
import { orExpected, expectedText, expectedTexts, type valuesKey } from "../contract/expected.ts";

/** The keys of a scorer that measures how alike two texts are. */
export const measureKeys = {
  ...measureSelectionKeys,
  value: orExpected,
  ...thresholdKeys,
  not: notKey.describe("Turns pass and fail around where a bound is given; the value stays. Default: false."),
};

export const ignoreCaseKey = z
  .boolean()
  .default(false)
  .describe("Small and capital letters are alike. Default: false.");

type MeasureOptions = z.output<z.ZodObject<typeof measureKeys>>;

/** A measure: its name, its scale, and the way to take it. */
export interface Measure {
  /** Its name in a reason. */
  name: string;
  lowerIsBetter: boolean;
  measure: (text: string, wanted: string, answer: Answer) => Taken | Unscored;
}

/** A measure of a text by several others, at least one. */
export interface ReferencesMeasure extends Omit<Measure, "measure"> {
  measure: (text: string, wanted: readonly string[], answer: Answer) => Taken | Unscored;
}

/** A value; `note` is added to the reason, such as what was left out. */
interface Taken {
  value: number;
  note: string;
}

/** Grades by a measure of two texts, both cleaned or neither. An answer without a text is an empty one. */
export function measureGrade(options: MeasureOptions, { measure, ...about }: Measure): (answer: Answer) => Score {
  const wanted = expectedText(options.value);
  return gradeBy(options, about, (text, answer) => {
    const value = wanted(answer);
    return typeof value === "string" ? measure(text, options.clean ? cleanAnswer(value) : value, answer) : value;
  });
}

/** The same by a measure of a text and several that are wanted, of which one is enough. */
export function referencesGrade(
  options: Omit<MeasureOptions, "value"> & { value?: z.infer<typeof valuesKey> | undefined },
  { measure, ...about }: ReferencesMeasure,
): (answer: Answer) => Score {
  const wanted = expectedTexts(options.value);
  return gradeBy(options, about, (text, answer) => {
    const values = wanted(answer);
    return Array.isArray(values) ? measure(text, options.clean ? values.map(cleanAnswer) : values, answer) : values;
  });
}

function gradeBy(
  options: Omit<MeasureOptions, "value">,
  { name, lowerIsBetter }: Pick<Measure, "name" | "lowerIsBetter">,
  take: (text: string, answer: Answer) => Taken | Unscored,
): (answer: Answer) => Score {
  const read = textReader(options);
  const grade = boundsGrade(options, lowerIsBetter);
  return (answer) => {
    const taken = take(read(answer) ?? "", answer);
    if ("unscored" in taken) return taken;
    return grade(taken.value, `${name} of ${nameOf(options.on)} is ${shown(taken.value)}${taken.note}`);
  };
}

/** The metric of a measure between two values. */
export function boundedMetric(
  min: number,
  max: number,
): (options: ScoreBounds) => Pick<Metric, "scale" | "lowerIsBetter" | "passes"> {
  return (options) => ({ scale: { kind: "bounded", min, max }, lowerIsBetter: false, passes: hasBounds(options) });
}

/** The metric of a measure of which there can be ever more, and less is better. */
export function errorMetric(
  unit: string | null,
): (options: ScoreBounds) => Pick<Metric, "scale" | "lowerIsBetter" | "passes"> {
  return (options) => ({ scale: { kind: "unbounded", unit }, lowerIsBetter: true, passes: hasBounds(options) });
}

/** The metric of a share of errors, which hardly exceeds 1: a text that has little of the wanted one is as wrong as can be. */
export const errorRateMetric = (options: ScoreBounds): Pick<Metric, "scale" | "lowerIsBetter" | "passes"> => ({
  scale: { kind: "bounded", min: 0, max: 1, cut: "usual" },
  lowerIsBetter: true,
  passes: hasBounds(options),
});

function shown(value: number): number {
  return Number(value.toPrecision(4));
}
