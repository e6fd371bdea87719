import type { ReportGate, ReportMetric } from "../shape/model.ts";
import { isTime, limitFigure, type LossTeller, sizeOfChange } from "./figures.ts";
import { counted } from "./quantity.ts";
import { type SegmentName, segmentWords } from "./segment-words.ts";
import { sidesWords } from "./verdict-words.ts";

/** A metric that is surely worse, as it is shown. */
export interface ShownWorse {
  candidate: string;
  about: ReportMetric;
  /** The cases with one value of a tag, or of two, and both sides in them; null: all cases. */
  slice: (SegmentName & { cases: number; baseline: number | null; now: number | null }) | null;
  /** Loss, above 0; of a ratio the share by which it is worse. */
  lost: number;
  /** Its gate, which did not find a regression; null: none asks about it. */
  gate: ReportGate | null;
}

const mostNamed = 2;

/**
 * `. Also worse, where no limit is set (this does not decide): the metric `seconds` (0.42 s more)`: metrics over all cases; empty where there is nothing to
 * add. `isMore`: something else is worse already. `isAlone`: there is one candidate; of several each metric names its own, those
 * of `first` before the others.
 */
export function alsoWorseWords(
  worse: readonly ShownWorse[],
  {
    isMore,
    isGated,
    say,
    isAlone,
    first = null,
  }: { isMore: boolean; isGated: boolean; say: LossTeller; isAlone: boolean; first?: string | null },
): string {
  const all = worse.filter(({ slice: segment }) => segment === null);
  // A scorer that is compared in two ways is named once.
  const whole = all.filter(({ candidate, about }, place) => {
    const own = all.findIndex((each) => each.candidate === candidate && each.about.scorer === about.scorer);
    return own === place;
  });
  if (whole.length === 0) return "";
  const ranked = whole.toSorted((one, other) => Number(other.candidate === first) - Number(one.candidate === first));
  const times = ranked.filter(({ about }) => isTime(about) && !about.relative);
  const slower = times.slice(0, mostNamed).map(slowerWords).join("");
  const ordered = ranked.filter((each) => !times.includes(each));
  if (ordered.length === 0) return slower;
  const named = ordered.slice(0, mostNamed).map((each) => oneWords(each, say, isAlone ? "" : ` of ${each.candidate}`));
  const more = ordered.length - named.length;
  const list = more === 0 ? named : [...named, counted(more, "more metric")];
  // A scorer may be called by a word such as `similar`, which would read as what was found.
  const what = ordered.length === 1 ? "the metric" : "the metrics";
  const where =
    isGated && ordered.every(({ gate }) => gate === null) ? ", where no limit is set (this does not decide)" : "";
  return `. ${isMore ? "Also worse" : "Worse"}${where}: ${what} ${list.join(", ")}${slower}`;
}

/** `. big-model is 0.22 s slower`: a time says by itself which way is worse. */
function slowerWords({ candidate, about, lost, gate }: ShownWorse): string {
  const where = gate === null ? " (no limit is set)" : marginWords(gate, about).replace(/^; /, ", ");
  return `. ${candidate} is ${sizeOfChange(-lost, about)}${where}`;
}

function oneWords({ about, lost, gate }: ShownWorse, say: LossTeller, who: string): string {
  // `10.6 of 100 lower`, `0.2 lower on a scale from 0 to 1`
  const by = say(lost, about, gate?.margin ?? undefined).replace(
    /(?= on a scale )|$/,
    ` ${about.lowerIsBetter ? "more" : "lower"}`,
  );
  return `\`${about.name}\`${who} (${by}${marginWords(gate, about)})`;
}

function marginWords(gate: ReportGate | null, about: ReportMetric): string {
  if (gate?.margin === null || gate?.margin === undefined) return "";
  const margin = limitFigure(gate.margin, about);
  return gate.state === "pass" ? `; the limit is ${margin}` : `; it may be more or less than the limit of ${margin}`;
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
    return `${segmentWords(segment)}, ${counted(cases, "case")}: ${sidesWords(baseline, now, about)}`;
  });
  return `Worst${who}${on}: ${words.join("; ")}`;
}

type ShownPlace = ShownWorse & { slice: NonNullable<ShownWorse["slice"]> };
