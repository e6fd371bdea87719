import { endOf, type OutcomeCounts, type ShownOutcome } from "../../api/outcomes.ts";
import type { CaseComparison, PairedResult } from "../../compare/cases/case-comparison.ts";
import { latencyOf } from "../../compare/cases/case-side.ts";
import { sideOutcome } from "../../compare/cases/side-outcome.ts";
import type { ComparisonPlan } from "../../compare/comparison-plan.ts";
import type { Latency, ReportSummary } from "../shape/model.ts";
import { scoreCounts } from "./score-counts.ts";

/** Counts of a report beside the comparison, over every case; memory does not grow with them. */
export interface ModelTally {
  add: (result: PairedResult, compared: Pick<CaseComparison, "sides" | "differences">) => void;
  outcomes: (side: number) => OutcomeCounts;
  latency: (side: number) => Histogram | null;
  tags: () => ReportSummary["tags"];
  scores: () => ReportSummary["scores"];
}

type Histogram = Pick<Latency, "max" | "bounds" | "counts">;

const mostTags = 20;
const mostValues = 500;
const shownValues = 60;

export function modelTally(plan: Pick<ComparisonPlan, "sides" | "pairs" | "metrics">): ModelTally {
  const { sides } = plan;
  const scores = scoreCounts(plan);
  const counts = sides.map(() => ({ outcomes: new Map<ShownOutcome, number>(), latency: latencyTally() }));
  const placeOf = new Map(sides.flatMap(({ targetIds }, place) => targetIds.map((id) => [id, place] as const)));
  const tags = new Map<string, Map<string, number>>();

  const countTag = (name: string, value: string): void => {
    const values = tags.get(name) ?? new Map<string, number>();
    if (!tags.has(name) && tags.size >= mostTags) return;
    tags.set(name, values);
    const known = values.get(value);
    if (known !== undefined || values.size < mostValues) values.set(value, (known ?? 0) + 1);
  };

  return {
    add(result, compared) {
      scores.add(compared);
      for (const job of result.jobs) {
        const count = counts[placeOf.get(job.targetId) ?? -1];
        if (count === undefined) continue;
        const outcome = sideOutcome(job);
        count.outcomes.set(outcome, (count.outcomes.get(outcome) ?? 0) + 1);
        const latency = latencyOf(job);
        if (job.outcome === "ok" && latency !== null) count.latency.add(latency);
      }
      for (const [name, value] of Object.entries(result.tags)) countTag(name, value);
    },
    outcomes: (side) => {
      const sorted = byCount(counts[side]?.outcomes ?? new Map<ShownOutcome, number>());
      // Turns that were skipped stand behind what failed.
      return Object.fromEntries(sorted.toSorted(([a], [b]) => Number(endOf(a).follows) - Number(endOf(b).follows)));
    },
    latency: (side) => counts[side]?.latency.result() ?? null,
    scores: () => scores.result(),
    tags: () =>
      Object.fromEntries(
        Array.from(tags, ([name, values]) => [
          name,
          byCount(values)
            .slice(0, shownValues)
            .map(([value, cases]) => ({ value, cases })),
        ]),
      ),
  };
}

/** The most frequent first. */
function byCount<Name extends string>(counts: ReadonlyMap<Name, number>): [Name, number][] {
  return Array.from(counts).toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
}

/** Each 5 % wider than the one before: fine enough to draw. */
const growth = 1.05;

function latencyTally() {
  const buckets = new Map<number, number>();
  let max = 0;
  return {
    add(ms: number): void {
      const bucket = Math.floor(Math.log(Math.max(1, ms)) / Math.log(growth));
      buckets.set(bucket, (buckets.get(bucket) ?? 0) + 1);
      max = Math.max(max, ms);
    },
    result(): Histogram | null {
      if (buckets.size === 0) return null;
      const used = Array.from(buckets.keys());
      const [first, last] = [Math.min(...used), Math.max(...used)];
      const places = Array.from({ length: last - first + 1 }, (_, index) => first + index);
      // The last ends with the slowest, so that no picture goes on behind it.
      const bounds = [...places.map((bucket) => growth ** bucket), Math.max(growth ** last, max)];
      return { max, bounds, counts: places.map((bucket) => buckets.get(bucket) ?? 0) };
    },
  };
}
