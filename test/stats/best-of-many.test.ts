import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { seededRandom } from "../../src/lib/random.ts";
import { bestSet } from "../../src/stats/choice/best-set.ts";
import { openRace, raceBounds } from "../../src/stats/choice/race.ts";

interface SetVector {
  id: string;
  input: { sums: number[][]; sizes: number[]; range: number | null; alpha: number; nameAlpha: number };
  expected: {
    rates: number[];
    se: number[][];
    maxT: number[];
    p: number[];
    critical: (number | null)[];
    inSet: boolean[];
    upper: number[];
    lower: number[];
    best: number | null;
  };
}
interface RaceVector {
  id: string;
  input: {
    race: true;
    sums: number[][];
    size: number;
    alphaDrop: number;
    eps: number;
    alphaStop: number;
    stakes: number[];
  };
  expected: {
    droppedAfter: (number | null)[];
    evidence: number[];
    decided: { after: number; kind: string; configuration: number };
    asked: number;
  };
}

const file = new URL("../fixtures/best-of-many.json", import.meta.url);
const { vectors } = JSON.parse(readFileSync(file, "utf8")) as { vectors: (SetVector | RaceVector)[] };
const isRace = (vector: SetVector | RaceVector): vector is RaceVector => "race" in vector.input;

/** Rows of one number a configuration, as one array a configuration. */
const columns = (rows: readonly number[][]): Float64Array[] =>
  (rows[0] ?? []).map((_, place) => Float64Array.from(rows, (row) => row[place] ?? 0));

const near = (values: readonly (number | null)[]): unknown[] =>
  values.map((value) => (value === null ? null : expect.closeTo(value, 9)));

describe("the set of those that may be best", () => {
  const sets = vectors.flatMap((vector) => (isRace(vector) ? [] : [vector]));

  test.each(sets.map((vector) => [vector.id, vector] as const))("%s", (_, { input, expected }) => {
    const { alpha, nameAlpha, range } = input;
    const found = bestSet(
      { sums: columns(input.sums), sizes: Float64Array.from(input.sizes), range },
      { seed: "1", alpha: nameAlpha },
    );
    if (typeof found === "string") throw new Error(found);
    expect(found.rates).toEqual(near(expected.rates));
    for (const [place, row] of expected.se.entries()) expect(found.errors[place]).toEqual(near(row));
    expect(found.largestT).toEqual(near(expected.maxT));
    expect(found.p).toEqual(near(expected.p));
    const level = found.at(alpha);
    expect(level.critical).toEqual(near(expected.critical));
    expect(level.members).toEqual(expected.inSet);
    expect(level.upper).toEqual(near(expected.upper));
    expect(level.lower).toEqual(near(expected.lower));
    expect(found.at(nameAlpha).only).toBe(expected.best);
  });
});

describe("the race among many", () => {
  const races = vectors.filter(isRace);

  test.each(races.map((vector) => [vector.id, vector] as const))("%s", (_, { input, expected }) => {
    const { alphaDrop, alphaStop, eps, size } = input;
    const configurations = input.sums[0]?.length ?? 0;
    const race = openRace({
      configurations,
      range: 1,
      most: size,
      alphaDrop,
      closeEnough: { margin: eps, alpha: alphaStop },
    });
    let asked = 0;
    for (const row of input.sums) {
      if (race.end() !== null) break;
      asked += race.droppedAfter().filter((at) => at === null).length;
      race.add(row, size);
    }
    expect(race.end()).toEqual(expected.decided);
    expect(race.droppedAfter()).toEqual(expected.droppedAfter);
    expect(race.evidence()).toEqual(near(expected.evidence));
    expect(asked).toBe(expected.asked);
  });
});

describe("the bounds of a race", () => {
  const random = seededRandom("bounds of a race");
  const rates = [0.9, 0.88, 0.4];
  const sizes = new Float64Array(300).fill(1);
  const sums = rates.map((rate) => sizes.map(() => Number(random() < rate)));
  const levels = { range: 1, most: 1, alphaDrop: 0.025, alphaClose: 0.025 };
  const race = openRace({
    configurations: 3,
    range: 1,
    most: 1,
    alphaDrop: 0.025,
    closeEnough: { margin: 0.05, alpha: 0.025 },
    goesOn: true,
  });
  for (let cluster = 0; cluster < sizes.length; cluster++)
    race.add(
      sums.map((own) => own[cluster] ?? 0),
      1,
    );
  const droppedAfter = race.droppedAfter();

  test("a dropped one has none, and of the others the worse one is behind by no more than its lower bound", () => {
    expect(droppedAfter[2]).not.toBeNull();
    const bounds = raceBounds({ sums, sizes, droppedAfter, isWhole: false }, levels);
    expect(bounds[2]).toEqual({ lower: null, upper: null });
    for (const { lower, upper } of bounds.slice(0, 2)) {
      expect(lower).toBeLessThanOrEqual(0);
      expect(upper).toBeGreaterThanOrEqual(0);
    }
    expect(bounds[1]?.lower ?? 0).toBeLessThan(-0.02);
    expect(bounds[0]?.upper ?? 0).toBeGreaterThan(0.02);
  });

  test("a lower bound is the margin with which the race would just have ended", () => {
    const [own] = raceBounds({ sums, sizes, droppedAfter, isWhole: false }, levels);
    const margin = -(own?.lower ?? 0);
    expect(margin).toBeGreaterThan(0.001);
    const endWith = (eps: number) => {
      const again = openRace({
        configurations: 3,
        range: 1,
        most: 1,
        // Nobody is dropped but by the first race.
        alphaDrop: 1e-300,
        closeEnough: { margin: eps, alpha: 0.025 },
      });
      const [best, next] = sums;
      // The one that was dropped is as good as the best: it stands in no way.
      for (let cluster = 0; cluster < sizes.length; cluster++)
        again.add([best?.[cluster] ?? 0, next?.[cluster] ?? 0, best?.[cluster] ?? 0], 1);
      return again.end();
    };
    expect(endWith(margin * 1.01)).not.toBeNull();
    expect(endWith(margin * 0.5)).toBeNull();
  });

  test("when all were asked to the end, a dropped one has its distance too", () => {
    const bounds = raceBounds({ sums, sizes, droppedAfter, isWhole: true }, levels);
    expect(bounds[2]?.upper).toBe(0);
    expect(bounds[2]?.lower ?? 0).toBeLessThan(-0.5);
  });

  test("clusters that enter after its end drop more, and leave the time of its end", () => {
    const equal = sizes.map(() => 1);
    const rules = {
      configurations: 2,
      range: 1,
      most: 1,
      alphaDrop: 0.025,
      closeEnough: { margin: 0.05, alpha: 0.025 },
    };
    const [short, long] = [openRace(rules), openRace({ ...rules, goesOn: true })];
    for (let cluster = 0; cluster < 200; cluster++)
      for (const each of [short, long]) each.add([equal[cluster] ?? 0, cluster < 100 ? 1 : 0], 1);
    expect(short.end()).toEqual({ kind: "close enough", configuration: 0, after: expect.any(Number) });
    expect(short.droppedAfter()).toEqual([null, null]);
    expect(long.droppedAfter()).toEqual([null, expect.any(Number)]);
    expect(long.end()).toEqual({ kind: "one left", configuration: 0, after: short.end()?.after });
  });
});
