import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { correctedDifference, differenceByLabels } from "../../src/stats/judged/corrected-difference.ts";
import { advisedLabels, labelsNeeded } from "../../src/stats/judged/labels-needed.ts";
import { roganGladen } from "../../src/stats/judged/rogan-gladen.ts";
import { boundsOf, claimsOf } from "../../src/stats/difference.ts";

interface Vector {
  id: string;
  function: string;
  inputs: Record<string, unknown>;
  expected: unknown;
  tolerance: number;
}

interface Judged {
  judge: number[];
  labelled: number[];
  human: number[];
  probability: number[];
  cluster: number[];
  range: number | null;
  margin: number;
  level: number;
  confidence: number;
}

const file = new URL("../fixtures/judges.json", import.meta.url);
const { vectors } = JSON.parse(readFileSync(file, "utf8")) as { vectors: Vector[] };
const vectorsOf = (name: string): Vector[] => vectors.filter((vector) => vector.function === name);

function dataOf({ judge, labelled, human, probability, cluster, range }: Judged) {
  const labels = labelled.map((place, at) => {
    return { place, human: human[at] ?? 0, probability: probability[at] ?? 1 };
  });
  return { judge: Float64Array.from(judge), labels, clusters: Int32Array.from(cluster), range };
}

function inferred(data: Parameters<typeof correctedDifference>[0]) {
  const found = correctedDifference(data);
  if (typeof found === "string") throw new Error(found);
  return { found, inference: differenceByLabels(found) };
}

describe("a difference by a judge, corrected by people's labels", () => {
  const judged = vectorsOf("judgeCorrectedDifference");

  test("has reference values", () => {
    expect(judged.length).toBeGreaterThan(2);
  });

  test.each(judged.map((vector) => [vector.id, vector] as const))("%s", (_, { inputs, expected, tolerance }) => {
    const given = inputs as unknown as Judged;
    const { found, inference } = inferred(dataOf(given));
    const { low = null, high = null } = inference.interval(given.level) ?? {};
    const levels = { margin: given.margin, alpha: 0, passAlpha: 0 };
    const ends = { margin: given.margin, lower: given.confidence, upper: given.confidence };
    const { pPass, pRegression } = claimsOf(inference, levels);
    const got: Record<string, unknown> = {
      estimate: found.estimate,
      lam: found.lambda,
      se: found.se,
      df: found.df,
      pseudo: found.isWidened,
      discordant: found.differing,
      low,
      high,
      ...boundsOf(inference, ends),
      p_pass: pPass,
      p_regression: pRegression,
    };
    for (const [key, value] of Object.entries(expected as Record<string, unknown>)) {
      if (typeof value === "number") expect(Math.abs(Number(got[key]) - value), key).toBeLessThan(tolerance);
      else expect(got[key], key).toBe(value);
    }
  });

  const some = dataOf(judged[0]?.inputs as unknown as Judged);

  test("is refused with fewer than 20 labels, and with fewer than 15 clusters that have one", () => {
    expect(correctedDifference({ ...some, labels: some.labels.slice(0, 19) })).toBe("too-few-labels");
    const clusters = Int32Array.from(some.judge, (_, at) => at % 14);
    expect(correctedDifference({ ...some, clusters })).toBe("too-few-clusters");
  });

  test("is refused where a score without ends is alike in all labels", () => {
    const labels = some.labels.map((label) => ({ ...label, human: 0.5 }));
    expect(correctedDifference({ ...some, labels, range: null })).toBe("no-variation");
  });

  test("goes by the labels alone where the judge tells nothing", () => {
    const judge = some.judge.map(() => 1);
    const { found } = inferred({ ...some, judge });
    expect(found.lambda).toBe(0);
    expect(found.correlation).toBeNull();
    const mean = some.labels.reduce((total, { human }) => total + human, 0) / some.labels.length;
    expect(found.estimate).toBeCloseTo(mean, 12);
  });

  test("takes a judge on another scale in its own unit", () => {
    const { found } = inferred(some);
    const tenfold = inferred({ ...some, judge: some.judge.map((value) => value * 10), judgeRange: 10 }).found;
    expect(tenfold.lambda).toBeCloseTo(found.lambda / 10, 12);
    expect(tenfold.estimate).toBeCloseTo(found.estimate, 12);
    expect(tenfold.se).toBeCloseTo(found.se, 12);
  });

  test("gives what the judge left open the mean of the others", () => {
    const judge = some.judge.with(0, Number.NaN);
    const rest = judge.filter((value) => !Number.isNaN(value));
    const mean = rest.reduce((total, value) => total + value, 0) / rest.length;
    expect(inferred({ ...some, judge }).found.estimate).toBeCloseTo(
      inferred({ ...some, judge: judge.with(0, mean) }).found.estimate,
      12,
    );
  });

  test("never leaves the ends of the scale", () => {
    const labels = some.labels.map((label, at) => ({ ...label, human: at % 9 === 0 ? 1 : -1 }));
    const { inference } = inferred({ ...some, judge: some.judge.map(() => 0), labels });
    expect(inference.interval(0.999999)?.low).toBe(-1);
  });
});

test("the number of labels is as in the reference values", () => {
  const [vector] = vectorsOf("labelsNeeded");
  const cases = vector?.inputs["cases"] as { sd: number; r: number; n: number; distance: number }[];
  const got = cases.map(({ sd, r, n, distance }) =>
    labelsNeeded({ sd, correlation: r }, { distance, cases: n, alpha: 0.05 }),
  );
  const expected = vector?.expected as { labels: number | null; casesNeeded: number | null }[];
  expect(got.map(({ labels, cases: least }) => ({ labels, cases: least }))).toEqual(
    expected.map(({ labels, casesNeeded }) => ({ labels, cases: casesNeeded })),
  );
});

test("few labels are advised with a tenth more, and never fewer than are needed at all", () => {
  expect(advisedLabels({ labels: 40, cases: null }, 20)).toEqual({ labels: 44, cases: null });
  expect(advisedLabels({ labels: 7, cases: null }, 20)).toEqual({ labels: 20, cases: null });
  expect(advisedLabels({ labels: 88, cases: null }, 20)).toEqual({ labels: 88, cases: null });
});

test("the rate without a judge's mistakes has an interval that counts the chance in the labels", () => {
  const counts = { truePass: 45, falseFail: 5, trueFail: 40, falsePass: 10 };
  const found = roganGladen({ rate: 0.6, answers: 200 }, counts, 0.95);
  // (.6 + .8 - 1) / .7, and the square root of its three terms over .7.
  expect(found?.rate).toBeCloseTo(0.4 / 0.7, 12);
  const rate = 0.4 / 0.7;
  const variance = (0.6 * 0.4) / 200 + (rate ** 2 * 0.09) / 50 + ((1 - rate) ** 2 * 0.16) / 50;
  const half = (1.959963984540054 * Math.sqrt(variance)) / 0.7;
  expect(found?.interval.low).toBeCloseTo(rate - half, 9);
  expect(found?.interval.high).toBeCloseTo(rate + half, 9);
  expect(roganGladen({ rate: 0.6, answers: 200 }, { ...counts, falsePass: 45, trueFail: 5 }, 0.95)).toBeNull();
});
