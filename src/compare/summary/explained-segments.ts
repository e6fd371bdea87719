import { benjaminiHochberg } from "../../stats/multiplicity.ts";
import type { MeasureOf } from "../comparison-plan.ts";
import type { OtherTag, Segment } from "../tallies/segments.ts";
import type { PlacedSegment } from "./pair-of-tags.ts";

/** The value of a tag that all cases of a segment have, and that of a second one; null: there is none. */
export interface SegmentTags extends OtherTag {
  /** The value of a second tag that the cases have too; null: a tag alone. */
  and: OtherTag | null;
}

/** A segment that is told, and how its metric is judged in a part of its cases. */
export interface JudgedSegment extends PlacedSegment {
  summary: { metric: string; of: MeasureOf; difference: number | null };
  /** Mean difference of its metric over all cases; null where it may be no hint, as where a gate asks about it. */
  overall: number | null;
  adjusted: number | null;
  /** Its place in the family that is adjusted together. */
  at: number;
  judge: (places: Int32Array) => { difference: number | null; p: number | null } | null;
}

/** The adjusted p up to which a segment is called worse, and up to which one that lost much is a hint where to look. */
const worseLevel = 0.05;
const hintLevel = 0.2;

/** The least cases of a hint, and how many times as much as all cases together they lost. */
const leastOfHint = 5;
const timesAll = 2;

/** The segments that others hold, and the hints, by their place in the list. */
interface HeldAndHinted {
  held: Map<number, SegmentTags[]>;
  hints: Set<number>;
}

/**
 * Finds the segments that are worse only because of others: the greatest loss of a metric first, each is judged once more in the
 * cases that none told before it holds, by the same test, its p adjusted in its old place among `ps`. Gives those that hold
 * the loss of a segment which is not worse without them. After them come those that chance may explain: one that lost much,
 * also without the cases of the others, is a hint.
 */
export function explainedSegments(segments: readonly JudgedSegment[], ps: readonly (number | null)[]): HeldAndHinted {
  const found: HeldAndHinted = { held: new Map(), hints: new Set() };
  const ownersOf = new Map<string, Map<number, Segment>>();
  const placed = segments
    .map((each, place) => ({ ...each, place, isSure: (each.adjusted ?? 1) <= worseLevel }))
    .filter((each) => (each.isSure ? (each.summary.difference ?? 0) < 0 : mayBeHint(each)))
    .toSorted(
      (a, b) => Number(b.isSure) - Number(a.isSure) || (a.summary.difference ?? 0) - (b.summary.difference ?? 0),
    );
  for (const { slice: segment, places, summary, at, judge, place, isSure } of placed) {
    const metric = `${summary.of}/${summary.metric}`;
    const owners = ownersOf.get(metric) ?? new Map<number, Segment>();
    ownersOf.set(metric, owners);
    const rest = places.filter((each) => !owners.has(each));
    const level = isSure ? worseLevel : hintLevel;
    const isOwn = rest.length === places.length || isWorse(judge(rest), ps, { at, level });
    if (isOwn) for (const each of rest) owners.set(each, segment);
    if (isOwn && !isSure) found.hints.add(place);
    if (!isOwn && isSure)
      found.held.set(place, namesOf(new Set(Array.from(places).flatMap((each) => owners.get(each) ?? []))));
  }
  return found;
}

function mayBeHint({ adjusted, places, overall, summary: { difference } }: JudgedSegment): boolean {
  if (adjusted === null || adjusted > hintLevel || difference === null || overall === null) return false;
  return places.length >= leastOfHint && difference < 0 && difference <= timesAll * overall;
}

function isWorse(
  found: ReturnType<JudgedSegment["judge"]>,
  ps: readonly (number | null)[],
  { at, level }: { at: number; level: number },
): boolean {
  if (found === null || found.p === null || (found.difference ?? 0) >= 0) return false;
  const adjusted = benjaminiHochberg(ps.with(at, found.p))[at] ?? null;
  return adjusted !== null && adjusted <= level;
}

function namesOf(segments: ReadonlySet<Segment>): SegmentTags[] {
  return Array.from(segments, ({ tag, value, and }) => ({ tag, value, and }));
}
