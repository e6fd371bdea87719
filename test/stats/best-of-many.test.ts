import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { bestSet } from "../../src/stats/choice/best-set.ts";
import { openRace } from "./race.ts";

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
