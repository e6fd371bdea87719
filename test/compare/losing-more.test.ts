import { describe, expect, test } from "vitest";
import type { ComparedMetric } from "../../src/compare/comparison-plan.ts";
import { type Random, seededRandom } from "../../src/lib/random.ts";
import { type DrawnCase, drawnStates, passGate, scoreGate } from "../bench/simulation/drawn-gates.ts";
import { often } from "../often.ts";

const passes = (compared: ComparedMetric, cases: readonly DrawnCase[]): boolean =>
  drawnStates(compared, cases, "losing more")[0]?.word === "pass";

interface Sheet {
  name: string;
  compared: ComparedMetric;
  /** Cases of which nothing is lost yet. */
  cases: (random: Random) => DrawnCase[];
  /** The same candidate with one answer more that is wrong. */
  worse: (candidate: number) => number;
  steps: number;
}

const turned = (): number => 0;
const aRunTurned = (candidate: number): number => Math.max(0, candidate - 1 / 3);

const clusters = (count: number, size: number, gains: number): Sheet["cases"] => {
  return (random) =>
    Array.from({ length: count * size }, (_, at) => {
      const baseline = random() < gains ? 0 : 1;
      return { baseline, candidate: 1, cluster: Math.floor(at / size) };
    });
};

const rows =
  (count: number, gains: number): Sheet["cases"] =>
  (random) =>
    Array.from({ length: count }, () => ({ baseline: random() < gains ? 0 : 1, candidate: 1 }));

/** Each row three times: some answers of both sides are wrong by chance. */
const repeated =
  (count: number, flaky: number): Sheet["cases"] =>
  (random) =>
    Array.from({ length: count }, () => {
      const side = (): number => (random() < flaky ? (random() < 0.5 ? 2 / 3 : 1 / 3) : 1);
      return { baseline: side(), candidate: side() };
    });

const sheets: Sheet[] = [
  ...[0.05, 0.1].flatMap((margin): Sheet[] => [
    {
      name: `20 x 10, limit ${margin}`,
      compared: passGate(margin),
      cases: clusters(20, 10, 0),
      worse: turned,
      steps: 9,
    },
    {
      name: `40 x 6, limit ${margin}`,
      compared: passGate(margin),
      cases: clusters(40, 6, 0),
      worse: turned,
      steps: 14,
    },
    {
      name: `60 x 5, limit ${margin}`,
      compared: passGate(margin),
      cases: clusters(60, 5, 0),
      worse: turned,
      steps: 14,
    },
    {
      name: `60 x 5 with gains, limit ${margin}`,
      compared: passGate(margin),
      cases: clusters(60, 5, 0.02),
      worse: turned,
      steps: 14,
    },
    { name: `100 rows, limit ${margin}`, compared: passGate(margin), cases: rows(100, 0), worse: turned, steps: 8 },
    {
      name: `100 rows with gains, limit ${margin}`,
      compared: passGate(margin),
      cases: rows(100, 0.03),
      worse: turned,
      steps: 8,
    },
    {
      name: `60 rows, three runs, limit ${margin}`,
      compared: passGate(margin),
      cases: repeated(60, 0.1),
      worse: aRunTurned,
      steps: 12,
    },
    {
      name: `100 rows, three runs, limit ${margin}`,
      compared: passGate(margin),
      cases: repeated(100, 0.1),
      worse: aRunTurned,
      steps: 12,
    },
  ]),
  {
    name: "100 rows of a score from 0 to 1",
    compared: scoreGate("value", 0.05, { kind: "bounded", min: 0, max: 1 }),
    cases: (random) => Array.from({ length: 100 }, () => ({ baseline: 0.8, candidate: 0.8 + (random() - 0.5) * 0.2 })),
    worse: (candidate) => Math.max(0, candidate - 0.4),
    steps: 10,
  },
];

describe("losing one more answer", () => {
  test.each(sheets.map((sheet) => [sheet.name, sheet] as const))("never makes a pass: %s", (_, sheet) => {
    for (let repetition = 0; repetition < often(6, 60); repetition++) {
      const random = seededRandom(`${sheet.name} ${repetition}`);
      const cases = sheet.cases(random);
      let passed = passes(sheet.compared, cases);
      for (let step = 0; step < sheet.steps; step++) {
        const at = Math.floor(random() * cases.length);
        const own = cases[at];
        if (own === undefined) continue;
        cases[at] = { ...own, candidate: sheet.worse(own.candidate) };
        const now = passes(sheet.compared, cases);
        expect([repetition, step, !passed && now]).toEqual([repetition, step, false]);
        passed = now;
      }
    }
  });
});

describe("so few units as hide the loss", () => {
  const lost = (count: number, size: number, wrong: number): DrawnCase[] =>
    Array.from({ length: count * size }, (_, at) => ({
      baseline: 1,
      candidate: at % size === 0 && at / size < wrong ? 0 : 1,
      cluster: Math.floor(at / size),
    }));

  test.each([
    [20, 10],
    [40, 6],
  ])("%d groups of %d do not pass a limit of 5 points, whether or not a row is lost", (count, size) => {
    for (const wrong of [0, 1, 2, 3, 4]) {
      const [found] = drawnStates(passGate(0.05), lost(count, size, wrong), "few");
      expect([wrong, found?.word]).toEqual([wrong, "too-few-cases"]);
    }
    expect(passes(passGate(0.05), lost(60, 5, 0))).toBe(true);
  });

  test("of a graded score do not pass however alike they are, and more do", () => {
    const gate = scoreGate("value", 0.05, { kind: "bounded", min: 0, max: 1 });
    const graded = (count: number): DrawnCase[] =>
      Array.from({ length: count }, (_, at) => ({ baseline: 0.8, candidate: 0.8 + ((at % 5) - 2) / 100 }));
    for (const count of [10, 20, 40]) expect([count, passes(gate, graded(count))]).toEqual([count, false]);
    expect(passes(gate, graded(60))).toBe(true);
  });
});
