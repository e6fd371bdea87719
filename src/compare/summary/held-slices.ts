import { benjaminiHochberg } from "../../stats/multiplicity.ts";
import type { MeasureOf } from "../comparison-plan.ts";
import type { OtherTag, Slice } from "../tallies/slices.ts";
import type { PlacedSlice } from "./pair-of-tags.ts";

/** The value of a tag that all cases of a slice have, and that of a second one; null: there is none. */
export interface SliceTags extends OtherTag {
  and: OtherTag | null;
}

/** A slice that is told, and how its metric is judged in a part of its cases. */
export interface JudgedSlice extends PlacedSlice {
  summary: { metric: string; of: MeasureOf; difference: number | null };
  adjusted: number | null;
  /** Its place in the family that is adjusted together. */
  at: number;
  judge: (places: Int32Array) => { difference: number | null; p: number | null } | null;
}

/** The adjusted p up to which a slice is called worse. */
const level = 0.05;

/**
 * Finds the slices that are worse only because of others: the greatest loss of a metric first, each is judged once more in the
 * cases that none told before it holds, by the same test, its p adjusted in its old place among `ps`. Gives those that hold
 * the loss of a slice which is not worse without them, by the place of that slice in the list.
 */
export function heldSlices(slices: readonly JudgedSlice[], ps: readonly (number | null)[]): Map<number, SliceTags[]> {
  const held = new Map<number, SliceTags[]>();
  const ownersOf = new Map<string, Map<number, Slice>>();
  const worse = slices
    .map((each, place) => ({ ...each, place }))
    .filter(({ adjusted, summary }) => adjusted !== null && adjusted <= level && (summary.difference ?? 0) < 0)
    .toSorted((a, b) => (a.summary.difference ?? 0) - (b.summary.difference ?? 0));
  for (const { slice, places, summary, at, judge, place } of worse) {
    const metric = `${summary.of}/${summary.metric}`;
    const owners = ownersOf.get(metric) ?? new Map<number, Slice>();
    ownersOf.set(metric, owners);
    const rest = places.filter((each) => !owners.has(each));
    const isOwn = rest.length === places.length || isWorse(judge(rest), ps, at);
    if (isOwn) for (const each of rest) owners.set(each, slice);
    else held.set(place, namesOf(new Set(Array.from(places).flatMap((each) => owners.get(each) ?? []))));
  }
  return held;
}

function isWorse(found: ReturnType<JudgedSlice["judge"]>, ps: readonly (number | null)[], at: number): boolean {
  if (found === null || found.p === null || (found.difference ?? 0) >= 0) return false;
  const adjusted = benjaminiHochberg(ps.with(at, found.p))[at] ?? null;
  return adjusted !== null && adjusted <= level;
}

function namesOf(slices: ReadonlySet<Slice>): SliceTags[] {
  return Array.from(slices, ({ tag, value, and }) => ({ tag, value, and }));
}
