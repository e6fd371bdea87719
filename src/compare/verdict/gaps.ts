import { isRejected, type PairedOptions } from "../../stats/difference.ts";
import { type MarginGate, rangeOf } from "../comparison-plan.ts";
import { gapOf } from "../tallies/metric-tally.ts";
import type { ByPeople } from "../metrics/by-people.ts";
import {
  type Inferred,
  inferredUnder,
  type JudgedCases,
  judgedCases,
  passPUnder,
} from "../metrics/metric-inference.ts";
import type { GapsOfGate } from "./numbers.ts";
import type { Slice } from "../tallies/slices.ts";
import type { AskedMetric } from "./kind.ts";

/** Null where the candidate has no more gaps than the baseline, and for a score without an end. */
export function gapsOfGate(
  gate: MarginGate,
  about: AskedMetric,
  { of, options, byPeople }: { of: Slice | null; options: PairedOptions; byPeople: ByPeople["found"] },
): GapsOfGate | null {
  const { compared, numbers, given } = about;
  const { gaps } = numbers;
  if (gaps === null || gate.margin === null) return null;
  const has = (place: number): boolean => of === null || of.has(place);
  const counts = { baseline: 0, candidate: 0 };
  const lacking: number[] = [];
  for (const [place, sides] of gaps.sides.entries()) {
    if (!has(place) || sides === 0) continue;
    if ((sides & gapOf.baseline) !== 0) counts.baseline += 1;
    if ((sides & gapOf.candidate) !== 0) {
      counts.candidate += 1;
      if (!Number.isNaN(gaps.differences[place])) lacking.push(place);
    }
  }
  if (counts.candidate <= counts.baseline) return null;
  const casesOf = (differences: Float64Array): JudgedCases | null => {
    const places = of === null ? {} : { places: of.places };
    const cases = judgedCases(compared, numbers, { ...given.results, differences, ...places });
    return cases.paired.n === 0 ? null : cases;
  };
  const inferredOf = (differences: Float64Array): Inferred | null => {
    if (byPeople !== null) return byPeople.withGaps(gapsAmong(differences, { numbers, has }));
    const cases = casesOf(differences);
    return cases === null ? null : inferredUnder(given, cases, options);
  };
  const passP = (differences: Float64Array): number | null => {
    if (byPeople !== null) return inferredOf(differences)?.comparison.pPass ?? null;
    const cases = casesOf(differences);
    return cases === null ? null : passPUnder(given, cases, options);
  };
  const range = rangeOf(compared) ?? 1;
  const mayBeWrong = (passAlpha: number): number | null => {
    if (!numbers.single) return null;
    // The gaps that cost most are wrong first; the others are as right as they can be.
    const ordered = lacking.toSorted((one, other) => (gaps.differences[one] ?? 0) - (gaps.differences[other] ?? 0));
    const passes = (wrong: number): boolean => {
      const differences = gaps.differences.slice();
      for (const place of ordered.slice(wrong)) differences[place] = (differences[place] ?? 0) + range;
      return isRejected(passP(differences), passAlpha);
    };
    if (!passes(0)) return null;
    let [most, tooMany] = [0, ordered.length];
    while (tooMany - most > 1) {
      const middle = Math.floor((most + tooMany) / 2);
      if (passes(middle)) most = middle;
      else tooMany = middle;
    }
    return most;
  };
  return { cases: counts.candidate, inferred: inferredOf(gaps.differences), mayBeWrong };
}

/** The differences of cases that are out of the comparison for want of an answer, by place. */
function gapsAmong(
  differences: Float64Array,
  { numbers, has }: { numbers: AskedMetric["numbers"]; has: (place: number) => boolean },
): ReadonlyMap<number, number> {
  const inside = new Set(numbers.people?.ungraded);
  const found = new Map<number, number>();
  for (const [place, difference] of differences.entries()) {
    if (!has(place) || Number.isNaN(difference) || inside.has(place)) continue;
    if (Number.isNaN(numbers.differences[place])) found.set(place, difference);
  }
  return found;
}
