import type { CaseFlip } from "../cases/case-flip.ts";
import { fileColumn } from "../../lib/file-column.ts";
import type { CaseComparison } from "../cases/case-comparison.ts";
import type { Difference } from "../cases/case-change.ts";
import { flakinessOf, triedRuns } from "../cases/case-change.ts";
import type { Side } from "../cases/case-side.ts";
import { type ComparisonPlan, passPlace } from "../comparison-plan.ts";
import { type ShownSide, shownSide } from "../cases/shown-side.ts";

/** A case that flipped: both answers, and the addresses of the runs. */
interface Flip {
  key: string;
  /** As a spreadsheet shows it; null where the case is of no file. */
  row: number | null;
  /** File of the row, where the dataset has several. */
  file: string | null;
  baseline: ShownSide;
  candidate: ShownSide;
}

/** Number of flips of a kind, and the first of them. */
interface FlipList {
  kind: CaseFlip;
  cases: number;
  /** The first flips, at most 10; all of them are in comparison.csv. */
  first: Flip[];
}

export interface FlipSummary {
  /** The metric by which a case passes; null: none does. */
  metric: string | null;
  lists: FlipList[];
  /** The reason why flaky cases cannot be told; null if they can. */
  noFlakiness: string | null;
}

export interface FlipTally {
  add: (compared: CaseComparison, from: Side, to: Side, difference: Difference) => void;
  summary: () => FlipSummary;
}

const mostShown = 10;
const kinds: readonly CaseFlip[] = [
  "pass-to-fail",
  "fail-to-pass",
  "newly-flaky",
  "newly-stable",
  "error-appeared",
  "error-gone",
];

/** Counts newly failing and newly passing cases by the primary metric if it passes or fails answers, and errors. */
export function flipTally(comparisonPlan: ComparisonPlan): FlipTally {
  const place = passPlace(comparisonPlan);
  const lists = new Map<CaseFlip, FlipList>(kinds.map((kind) => [kind, { kind, cases: 0, first: [] }]));
  let repeated = false;
  return {
    add({ key, row, columns }, from, to, difference) {
      if (difference.pairing !== "paired") return;
      if (triedRuns(from, place) >= 2 && triedRuns(to, place) >= 2) repeated = true;
      for (const kind of flipsOf(from, to, difference, comparisonPlan)) {
        const list = lists.get(kind);
        if (list === undefined) continue;
        list.cases += 1;
        if (list.first.length < mostShown) {
          const file = columns[fileColumn] ?? null;
          list.first.push({ key, row, file, baseline: shownSide(from), candidate: shownSide(to) });
        }
      }
    },
    summary: () => ({
      metric: comparisonPlan.metrics[place]?.metric.name ?? null,
      lists: kinds.flatMap((kind) => lists.get(kind) ?? []),
      noFlakiness: repeated ? null : noFlakiness(comparisonPlan, place),
    }),
  };
}

function noFlakiness({ metrics }: ComparisonPlan, place: number): string {
  if (metrics[place] === undefined) return "no scorer says pass or fail";
  return "it takes two runs or more of a case on both sides";
}

/** The flips of a case; none where its sides are no pair. */
export function flipsOf(from: Side, to: Side, difference: Difference, comparisonPlan: ComparisonPlan): CaseFlip[] {
  const { change, pairing } = difference;
  if (pairing !== "paired") return [];
  if (change === "error-appeared" || change === "error-gone") return [change];
  const flips: CaseFlip[] = [];
  const place = passPlace(comparisonPlan);
  // Graded by two expected texts: what changed is not the bot alone.
  if (difference.expectedDiffers && comparisonPlan.metrics[place]?.byExpected === true) return [];
  const [before, after] = [passesAll(from, place), passesAll(to, place)];
  if (before === true && after === false) flips.push("pass-to-fail");
  if (before === false && after === true) flips.push("fail-to-pass");
  const flakiness = flakinessOf(from, to, comparisonPlan);
  if (flakiness !== null) flips.push(flakiness);
  return flips;
}

/** True when every run passes, false when none does; null between, and without a graded run. */
function passesAll(side: Side, place: number): boolean | null {
  const value = side.scores[place];
  if (value === undefined || value.passes === null || value.runs === 0) return null;
  if (value.passes === 0) return false;
  return value.passes === triedRuns(side, place) ? true : null;
}
