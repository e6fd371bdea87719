import { describe, expect, test } from "vitest";
import { randomStream } from "../../src/lib/random.ts";
import { equalSheets, mostOfEqual, severalEqual, sharesOf, wordOf, wordsOf } from "../bench/simulation/equal-bots.ts";
import { slowTest } from "../often.ts";

describe("the word of a candidate", () => {
  test("says what is known of few and many cases", () => {
    expect(wordOf(75, { won: 21, lost: 0 })).toBe("better");
    // mid-p .0625
    expect(wordOf(120, { won: 4, lost: 0 })).not.toBe("better");
    expect(wordOf(58, { won: 0, lost: 6 })).toBe("worse");
    expect(wordOf(40, { won: 0, lost: 0 })).toBe("too-few-cases");
    expect(wordOf(100, { won: 0, lost: 0 })).toBe("pass");
    expect(wordOf(100, { won: 0, lost: 20 })).toBe("regression");
  });

  test.each([
    { cases: 60, differ: 0.05 },
    { cases: 60, differ: 0.2 },
    { cases: 100, differ: 0.1 },
  ])("of $cases cases of which $differ differ is rarely better or worse by chance", (bots) => {
    const { better = 0, worse = 0, regression = 0 } = sharesOf(bots);
    expect(better).toBeLessThanOrEqual(mostOfEqual.better + 0.0005);
    expect(worse).toBeLessThanOrEqual(mostOfEqual.worse + 0.0005);
    expect(regression).toBeLessThanOrEqual(0.01);
  });

  slowTest("is rarely so of many cases, however many of them differ", () => {
    for (const bots of equalSheets) {
      const { better = 0, worse = 0 } = sharesOf(bots);
      expect(better).toBeLessThanOrEqual(mostOfEqual.better + 0.0005);
      expect(worse).toBeLessThanOrEqual(mostOfEqual.worse + 0.0005);
      // A year of nights with equal bots sends at most so many notices of it.
      expect(365 * worse).toBeLessThanOrEqual(4);
    }
  });
});

describe("the words of several candidates", () => {
  // mid-p .031: enough for one candidate, not for one of four.
  const five = { won: 5, lost: 0 };
  const same = { won: 0, lost: 0 };

  test("are told of each after Holm over all of them", () => {
    expect(wordsOf(120, [five]).each).toEqual(["better"]);
    expect(wordsOf(120, [five, same, same, same])).toEqual({ each: ["pass", "pass", "pass", "pass"], top: "pass" });
    const sure = { won: 12, lost: 0 };
    expect(wordsOf(120, [sure, same, same, same])).toMatchObject({ each: ["better", "pass", "pass", "pass"] });
  });

  test("are rarely better or worse by chance where all four are equal", () => {
    const repetitions = 100;
    const counts = new Map<string, number>();
    for (const { once, name } of severalEqual) {
      const random = randomStream(name);
      for (let at = 0; at < repetitions; at++)
        for (const [rule, spoke] of Object.entries(once(random, at)))
          counts.set(rule, (counts.get(rule) ?? 0) + Number(spoke));
    }
    const [first] = severalEqual;
    for (const [rule, share] of Object.entries(first?.promised ?? {})) {
      const all = severalEqual.length * repetitions;
      // Three standard deviations more.
      expect(counts.get(rule), rule).toBeLessThanOrEqual(all * share + 3 * Math.sqrt(all * share));
    }
    expect(counts.get("each by itself: one is BETTER") ?? 0).toBeGreaterThan(
      counts.get("**together**: one is BETTER") ?? 0,
    );
  });
});
