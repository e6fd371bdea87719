import type { ReportSummary } from "../../../report/shape/model.ts";

/** A target as every list and every picture draws it: a colour, and beside it dashes and a shape for whoever sees none. */
export interface TargetLook {
  /** Class that sets `--target`, the colour. */
  colour: string;
  /** Lengths of the dashes of its lines; empty: one stroke. */
  dashes: readonly number[];
  /** Outline of its mark, in a square of 10 by 10. */
  shape: string;
}

/** Colours that every kind of colour vision tells apart: no more of them are known. */
const colours = 5;

/**
 * As many as have no divisor in common with the colours: only the 56th target looks like another one. No triangle points up or
 * down: these say better and worse.
 */
const looks: readonly Omit<TargetLook, "colour">[] = [
  { dashes: [], shape: "M5 1a4 4 0 1 0 0 8a4 4 0 1 0 0-8z" },
  { dashes: [7, 4], shape: "M1.5 1.5h7v7h-7z" },
  { dashes: [2, 4], shape: "M3.4 .8h3.2v2.6h2.6v3.2h-2.6v2.6h-3.2v-2.6h-2.6v-3.2h2.6z" },
  { dashes: [10, 4, 2, 4], shape: "M5 .6l4.6 3.5l-1.8 5.3h-5.6l-1.8-5.3z" },
  {
    dashes: [4, 4],
    shape: "M2.6 .9l2.4 2.4l2.4-2.4l1.7 1.7l-2.4 2.4l2.4 2.4l-1.7 1.7l-2.4-2.4l-2.4 2.4l-1.7-1.7l2.4-2.4l-2.4-2.4z",
  },
  { dashes: [1, 3], shape: "M5 0l4.6 5l-4.6 5l-4.6-5z" },
  { dashes: [12, 3], shape: "M1.4 .8l8 4.2l-8 4.2z" },
  { dashes: [6, 2, 2, 2], shape: "M5 0l1.4 3.3l3.5.3l-2.7 2.3l.9 3.6l-3.1-1.9l-3.1 1.9l.9-3.6l-2.7-2.3l3.5-.3z" },
  { dashes: [3, 6], shape: "M5 .6a4.4 4.4 0 1 0 0 8.8a4.4 4.4 0 1 0 0-8.8zM5 3a2 2 0 1 1 0 4a2 2 0 1 1 0-4z" },
  { dashes: [14, 4, 4, 4], shape: "M.8 .8h8.4l-3.2 4.2l3.2 4.2h-8.4l3.2-4.2z" },
  { dashes: [5, 2], shape: "M8.6 .8l-8 4.2l8 4.2z" },
];

/**
 * The look of each target by its place in its suite, whose baseline is the first; those that the suite does not have
 * follow in their order. So a target looks alike alone, in the report of a night and in the series of its suite.
 */
export function targetLooks(ofSuite: readonly string[], names: readonly string[]): (name: string) => TargetLook {
  const ordered = [...new Set([...ofSuite, ...names])];
  return (name) => {
    const place = Math.max(0, ordered.indexOf(name));
    return { colour: `target-${place % colours}`, ...(looks[place % looks.length] ?? { dashes: [], shape: "" }) };
  };
}

/** The looks of the targets of a report; `others`: targets that only earlier batches had. */
export function reportLooks(
  { targets, baseline, suiteTargets }: Pick<ReportSummary, "targets" | "baseline" | "suiteTargets">,
  others: readonly string[] = [],
): (name: string) => TargetLook {
  // A baseline of another batch is no target of the suite: it follows.
  const ofSuite = suiteTargets ?? (baseline === null ? [] : [baseline]);
  return targetLooks(ofSuite, [...targets.map(({ name }) => name), ...others]);
}
