import { randomStream } from "../../lib/random.ts";
import { partContrast, type PartContrast } from "../../stats/choice/contrast.ts";
import { manyUnits } from "../../stats/blocks.ts";
import { holm } from "../../stats/multiplicity.ts";
import { tTest } from "../../stats/paired/t-estimate.ts";
import { denseCode } from "../metrics/asked-once.ts";
import type { TagCodes } from "../tallies/segments.ts";
import type { Integer } from "../../lib/integer.ts";

/** Scores of the configurations that are told apart, and what is known of their cases. */
interface PlacedScores {
  /** For each configuration its score of each case, signed so that positive is better. */
  values: readonly Float64Array[];
  /** Number of each case's cluster; null when every case is its own. */
  clusters: Int32Array | null;
  /** Tags with the value of each case. */
  tags: readonly TagCodes[];
  /** The most that a case can differ by; null: there is no end. */
  range: number | null;
  seed: string;
}

/** Where each target is good: its place beside the others in the cases of each value of a tag. */
export interface TagStrengths {
  /** Chance at most that any cell is said to be better or worse that is not: all cells are corrected together (Holm). */
  level: number;
  /** Values of tags, those of one tag together. */
  values: TagStrength[];
  /** Number of values that are not looked at, because others have more cases. */
  left: Integer;
}

export interface TagStrength {
  /** Name of the tag. */
  tag: string;
  /** Value of the tag. */
  value: string;
  /** Number of cases with this value that all targets have a score of. */
  cases: Integer;
  /** In the order of the targets. */
  cells: StrengthCell[];
}

export interface StrengthCell {
  /** Mean over these cases, or their pass rate. */
  mean: number;
  /** Mean less that of all others in these cases, positive where better. */
  here: number;
  /** The same in all other cases; null: there are too few of either. */
  elsewhere: number | null;
  /** Two-sided, of no difference between here and elsewhere, adjusted over all cells; null: it is not tested. */
  p: number | null;
  /** Surely better or worse here than elsewhere, beside the others; null: that is not known. */
  stands: "better" | "worse" | null;
}

const level = 0.05;
/** Values of tags that are looked at: those with the most cases, whatever was seen in them. */
const mostValues = 100;
/** Cases below which a value of a tag says nothing. */
const leastCases = 5;

/**
 * Compares the place of each configuration beside the mean of the others in the cases of each value of a tag with its place in all
 * other cases. Positive values of `sign` keep the unit of the means. Null without a value that could be looked at.
 */
export function strengthsOf(given: PlacedScores, sign: 1 | -1): TagStrengths | null {
  const { values, tags } = given;
  const cases = values[0]?.length ?? 0;
  if (values.length < 2 || cases === 0) return null;
  const found = tags
    .flatMap((tag) => valuesOf(tag, cases))
    .filter(({ count }) => count >= leastCases && count < cases)
    .toSorted((one, other) => other.count - one.count);
  const kept = new Set(found.slice(0, mostValues));
  if (kept.size === 0) return null;
  const codes = unitsOf(given, cases);
  const total = totalOf(values, cases);
  const rows = tags.flatMap((tag) => {
    const wanted = found.filter((each) => each.tag === tag && kept.has(each));
    return wanted.length === 0 ? [] : rowsOf(wanted, { ...given, tag, codes, total });
  });
  // With two configurations what one is better by the other is worse by: it is one question.
  const tested = rows.map(({ contrasts }) => (values.length === 2 ? contrasts.slice(0, 1) : contrasts));
  const adjusted = holm(
    tested.flatMap((each) =>
      each.map((contrast) => (contrast === null ? null : tTest(contrast.difference, 0).twoSided)),
    ),
  );
  let next = 0;
  return {
    level,
    left: found.length - kept.size,
    values: rows.map(({ tag, value, count, means, here, contrasts }, row) => {
      const ps = (tested[row] ?? []).map(() => adjusted[next++] ?? null);
      const cells = contrasts.map((contrast, place): StrengthCell => {
        const p = ps[place] ?? ps[0] ?? null;
        const by = contrast?.difference.mean ?? 0;
        return {
          mean: sign * (means[place] ?? 0),
          here: here[place] ?? 0,
          elsewhere: contrast?.outside ?? null,
          p,
          stands: p === null || p > level || by === 0 ? null : by > 0 ? "better" : "worse",
        };
      });
      return { tag, value, cases: count, cells };
    }),
  };
}

