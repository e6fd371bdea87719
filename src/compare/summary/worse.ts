import { holm } from "../../stats/multiplicity.ts";
import type { MeasureOf } from "../comparison-plan.ts";
import type { CandidateSummary } from "./candidate-summary.ts";
import type { ComparedFigures } from "../metrics/figures.ts";
import type { SliceName } from "../slice-name.ts";
import { sureLevel } from "../verdict-word.ts";
import type { GateFacts } from "../verdict/facts.ts";
import type { MetricSummary } from "./metric-summary.ts";

/** A metric that is surely worse, over all cases or those with one value of a tag: it is said whatever the gates are. */
export interface WorseMetric {
  candidate: string;
  metric: string;
  of: MeasureOf;
  /** Its place among the metrics of the candidate. */
  place: number;
  /** Null: all cases. */
  slice: WorseSlice | null;
  /** Mean difference, below 0; for a ratio one of logarithms. */
  difference: number;
  /** Adjusted (Holm): of no difference, two-sided, over all metrics and candidates; or of no greater loss than elsewhere, over all values of tags and pairs of them. */
  p: number;
  /** P of no greater loss than elsewhere, or of none at all; left out: it is of all cases. */
  pLost?: number;
}

interface WorseSlice extends SliceName, Omit<ComparedFigures, "better"> {}

/** The parts of a candidate's summary in which losses are looked for. */
interface Compared extends Pick<CandidateSummary, "candidate" | "places"> {
  metrics: readonly Pick<MetricSummary, "metric" | "of" | "comparison" | "atCeiling">[];
}

export function worseMetrics(candidates: readonly Compared[], gates: readonly GateFacts[]): WorseMetric[] {
  const whole = sureMetrics(candidates).flatMap((each) => (each.difference < 0 ? [{ ...each, slice: null }] : []));
  return [...whole, ...candidates.flatMap((candidate) => worseIn(candidate, gates))];
}

/** Metrics that surely differ over all cases, to the worse or to the better. */
export function sureMetrics(
  candidates: readonly Pick<Compared, "candidate" | "metrics">[],
): Omit<WorseMetric, "slice">[] {
  const all = candidates.flatMap(({ candidate, metrics }) =>
    metrics.map(({ metric, of, comparison, atCeiling }, place) => {
      return { candidate, metric, of, place, comparison: atCeiling === true ? null : comparison };
    }),
  );
  const adjusted = holm(all.map(({ comparison }) => comparison?.p ?? null));
  return all.flatMap(({ comparison, ...about }, i) => {
    const [difference, p] = [comparison?.estimate ?? 0, adjusted[i] ?? null];
    return difference !== 0 && p !== null && p <= sureLevel ? [{ ...about, difference, p }] : [];
  });
}

/** The places in which it is surely worse, but for values that a gate asks about. */
function worseIn({ candidate, places, metrics }: Compared, gates: readonly GateFacts[]): WorseMetric[] {
  return places.flatMap(
    ({ metric, of, difference, p, pLost, tag, value, and, cases, worse, baseline, now }): WorseMetric[] => {
      const isAsked = (gate: GateFacts): boolean =>
        and === null && gate.slice?.tag === tag && gate.metric === metric && gate.of === of;
      if (gates.some(isAsked)) return [];
      const place = metrics.findIndex((each) => each.metric === metric && each.of === of);
      const slice = { tag, value, and, cases, worse, baseline, now };
      return [{ candidate, metric, of, place, slice, difference, p, pLost }];
    },
  );
}
