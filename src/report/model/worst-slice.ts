import type { WorseMetric } from "../../compare/summary/worse.ts";
import type { WorstSlice } from "../shape/history.ts";
import type { ReportMetric } from "../shape/model.ts";
import { worstOfSlices, worstSliceWords } from "../words/worse-words.ts";
import { lossShown } from "./gate-details.ts";

/** A metric that is surely worse, as it is kept with a comparison. */
type KnownWorse = Pick<WorseMetric, "candidate" | "place" | "slice" | "difference">;

/** True for a value of a tag that is much worse than all cases together: only then it is worth a word. */
export function standsOut({ candidate, place, slice, difference }: KnownWorse, worse: readonly KnownWorse[]): boolean {
  const all = worse.find((each) => each.slice === null && each.candidate === candidate && each.place === place);
  return slice !== null && (all === undefined || difference <= 2 * all.difference);
}

/** The value of a tag that lost most in a comparison that is kept, with a sentence; null: none stands out. */
export function worstSlice(
  worse: readonly KnownWorse[],
  { metrics, metric, isAlone }: { metrics: readonly ReportMetric[]; metric: string | null; isAlone: boolean },
): Omit<WorstSlice, "batch"> | null {
  const found = worse.flatMap((each) => {
    const about = metrics[each.place];
    if (about === undefined || !standsOut(each, worse)) return [];
    return [{ ...each, about, lost: lossShown(-each.difference, about), gate: null }];
  });
  const [worst, sentence] = [worstOfSlices(found), worstSliceWords(found, { metric, isAlone })];
  if (worst === null || sentence === null) return null;
  const { candidate, slice } = worst;
  const tags = [slice, ...(slice.and === null ? [] : [slice.and])].map(({ tag, value }) => ({ name: tag, value }));
  return { candidate, tags, sentence };
}
