import { describe, expect, test } from "vitest";
import { seededRandom } from "../../src/lib/random.ts";
import { chanceOfAny, chanceToFail, falseAlarms } from "../../src/stats/planning/tries.ts";

describe("rows that must hold over repeats", () => {
  test("fail by chance as the binomial says", () => {
    // 0.1^5 + 5 * 0.9 * 0.1^4 + 10 * 0.9^2 * 0.1^3
    expect(chanceToFail(0.9, { pass: 3, of: 5 })).toBeCloseTo(0.00856, 12);
    expect(chanceToFail(0.95, { pass: 3, of: 5 })).toBeCloseTo(0.001158125, 12);
    expect(chanceToFail(0.5, { pass: 3, of: 5 })).toBeCloseTo(0.5, 12);
    expect(chanceToFail(0.9, { pass: 5, of: 5 })).toBeCloseTo(1 - 0.9 ** 5, 12);
    expect(chanceToFail(0.99, { pass: 1, of: 1 })).toBeCloseTo(0.01, 12);
    expect([chanceToFail(1, { pass: 3, of: 5 }), chanceToFail(0, { pass: 3, of: 5 })]).toEqual([0, 1]);
  });

  test("add up over the rows", () => {
    const [low, middle, high] = falseAlarms({ pass: 3, of: 5 }, 40);
    expect(low?.any).toBeCloseTo(1 - (1 - 0.00856) ** 40, 12);
    expect(middle?.any).toBeCloseTo(0.0453, 4);
    expect(high?.any).toBeCloseTo(0.000394, 6);
    const strict = falseAlarms({ pass: 4, of: 5 }, 40).map(({ any }) => any);
    expect(strict.map((any) => Number(any.toFixed(3)))).toEqual([0.967, 0.599, 0.038]);
    // Terms that vanish beside 1 are not lost.
    expect(chanceOfAny(1e-18, 1_000)).toBeCloseTo(1e-15, 20);
    expect(chanceOfAny(1, 3)).toBeCloseTo(1, 12);
  });

  test("come out so when they are drawn", () => {
    const random = seededRandom("tries");
    const [rounds, rows] = [4_000, 40];
    let alarms = 0;
    for (let round = 0; round < rounds; round++) {
      const failing = Array.from({ length: rows }, () => {
        const passes = Array.from({ length: 5 }, () => random() < 0.95).filter((pass) => pass).length;
        return passes < 3;
      });
      alarms += Number(failing.includes(true));
    }
    const expected = chanceOfAny(chanceToFail(0.95, { pass: 3, of: 5 }), rows);
    const deviation = Math.sqrt((expected * (1 - expected)) / rounds);
    expect(Math.abs(alarms / rounds - expected)).toBeLessThan(4 * deviation);
  });
});
