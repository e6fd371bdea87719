import { describe, expect, test } from "vitest";
import type { PairedResult } from "../../src/compare/case-comparison.ts";
import { compareCases } from "../../src/compare/comparison.ts";
import type { ComparisonSettings } from "../../src/compare/comparison.ts";
import { behaviourWords, gateWords } from "../../src/report/verdict-words.ts";
import { aCase, candidate, passing, prod, says, scored, settings } from "../compare/case-result.ts";

function words(results: Iterable<PairedResult>, given: Partial<ComparisonSettings> = {}) {
  const comparison = compareCases(results, { ...settings, metrics: [passing()], ...given });
  const [gate] = comparison.gates;
  const [found] = comparison.candidates;
  if (gate === undefined || found === undefined) throw new Error("nothing was compared");
  return { ...gateWords(gate, comparison), behaviour: behaviourWords(found.behaviour, found) };
}

/** 40 conversations of three turns; of some the first turn fails on test. */
const talks = (lost: number): PairedResult[] =>
  Array.from({ length: 120 }, (_, i) =>
    aCase(`k${i}`, [says(prod, "a", scored(true)), says(candidate, "a", scored(i >= lost))], { cluster: `c${i % 40}` }),
  );

const seconds = (value: number) => ({ scores: [{ value, pass: null, reason: null }] });

describe("the words of a gate", () => {
  test("name both sides, the difference, how sure, in how many cases and by which test", () => {
    const { sentence, details } = words(talks(24), { clustered: true });
    expect(sentence).toBe(
      "test is worse on `correct`: 100 % -> 80 % (-20.0 points, 95 % interval -25.3 to -14.7, p < 0.0001; 120 cases in 40 conversations, cluster-robust t); 24 cases got worse, 0 better.",
    );
    expect(details.join("\n")).toMatch(
      /that it lost more than 5 points: p < 0.0001\ncluster-robust t and the interval of the same t: /,
    );
    expect(details.join("\n")).toMatch(/the smallest drop that these cases could show: \d/);
  });

  test("say what would settle it when it cannot be told", () => {
    const { sentence, details } = words(talks(1).slice(0, 30));
    expect(sentence).toMatch(/^Whether test is worse on `correct` by 5 points cannot be told: 100 % -> 97 % /);
    expect(details[0]).toMatch(/^what would settle it: (about [\d,]+ cases|not affordable)/);
  });

  test("turn the sign of what is better when it is lower", () => {
    const results = Array.from({ length: 40 }, (_, i) =>
      aCase(`k${i}`, [
        says(prod, "a", seconds(2 + (i % 5))),
        says(candidate, "a", seconds(3 + (i % 5) + (i % 3) / 10)),
      ]),
    );
    const metric = {
      ...passing({ name: "seconds", scale: { kind: "unbounded", unit: "s" }, passes: false, lowerIsBetter: true }),
      gate: { margin: 0.5 },
    };
    const { sentence } = words(results, { metrics: [metric] });
    expect(sentence).toMatch(
      /^test is worse on `seconds`: 4.00 s -> 5.10 s \(\+1.10 s, 95 % interval \+1.07 to \+1.12, p < 0.0001; 40 cases, cluster-robust t\); 40 cases got worse, 0 better.$/,
    );
    const ratio = { ...metric, of: "ratio" as const, gate: { margin: 0.1 } };
    expect(words(results, { metrics: [ratio] }).sentence).toMatch(
      /: 3.73 s -> 4.89 s \(x 1.31, 95 % interval x 1.27 to x 1.35, /,
    );
  });
});

test("the words of behaviour say that the noise is not known when the baseline ran once", () => {
  expect(words(talks(0)).behaviour).toBe(
    "Whether test behaves otherwise than prod is not known: no noise floor measured, the baseline ran once.",
  );
});
