import { z } from "zod";

/** Range of a score's values: a missing answer counts as the worst of them. */
export type Scale =
  | { kind: "pass" }
  | {
      kind: "bounded";
      min: number;
      max: number;
      /**
       * Values may lie beyond, and a comparison counts them as the end: `usual`, hardly any answer that is worth something
       * does; `given`, the suite's `range`. Left out: none does.
       */
      cut?: "usual" | "given" | undefined;
      /** Left out: it has none. */
      unit?: string | undefined;
    }
  | { kind: "unbounded"; unit: string | null };

/** `range` of a scorer: the ends that a comparison counts its values between. */
export const rangeKey = z
  .tuple([z.number(), z.number()], { error: "must be two numbers, such as [0, 60]" })
  .describe(
    "Ends of a score that has none, such as [0, 60] of seconds: a gate needs them. A value beyond counts as the end. Default: none, and for `wer` and `cer` [0, 1].",
  );

export type ScoreRange = z.output<typeof rangeKey>;

/** The scale with the ends that the suite gives it. */
export function scaleWithin(scale: Scale, range: ScoreRange | undefined): Scale {
  if (range === undefined) return scale;
  const unit = scale.kind === "unbounded" ? scale.unit : null;
  return { kind: "bounded", min: range[0], max: range[1], cut: "given", ...(unit !== null && { unit }) };
}

/** True for values that count as shares of 1: pass or fail, or between 0 and 1, and more is better. */
export function areShares({ scale, lowerIsBetter }: { scale: Scale; lowerIsBetter: boolean }): boolean {
  if (lowerIsBetter || scale.kind === "unbounded") return false;
  return scale.kind === "pass" || (scale.min >= 0 && scale.max <= 1);
}

/** Faults of a range: of one that holds nothing, and of one for values that have ends anyway. */
export function rangeFaults(scale: Scale, range: unknown): { key: string; message: string }[] {
  const found = rangeKey.safeParse(range);
  if (!found.success) return [];
  const [min, max] = found.data;
  if (!(min < max)) return [{ key: "range", message: `is [${min}, ${max}]: the first number must be the smaller one` }];
  if (scale.kind === "pass") {
    return [{ key: "range", message: "is for scores that are numbers, and this one says pass or fail: leave it out" }];
  }
  if (scale.kind === "unbounded" || scale.cut !== undefined) return [];
  const message = `is for scores without ends, and this one lies between ${scale.min} and ${scale.max} anyway: leave it out`;
  return [{ key: "range", message }];
}