interface TagValue {
  tag: TagCodes;
  value: string;
  /** From 1, as cases have it. */
  code: number;
  count: number;
}

function valuesOf(tag: TagCodes, cases: number): TagValue[] {
  const counts = new Float64Array(tag.values.length + 1);
  for (const code of tag.codes.subarray(0, cases)) counts[code] = (counts[code] ?? 0) + 1;
  return tag.values.map((value, at) => ({ tag, value, code: at + 1, count: counts[at + 1] ?? 0 }));
}

/** A number for the cluster of each case, from 0 without gaps; above 20,000 clusters one of 10,000 blocks of them. */
function unitsOf({ clusters, seed }: PlacedScores, cases: number): { codes: Int32Array; count: number } {
  const known = new Map<number, number>();
  const codes = clusters === null ? null : clusters.map((cluster) => denseCode(known, cluster));
  const count = codes === null ? cases : known.size;
  if (count <= manyUnits) return { codes: codes ?? Int32Array.from({ length: cases }, (_, at) => at), count };
  const random = randomStream(`${seed}/strengths`);
  const block = Int32Array.from({ length: count }, () => Math.floor(random.next() * (manyUnits / 2)));
  return { codes: Int32Array.from({ length: cases }, (_, at) => block[codes?.[at] ?? at] ?? 0), count: manyUnits / 2 };
}

function totalOf(values: readonly Float64Array[], cases: number): Float64Array {
  const total = new Float64Array(cases);
  for (const own of values) for (let at = 0; at < cases; at++) total[at] = (total[at] ?? 0) + (own[at] ?? 0);
  return total;
}

interface OfTag extends PlacedScores {
  tag: TagCodes;
  codes: { codes: Int32Array; count: number };
  /** Sum of all configurations in each case. */
  total: Float64Array;
}

/** One configuration after the other, so that no more than two numbers for each unit and value are held at once. */
function rowsOf(wanted: readonly TagValue[], { values, tag, codes, total, range }: OfTag) {
  const cases = total.length;
  const slot = new Int32Array(tag.values.length + 1).fill(-1);
  for (const [at, { code }] of wanted.entries()) slot[code] = at;
  const others = values.length - 1;
  const rows = wanted.map(({ value, count }) => ({
    tag: tag.tag,
    value,
    count,
    means: [] as number[],
    here: [] as number[],
    contrasts: [] as (PartContrast | null)[],
  }));
  const sizes = new Float64Array(codes.count);
  for (let at = 0; at < cases; at++) add(sizes, codes.codes[at] ?? 0, 1);
  const insides = wanted.map(() => new Float64Array(codes.count));
  for (let at = 0; at < cases; at++) {
    const inside = insides[slot[tag.codes[at] ?? 0] ?? -1];
    if (inside !== undefined) add(inside, codes.codes[at] ?? 0, 1);
  }
  const outsides = insides.map((inside) => sizes.map((size, unit) => size - (inside[unit] ?? 0)));
  for (const own of values) {
    const all = new Float64Array(codes.count);
    const sums = wanted.map(() => new Float64Array(codes.count));
    const scores = new Float64Array(wanted.length);
    for (let at = 0; at < cases; at++) {
      const score = own[at] ?? 0;
      const contrast = score - ((total[at] ?? 0) - score) / others;
      const unit = codes.codes[at] ?? 0;
      add(all, unit, contrast);
      const place = slot[tag.codes[at] ?? 0] ?? -1;
      const inside = sums[place];
      if (inside === undefined) continue;
      add(inside, unit, contrast);
      add(scores, place, score);
    }
    for (const [place, row] of rows.entries()) {
      const inside = { sums: sums[place] ?? all, sizes: insides[place] ?? sizes };
      const outside = {
        sums: all.map((sum, unit) => sum - (inside.sums[unit] ?? 0)),
        sizes: outsides[place] ?? sizes,
      };
      row.means.push((scores[place] ?? 0) / row.count);
      row.here.push(inside.sums.reduce((sum, each) => sum + each, 0) / row.count);
      row.contrasts.push(partContrast({ inside, outside, range }));
    }
  }
  return rows;
}

function add(values: Float64Array, at: number, step: number): void {
  values[at] = (values[at] ?? 0) + step;
}
