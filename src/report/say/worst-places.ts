import type { WorseMetric } from "../../compare/summary/worse.ts";
import type { WorstSlice } from "../shape/history.ts";
import type { ReportMetric } from "../shape/model.ts";
import { scoreFigure } from "./figures.ts";
import { sliceWords } from "./names.ts";
import { counted } from "./quantity.ts";

/** A metric that is surely worse, as it is kept with a comparison. */
type KnownWorse = Pick<WorseMetric, "candidate" | "place" | "difference"> & {
  slice: Omit<NonNullable<WorseMetric["slice"]>, "worse"> | null;
};

/**
 * The slice that lost most in a comparison that is kept: `Worst: kind = typo, 24 rows: 91.7 % -> 0 %; category = fees, 10
 * rows: 90 % -> 20 %`; null: it is surely worse nowhere.
 */
export function worstSlice(
  worse: readonly KnownWorse[],
  { metrics, metric, isAlone }: { metrics: readonly ReportMetric[]; metric: string | null; isAlone: boolean },
): Omit<WorstSlice, "batch"> | null {
  const found = worse.flatMap(({ candidate, place, slice }) => {
    const about = metrics[place];
    return about === undefined || slice === null ? [] : [{ candidate, about, slice }];
  });
  const [first] = found;
  if (first === undefined) return null;
  const { candidate, about, slice } = first;
  const words = found.flatMap((each) => {
    if (each.candidate !== candidate || each.about !== about) return [];
    const { cases, baseline, now } = each.slice;
    const sides = `${scoreFigure(baseline, about)} -> ${scoreFigure(now, about)}`;
    return [`${sliceWords(each.slice)}, ${counted(cases, "row")}: ${sides}`];
  });
  const who = isAlone ? "" : ` for ${candidate}`;
  const on = about.name === metric ? "" : ` on \`${about.name}\``;
  const { tag, value, and } = slice;
  return { candidate, slice: { tag, value, and }, sentence: `Worst${who}${on}: ${words.join("; ")}` };
}
