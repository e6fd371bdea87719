import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { partContrast } from "../../src/stats/choice/contrast.ts";
import { tTest } from "../../src/stats/paired/t-estimate.ts";

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
}

const file = new URL("../fixtures/strengths.json", import.meta.url);
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

  test("says nothing of few clusters", () => {
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
