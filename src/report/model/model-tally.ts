import { endOf, type OutcomeCounts, type ShownOutcome } from "../../api/outcomes.ts";
import type { CaseComparison, PairedResult } from "../../compare/cases/case-comparison.ts";
import { latencyOf } from "../../compare/cases/case-side.ts";
import { sideOutcome } from "../../compare/cases/side-outcome.ts";
import type { Latency, ReportSummary, ReportMetric } from "../shape/model.ts";
import type { ReportScores } from "../shape/scores.ts";
import { type ComparisonPlan, passPlace } from "../../compare/comparison-plan.ts";
import type { StopRule } from "../../compare/stop-rule.ts";
import { isCounted } from "../../compare/tallies/candidate-tally.ts";
import type { NewFailures } from "../shape/model.ts";
import { newFailureTally } from "./new-failures.ts";
import { reportMetrics } from "./model-gates.ts";
import { sideScore } from "./model-row.ts";
import { type ScoreBins, scoreBins } from "./score-bins.ts";

/** Counts of a report beside the comparison, over every case; memory does not grow with them. */
export interface ModelTally {
  add: (result: PairedResult, compared: Pick<CaseComparison, "sides" | "differences" | "runs">) => void;
  /** The counts when the last case has gone by. */
  counts: () => ModelCounts;
}

/** The counts as plain JSON. */
export interface ModelCounts extends Pick<ReportSummary, "tags" | "scores"> {
  /** By the place of each side, as the latencies are. */
  outcomes: OutcomeCounts[];
  latencies: (Histogram | null)[];
  newFailures: NewFailures[];
}

type Histogram = Pick<Latency, "max" | "bounds" | "counts">;

const mostTags = 20;
const mostValues = 500;
const shownValues = 60;

export function modelTally(plan: TalliedPlan): ModelTally {
  const { sides } = plan;
  const scores = scoreCounts(plan);
  const failures = failureCounts(plan);
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
      failures.add(result, compared);
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
    counts: () => ({
      outcomes: counts.map(({ outcomes }) => outcomesInOrder(outcomes)),
      latencies: counts.map(({ latency }) => latency.result()),
      scores: scores.result(),
      newFailures: failures.result(),
      tags: Object.fromEntries(
        Array.from(tags, ([name, values]) => [
          name,
          byCount(values)
            .slice(0, shownValues)
            .map(([value, cases]) => ({ value, cases })),
        ]),
      ),
    }),
  };
}

/** The most frequent first; turns that were skipped stand behind what failed. */
function outcomesInOrder(outcomes: ReadonlyMap<ShownOutcome, number>): OutcomeCounts {
  const sorted = byCount(outcomes);
  return Object.fromEntries(sorted.toSorted(([a], [b]) => Number(endOf(a).follows) - Number(endOf(b).follows)));
}

/** The plan of what is counted, and which cases count where the run stopped when it was decided. */
type TalliedPlan = Pick<ComparisonPlan, "sides" | "pairs" | "metrics"> & { stop?: StopRule | null };

/** The newly failing rows of each pair, by the metric of the flips. */
function failureCounts(plan: TalliedPlan): Pick<ModelTally, "add"> & { result: () => NewFailures[] } {
  const { sides, pairs, metrics, stop } = plan;
  const place = passPlace(plan);
  const places = metrics[place]?.places;
  const tallies = places === undefined ? [] : pairs.map(newFailureTally);
  return {
    add(result, compared) {
      for (const [pair, tally] of tallies.entries()) {
        const [difference, sidesOf] = [compared.differences[pair], pairs[pair]];
        if (difference === undefined || sidesOf === undefined) continue;
        if (!isCounted(difference, stop?.placeOf(result.caseId))) continue;
        if (!difference.flips.includes("pass-to-fail")) continue;
        const runs = compared.runs[sidesOf.candidate] ?? [];
        const failed = runs.find(({ job }) => job.scores[places?.get(job.targetId) ?? -1]?.pass === false) ?? runs[0];
        const [baseline] = compared.runs[sidesOf.baseline] ?? [];
        tally.add({ answer: failed?.answer ?? "", before: baseline?.answer ?? null });
      }
    },
    result: () =>
      tallies.flatMap((tally, pair) => tally.result(sides[pairs[pair]?.candidate ?? -1]?.target ?? "") ?? []),
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

/** Counts cases by their scores beyond pass and fail: of each target, and of both sides of each pair. */
interface ScoreCounts {
  add: (compared: Pick<CaseComparison, "sides" | "differences">) => void;
  result: () => ReportScores[];
}

type Counts = Map<number, number>;

/** Number of bins between the bins of two sides in a key, which is more than there can be. */
const widest = 10_000;

interface MetricCounts {
  metric: ReportMetric;
  place: number;
  bins: ScoreBins;
  targets: Counts[];
  pairs: Counts[];
}

function scoreCounts(plan: Pick<ComparisonPlan, "sides" | "pairs" | "metrics">): ScoreCounts {
  const all = reportMetrics(plan.metrics).flatMap((metric, place): MetricCounts[] => {
    if (metric.passes) return [];
    const [targets, pairs] = [plan.sides.map((): Counts => new Map()), plan.pairs.map((): Counts => new Map())];
    return [{ metric, place, bins: scoreBins(metric), targets, pairs }];
  });
  return {
    add({ sides, differences }) {
      for (const { place, bins, targets, pairs } of all) {
        const compared = plan.metrics[place];
        if (compared === undefined) continue;
        const binned = sides.map(({ scores }) => {
          const value = sideScore(scores[place], compared)?.value ?? null;
          return value === null ? null : bins.binOf(value);
        });
        for (const [side, counts] of targets.entries()) countScore(counts, binned[side] ?? null);
        for (const [pair, counts] of pairs.entries()) {
          const { baseline = -1, candidate = -1 } = plan.pairs[pair] ?? {};
          const [from, to] = [binned[baseline] ?? null, binned[candidate] ?? null];
          if (from === null || to === null || differences[pair]?.pairing !== "paired") continue;
          countScore(counts, from * widest + to);
        }
      }
    },
    result: () => all.flatMap((counts) => scoresOf(counts, plan)),
  };
}

function countScore(counts: Counts, key: number | null): void {
  if (key !== null) counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** Nothing for a metric without a score. */
function scoresOf(
  { metric, bins, targets, pairs }: MetricCounts,
  plan: Pick<ComparisonPlan, "sides" | "pairs">,
): ReportScores[] {
  const used = targets.flatMap((counts) => Array.from(counts.keys()));
  if (used.length === 0) return [];
  const [lowest, highest] = [Math.min(...used), Math.max(...used)];
  const drawn = Array.from({ length: highest - lowest + 1 }, (_, place) => lowest + place);
  const nameOf = (side = -1): string => plan.sides[side]?.target ?? "";
  return [
    {
      metric: metric.name,
      bins: drawn.map((bin) => ({ bin, ...bins.rangeOf(bin) })),
      targets: targets.map((counts, side) => ({
        target: nameOf(side),
        counts: drawn.map((bin) => counts.get(bin) ?? 0),
      })),
      pairs: pairs.map((counts, pair) => ({
        baseline: nameOf(plan.pairs[pair]?.baseline),
        candidate: nameOf(plan.pairs[pair]?.candidate),
        cells: Array.from(counts, ([key, cases]) => {
          const from = Math.round(key / widest);
          return { baseline: from - lowest, candidate: key - from * widest - lowest, cases };
        }),
      })),
    },
  ];
}
