import type { WorseMetric } from "../../compare/summary/worse.ts";
import type { WorstSegment } from "../shape/history.ts";
import type { ReportMetric } from "../shape/model.ts";
import { worstOfSegments, worstSegmentWords } from "../words/worse-words.ts";
import { lossShown } from "./gate-details.ts";

/** A metric that is surely worse, as it is kept with a comparison. */
type KnownWorse = Pick<WorseMetric, "candidate" | "place" | "slice" | "difference">;

/** True for a value of a tag that is much worse than all cases together: only then it is worth a word. */
export function standsOut(
  { candidate, place, slice: segment, difference }: KnownWorse,
  worse: readonly KnownWorse[],
): boolean {
  const all = worse.find((each) => each.slice === null && each.candidate === candidate && each.place === place);
  return segment !== null && (all === undefined || difference <= 2 * all.difference);
}

/** The value of a tag that lost most in a comparison that is kept, with a sentence; null: none stands out. */
export function worstSegment(
  worse: readonly KnownWorse[],
  { metrics, metric, isAlone }: { metrics: readonly ReportMetric[]; metric: string | null; isAlone: boolean },
): Omit<WorstSegment, "batch"> | null {
  const found = worse.flatMap((each) => {
    const about = metrics[each.place];
    if (about === undefined || !standsOut(each, worse)) return [];
    return [{ ...each, about, lost: lossShown(-each.difference, about), gate: null }];
  });
  const [worst, sentence] = [worstOfSegments(found), worstSegmentWords(found, { metric, isAlone })];
  if (worst === null || sentence === null) return null;
  const { candidate, slice: segment } = worst;
  const tags = [segment, ...(segment.and === null ? [] : [segment.and])].map(({ tag, value }) => ({
    name: tag,
    value,
  }));
  return { candidate, tags, sentence };
}
