import type { ReportMetric } from "../shape/model.ts";
import { scoreFigure } from "./figures.ts";
import { counted } from "./quantity.ts";
import { type SegmentName, segmentWords } from "./names.ts";

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
