import type { ReportMetric, ReportSummary } from "../shape/model.ts";
import { scoreFigure } from "./figures.ts";
import { counted, number } from "./quantity.ts";
import { type SegmentName, segmentWords, onMetric } from "./names.ts";

/** A metric that is surely worse, as it is shown. */
export interface ShownWorse {
  candidate: string;
  about: ReportMetric;
  /** The cases with one value of a tag, or of two, and both sides in them; null: all cases. */
  slice: (SegmentName & { cases: number; baseline: number | null; now: number | null }) | null;
}

/** The places of the candidate and the metric that is worse most surely; empty: there is none. */
export function shownPlaces(worse: readonly ShownWorse[]): ShownPlace[] {
  const found = worse.flatMap((each) => (each.slice === null ? [] : [{ ...each, slice: each.slice }]));
  return found.filter(({ candidate, about }) => candidate === found[0]?.candidate && about === found[0].about);
}

/** `Worst: kind = typo, 24 cases: 91.7 % -> 0 %; category = fees, 10 cases: 90 % -> 20 %`; null: it is surely worse nowhere. */
export function worstSegmentWords(
  worse: readonly ShownWorse[],
  { metric, isAlone }: { metric: string | null; isAlone: boolean },
): string | null {
  const places = shownPlaces(worse);
  const [first] = places;
  if (first === undefined) return null;
  const who = isAlone ? "" : ` for ${first.candidate}`;
  const on = first.about.name === metric ? "" : ` on \`${first.about.name}\``;
  const words = places.map(({ about, slice: segment }) => {
    const { cases, baseline, now } = segment;
    return `${segmentWords(segment)}, ${counted(cases, "row")}: ${`${scoreFigure(baseline, about)} -> ${scoreFigure(now, about)}`.replaceAll("−", "-")}`;
  });
  return `Worst${who}${on}: ${words.join("; ")}`;
}

type ShownPlace = ShownWorse & { slice: NonNullable<ShownWorse["slice"]> };

type Reported = Pick<ReportSummary, "candidates" | "metrics" | "gates" | "flips" | "verdict">;

/**
 * `All 19 that got worse`, by the primary metric; where the verdict beside it counts fewer or more, that number and why, and
 * where it is about another metric, which one: so that nobody takes one of them for wrong.
 */
export function worseRowsWords(reported: Reported, { candidate, rows }: { candidate: number; rows: number }): string {
  const { candidates, metrics, gates, flips, verdict } = reported;
  const on = onMetric(metrics[0]?.name, verdict.metric);
  const all = `All ${number(rows)} that got worse${on}`;
  if (on !== "") return all;
  const name = candidates[candidate];
  const gate = gates.find((each) => each.candidate === name && each.slice === null && each.metric === metrics[0]?.name);
  if (gate === undefined || gate.worse === rows) return all;
  const errors = flips.find((flip) => flip.candidate === name && flip.kind === "error-appeared")?.cases ?? 0;
  const without = errors === 0 || gate.worse > rows ? "" : ", without errors";
  return `${all} (the verdict counts ${number(gate.worse)}${without})`;
}

/** Cases that the baseline answered and a candidate did not, where that makes the data incomplete: their losses are no worse answers. */
export function unansweredOf(
  { verdict, flips }: Pick<ReportSummary, "verdict" | "flips">,
  candidate: string | null,
): number {
  if (verdict.state !== "invalid") return 0;
  return flips.find((flip) => flip.candidate === candidate && flip.kind === "error-appeared")?.cases ?? 0;
}

/** `answered by prod, no answer from test:`; the number of the cases stands behind it. */
export const unansweredWords = (baseline: string, candidate: string): string =>
  `answered by ${baseline}, no answer from ${candidate}:`;
