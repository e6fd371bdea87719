import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { dimensionEffects, type VariedDimension } from "../../src/compare/choice/dimension-effects.ts";
import { meanContrast, partContrast } from "../../src/stats/choice/contrast.ts";
import { clusterTotals } from "../../src/stats/clusters.ts";
import { tInterval, tTest } from "../../src/stats/paired/t-estimate.ts";

interface Cases {
  values: number[];
  clusters: number[];
  range: number | null;
}
interface Vectors {
  part: {
    id: string;
    input: Cases & { inside: boolean[] };
    expected: { inside: number; outside: number; difference: number; se: number; df: number; p: number };
  }[];
  mean: { id: string; input: Cases; expected: { mean: number; se: number; df: number; low: number; high: number } }[];
  grid: {
    input: { scores: number[][]; temperature: number[]; model: number[] };
    effects: { dimension: string; from: string; to: string; difference: number; lower: number; upper: number }[];
    interactions: { first: string; second: string; difference: number; lower: number; upper: number }[];
  };
}

const file = new URL("../fixtures/choice-findings.json", import.meta.url);
const vectors = JSON.parse(readFileSync(file, "utf8")) as Vectors;
const near = (value: number): unknown => expect.closeTo(value, 9);

/** Sums and sizes of all clusters over the cases that are wanted. */
function sumsOf({ values, clusters }: Cases, wanted: (at: number) => boolean) {
  const [sums, sizes] = [new Float64Array(Math.max(...clusters) + 1), new Float64Array(Math.max(...clusters) + 1)];
  for (const [at, cluster] of clusters.entries()) {
    if (!wanted(at)) continue;
    sums[cluster] = (sums[cluster] ?? 0) + (values[at] ?? 0);
    sizes[cluster] = (sizes[cluster] ?? 0) + 1;
  }
  return { sums, sizes };
}

describe("a contrast", () => {
  test.each(vectors.part.map((vector) => [vector.id, vector] as const))(
    "in a part of the cases against all others: %s",
    (_, { input, expected }) => {
      const sides = {
        inside: sumsOf(input, (at) => input.inside[at] === true),
        outside: sumsOf(input, (at) => input.inside[at] !== true),
      };
      const found = partContrast({ ...sides, range: input.range });
      if (found === null) throw new Error("nothing was found");
      const { inside, outside, difference } = found;
      expect({ inside, outside }).toEqual({ inside: near(expected.inside), outside: near(expected.outside) });
      expect([difference.mean, difference.se, difference.df]).toEqual(
        [expected.difference, expected.se, expected.df].map(near),
      );
      expect(tTest(difference, 0).twoSided).toEqual(near(expected.p));
    },
  );

  test.each(vectors.mean.map((vector) => [vector.id, vector] as const))(
    "over all cases: %s",
    (_, { input, expected }) => {
      const found = meanContrast({ ...sumsOf(input, () => true), range: input.range });
      if (found === null) throw new Error("nothing was found");
      const { low, high } = tInterval(found, 0.95) ?? { low: Number.NaN, high: Number.NaN };
      expect([found.mean, found.se, found.df, low, high]).toEqual(
        [expected.mean, expected.se, expected.df, expected.low, expected.high].map(near),
      );
    },
  );

  test("says nothing of few clusters, nor of a score without ends that does not vary", () => {
    const ones = new Float64Array(4).fill(1);
    expect(meanContrast({ sums: ones, sizes: ones, range: 1 })).toBeNull();
    const many = new Float64Array(40).fill(1);
    expect(meanContrast({ sums: many, sizes: many, range: null })).toBeNull();
    const none = new Float64Array(40);
    const few = none.map((_, at) => Number(at < 4));
    const rest = none.map((_, at) => Number(at >= 4));
    expect(
      partContrast({ inside: { sums: few, sizes: few }, outside: { sums: rest, sizes: rest }, range: 1 }),
    ).toBeNull();
  });

  test("of a part that is won in all its cases is not taken for sure, where these are few", () => {
    const sizes = (from: number, to: number) =>
      Float64Array.from({ length: 400 }, (_, at) => Number(at >= from && at < to));
    const inside = { sums: sizes(0, 6), sizes: sizes(0, 6) };
    const found = partContrast({ inside, outside: { sums: new Float64Array(400), sizes: sizes(6, 400) }, range: 1 });
    expect(found?.difference.se).toBeGreaterThan(Math.SQRT2 / 6 - 1e-9);
  });
});

