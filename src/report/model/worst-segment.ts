import type { WorseMetric } from "../../compare/summary/worse.ts";
import type { WorstSegment } from "../shape/history.ts";
import type { ReportMetric } from "../shape/model.ts";
import { shownPlaces, worstSegmentWords } from "../say/worst-places.ts";

/** A metric that is surely worse, as it is kept with a comparison. */
type KnownWorse = Pick<WorseMetric, "candidate" | "place" | "difference"> & {
  slice: Omit<NonNullable<WorseMetric["slice"]>, "worse"> | null;
};

/** The value of a tag that lost most in a comparison that is kept, with a sentence; null: there is none. */
export function worstSegment(
  worse: readonly KnownWorse[],
  { metrics, metric, isAlone }: { metrics: readonly ReportMetric[]; metric: string | null; isAlone: boolean },
): Omit<WorstSegment, "batch"> | null {
  const found = worse.flatMap((each) => {
    const about = metrics[each.place];
    if (about === undefined) return [];
    return [{ ...each, about }];
  });
  const [worst] = shownPlaces(found);
  const sentence = worstSegmentWords(found, { metric, isAlone });
  if (worst === undefined || sentence === null) return null;
  const { candidate, slice: segment } = worst;
  const tags = [segment, ...(segment.and === null ? [] : [segment.and])].map(({ tag, value }) => ({
    name: tag,
    value,
  }));
  return { candidate, tags, sentence };
}
