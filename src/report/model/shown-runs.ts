import { passPlaceOf, type ReportFrame } from "../shape/reporter.ts";
import type { ReportChange, ReportRun } from "../shape/row.ts";
import type { WorstRow } from "./worst-rows.ts";

/** One side of a row to look at, by the run that shows best what became of it. */
export interface ShownRun {
  name: string;
  /** Null: it has no run. */
  run: ReportRun | null;
  /** `its 2nd run, which passed`; empty for the first. */
  which: string;
}

/**
 * Chooses the runs to show: for a case that got worse the run of the candidate that failed, or else does not pass,
 * beside one of the baseline that does; for one that got better the other way round; the first runs if they tell as
 * much.
 */
export function shownRuns(
  { row, change, pair }: WorstRow,
  { pairs, targets, metrics }: ReportFrame,
): { baseline: ShownRun; candidate: ShownRun } {
  const { baseline, candidate } = pairs[pair] ?? { baseline: "", candidate: change.candidate };
  const runsOf = (name: string): ReportRun[] => row.sides[targets.indexOf(name)]?.runs ?? [];
  const [before, after] = [runsOf(baseline), runsOf(candidate)];
  const place = passPlaceOf(metrics);
  const side = (name: string, runs: ReportRun[], want: Want): ShownRun => shownRun(name, runs, { place, want });
  const reported = turnOf(change);
  if (reported === "better") {
    return { baseline: side(baseline, before, "bad"), candidate: side(candidate, after, "good") };
  }
  // A failure that the baseline has too explains nothing.
  const isNew = reported === "worse" || !before.some(({ failed }) => failed);
  const want = reported === "worse" ? "bad" : isNew ? "failed" : "first";
  return { baseline: side(baseline, before, isNew ? "good" : "first"), candidate: side(candidate, after, want) };
}

/**
 * Place of the run to show of both sides at once, from 0: that of the candidate that explains what became of the row, or else that
 * of the baseline.
 */
export function tellingRun(worst: WorstRow, frame: ReportFrame): number {
  const { baseline, candidate } = shownRuns(worst, frame);
  const placeIn = ({ name, run }: ShownRun): number => {
    const runs = worst.row.sides[frame.targets.indexOf(name)]?.runs ?? [];
    return run === null ? 0 : Math.max(0, runs.indexOf(run));
  };
  return placeIn(candidate) || placeIn(baseline);
}

type Want = "good" | "bad" | "failed" | "first";

function turnOf({ kind, trend }: ReportChange): "worse" | "better" | null {
  if (trend !== null) return trend;
  if (kind === "newly-flaky" || kind === "error-appeared") return "worse";
  return kind === "newly-stable" || kind === "error-gone" ? "better" : null;
}

function shownRun(name: string, runs: readonly ReportRun[], given: { place: number; want: Want }): ShownRun {
  const found = placeOf(runs, given);
  const run = runs[found] ?? null;
  return { name, run, which: found === 0 || run === null ? "" : `its ${nth(found + 1)} run${gradeWords(run, given)}` };
}

function nth(place: number): string {
  const ending = { one: "st", two: "nd", few: "rd", other: "th", zero: "th", many: "th" };
  return `${place}${ending[ordinals.select(place)]}`;
}

const ordinals = new Intl.PluralRules("en", { type: "ordinal" });

function gradeWords({ failed, scores }: ReportRun, { place }: { place: number }): string {
  // The error says so itself.
  if (failed) return "";
  const pass = scores[place]?.pass ?? null;
  return pass === null ? "" : `, which ${pass ? "passed" : "failed"}`;
}

/** Place of the first run that is as wanted, or nearly so. */
function placeOf(runs: readonly ReportRun[], { place, want }: { place: number; want: Want }): number {
  const passes = (run: ReportRun): boolean | null => run.scores[place]?.pass ?? null;
  const ways: Record<Want, ((run: ReportRun) => boolean)[]> = {
    good: [(run) => passes(run) === true, ({ failed }) => !failed],
    bad: [({ failed }) => failed, (run) => passes(run) === false],
    failed: [({ failed }) => failed],
    first: [],
  };
  for (const isWanted of ways[want]) {
    const found = runs.findIndex(isWanted);
    if (found !== -1) return found;
  }
  return 0;
}