describe("the effects of a grid", () => {
  const { input, effects, interactions } = vectors.grid;
  const dimensions: VariedDimension[] = [
    { name: "temperature", values: ["0", "1"], of: input.temperature },
    { name: "model", values: ["a", "b", "c"], of: input.model },
  ];
  const totals = input.scores.map((scores) => clusterTotals(Float64Array.from(scores), null));
  const given = { sums: totals.map(({ sums }) => sums), sizes: new Float64Array(80).fill(1), range: 1 };

  test("are those of an independent program, with bounds that hold for all at once", () => {
    const found = dimensionEffects(dimensions, given, 1);
    expect(found?.effects).toEqual(
      effects.map((each) =>
        expect.objectContaining({
          ...each,
          difference: near(each.difference),
          lower: near(each.lower),
          upper: near(each.upper),
          holds: each.lower > 0 || each.upper < 0,
        }),
      ),
    );
    const surety = ({ lower, upper }: { lower: number; upper: number }): number =>
      -Math.abs(lower + upper) / (upper - lower);
    const held = interactions
      .filter(({ lower, upper }) => lower > 0 || upper < 0)
      .toSorted((one, other) => surety(one) - surety(other));
    expect(held.length).toBeGreaterThan(0);
    expect(found?.interactions.map(({ first, second, lower, upper }) => ({ first, second, lower, upper }))).toEqual(
      held.map(({ first, second, lower, upper }) => ({ first, second, lower: near(lower), upper: near(upper) })),
    );
  });

  test("reach no further than the scale, however few the cases are", () => {
    const few = { sums: given.sums.map((own) => own.slice(0, 5)), sizes: new Float64Array(5).fill(1) };
    const within = dimensionEffects(dimensions, { ...few, range: 1 }, 1)?.effects ?? [];
    expect(within.some(({ lower, upper }) => lower === -1 || upper === 1)).toBe(true);
    expect(within.filter(({ lower, upper }) => lower < -1 || upper > 1)).toEqual([]);
  });

  test("are averaged over the combinations that have all values alone, and left out where there is none", () => {
    // Without the configuration (1, c) the temperature is compared with models a and b, and nothing is known of the models but there.
    const drop = (place: number, of: readonly number[]) => of.map((value, at) => (at === place ? -1 : value));
    const partial = dimensions.map((each) => ({ ...each, of: drop(5, each.of) }));
    const found = dimensionEffects(partial, given, 1);
    const temperature = found?.effects.find(({ dimension }) => dimension === "temperature");
    expect(temperature).toMatchObject({ combinations: 2, of: 3 });
    const mean = (place: number): number => (input.scores[place] ?? []).reduce((sum, each) => sum + each, 0) / 80;
    expect(temperature?.difference).toBeCloseTo((mean(3) + mean(4) - mean(0) - mean(1)) / 2, 12);
    expect(found?.effects.find(({ dimension }) => dimension === "model")).toMatchObject({ combinations: 1, of: 2 });
    // (0, a), (0, b), (1, c): no model was tried with both, no temperature with all.
    const apart = dimensions.map((each) => ({
      ...each,
      of: each.of.map((value, at) => ([0, 1, 5].includes(at) ? value : -1)),
    }));
    expect(dimensionEffects(apart, given, 1)).toMatchObject({
      effects: [],
      interactions: [],
      incomplete: ["temperature", "model"],
    });
  });

  test("are none without a dimension of two values, and without enough clusters", () => {
    expect(dimensionEffects([], given, 1)).toBeNull();
    expect(dimensionEffects([{ name: "temperature", values: ["0"], of: [0, 0, 0, 0, 0, 0] }], given, 1)).toBeNull();
    const few = { ...given, sums: given.sums.map((own) => own.slice(0, 4)), sizes: new Float64Array(4).fill(1) };
    expect(dimensionEffects(dimensions, few, 1)).toBeNull();
  });
});
