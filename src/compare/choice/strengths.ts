import { randomStream } from "../../lib/random.ts";
import { manyUnits } from "../../stats/blocks.ts";
import { holm } from "../../stats/multiplicity.ts";
import { tTest } from "../../stats/paired/t-estimate.ts";
import { sum } from "../../stats/sum.ts";
import { allPlaces } from "../metrics/figures.ts";
import { contrastIn, sumsAt, type Units, unitsOf } from "../metrics/part-contrast.ts";
import { markOf, type SliceCell, type SliceTable } from "../summary/slice-table.ts";
import type { Slice } from "../tallies/slices.ts";

/** Scores of the targets that are told apart, and what is known of their cases. */
interface PlacedScores {
  /** For each target its score of each case, signed so that positive is better. */
  values: readonly Float64Array[];
  /** Number of each case's cluster; null when every case is its own. */
  clusters: Int32Array | null;
  /** Those of one tag. */
  slices: readonly Slice[];
  /** The most that a case can differ by; null: there is no end. */
  range: number | null;
  seed: string;
}

/** Values of tags that are looked at: those with the most cases, whatever was seen in them. */
const mostValues = 100;
/** Cases below which a value of a tag says nothing. */
const leastCases = 5;

/**
 * Compares the place of each target beside the mean of the others in each slice with its place in all other cases: a mark says
 * where that surely differs (Holm over all cells). Positive values of `sign` keep the unit of the means. Null without a value that
 * could be looked at.
 */
export function strengthsOf(given: PlacedScores, sign: 1 | -1): Pick<SliceTable, "lines" | "left"> | null {
  const { values, slices, clusters, range, seed } = given;
  const cases = values[0]?.length ?? 0;
  if (values.length < 2) return null;
  const found = slices
    .filter(({ places }) => places.length >= leastCases && places.length < cases)
    .toSorted((one, other) => other.places.length - one.places.length);
  if (found.length === 0) return null;
  const kept = found.slice(0, mostValues);
  const lines = [...new Set(slices.map(({ tag }) => tag))].flatMap((tag) => kept.filter((each) => each.tag === tag));
  const units = blockedUnits(clusters, cases, seed);
  const total = totalOf(values, cases);
  // One target after the other, so that no more than a few numbers for each case are held at once.
  const byTarget = values.map((own) => {
    const contrasts = own.map((score, at) => score - ((total[at] ?? 0) - score) / (values.length - 1));
    const all = sumsAt(contrasts, units, allPlaces(contrasts));
    return lines.map(({ places }) => {
      const inside = sumsAt(contrasts, units, places);
      return {
        mean: (sign * places.reduce((added, place) => added + (own[place] ?? 0), 0)) / places.length,
        difference: sum(inside.sums) / places.length,
        by: contrastIn(inside, all, range)?.difference ?? null,
      };
    });
  });
  // With two targets what one is better by the other is worse by: it is one question.
  const asked = byTarget.slice(0, values.length === 2 ? 1 : values.length);
  const adjusted = holm(
    lines.flatMap((_, line) => asked.map((own) => own[line]?.by ?? null).map((by) => by && tTest(by, 0).twoSided)),
  );
  return {
    lines: lines.map(({ tag, value, places }, line) => ({
      slice: { tag, value },
      cells: byTarget.flatMap((own, at): SliceCell[] => {
        const cell = own[line];
        if (cell === undefined) return [];
        const { by, mean, difference } = cell;
        const p = adjusted[line * asked.length + Math.min(at, asked.length - 1)] ?? null;
        return [{ cases: places.length, mean, difference, p, mark: markOf(by?.mean ?? null, p) }];
      }),
    })),
    left: found.length - kept.length,
  };
}

/** Above 20,000 units each is one of 10,000 blocks of them. */
function blockedUnits(clusters: Int32Array | null, cases: number, seed: string): Units {
  const units = unitsOf(clusters);
  const count = units?.count ?? cases;
  if (count <= manyUnits) return units;
  const random = randomStream(`${seed}/strengths`);
  const block = Int32Array.from({ length: count }, () => Math.floor(random.next() * (manyUnits / 2)));
  const codes = Int32Array.from({ length: cases }, (_, at) => block[units?.codes[at] ?? at] ?? 0);
  return { codes, count: manyUnits / 2 };
}

function totalOf(values: readonly Float64Array[], cases: number): Float64Array {
  const total = new Float64Array(cases);
  for (const own of values) for (let at = 0; at < cases; at++) total[at] = (total[at] ?? 0) + (own[at] ?? 0);
  return total;
}
