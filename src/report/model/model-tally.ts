import { endOf, type OutcomeCounts, type ShownOutcome } from "../../api/outcomes.ts";
import type { CaseComparison, PairedResult } from "../../compare/cases/case-comparison.ts";
import { latencyOf } from "../../compare/cases/case-side.ts";
import { sideOutcome } from "../../compare/cases/side-outcome.ts";
import type { ReportSummary, NewFailures } from "../shape/model.ts";
import { type ComparisonPlan, passPlace } from "../../compare/comparison-plan.ts";
import type { StopRule } from "../../compare/stop-rule.ts";
import { isCounted } from "../../compare/tallies/candidate-tally.ts";
import { jsonFields } from "./json-fields.ts";
import { newFailureTally } from "./new-failures.ts";

/** Counts of a report beside the comparison, over every case; memory does not grow with them. */
export interface ModelTally {
  add: (result: PairedResult, compared: Pick<CaseComparison, "sides" | "differences" | "runs">) => void;
  /** The counts when the last case has gone by. */
  counts: () => ModelCounts;
}

/** The counts as plain JSON. */
export interface ModelCounts extends Pick<ReportSummary, "tags" | "fields"> {
  /** By the place of each side, as the slowest are. */
  outcomes: OutcomeCounts[];
  /** Times of the slowest answers in milliseconds; null: none has one. */
  slowest: (number | null)[];
  newFailures: NewFailures[];
}

const noTime: number | null = null;
const mostTags = 20;
const mostValues = 500;
const shownValues = 60;
const mostFields = 60;
const mostLookedAt = 1000;

export function modelTally(plan: TalliedPlan): ModelTally {
  const { sides } = plan;
  const failures = failureCounts(plan);
  const counts = sides.map(() => ({ outcomes: new Map<ShownOutcome, number>(), slowest: noTime }));
  const placeOf = new Map(sides.flatMap(({ targetIds }, place) => targetIds.map((id) => [id, place] as const)));
  const tags = new Map<string, Map<string, number>>();
  const fields = fieldNames();

  const countTag = (name: string, value: string): void => {
    const values = tags.get(name) ?? new Map<string, number>();
    if (!tags.has(name) && tags.size >= mostTags) return;
    tags.set(name, values);
    const known = values.get(value);
    if (known !== undefined || values.size < mostValues) values.set(value, (known ?? 0) + 1);
  };

  return {
    add(result, compared) {
      failures.add(result, compared);
      for (const [run] of compared.runs) fields.add(run?.answer ?? null);
      for (const job of result.jobs) {
        const count = counts[placeOf.get(job.targetId) ?? -1];
        if (count === undefined) continue;
        const outcome = sideOutcome(job);
        count.outcomes.set(outcome, (count.outcomes.get(outcome) ?? 0) + 1);
        const latency = latencyOf(job);
        if (job.outcome === "ok" && latency !== null) count.slowest = Math.max(count.slowest ?? 0, latency);
      }
      for (const [name, value] of Object.entries(result.tags)) countTag(name, value);
    },
    counts: () => ({
      outcomes: counts.map(({ outcomes }) => outcomesInOrder(outcomes)),
      slowest: counts.map(({ slowest }) => slowest),
      newFailures: failures.result(),
      ...fields.result(),
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

/** The fields of JSON answers, in the order in which they are met; the first answers tell them. */
function fieldNames(): { add: (answer: string | null) => void; result: () => Pick<ModelCounts, "fields"> } {
  const names = new Set<string>();
  let looked = 0;
  return {
    add(answer) {
      if (answer === null || looked >= mostLookedAt || names.size >= mostFields) return;
      looked += 1;
      for (const name of jsonFields(answer)?.keys() ?? []) if (names.size < mostFields) names.add(name);
    },
    result: () => (names.size === 0 ? {} : { fields: Array.from(names) }),
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
