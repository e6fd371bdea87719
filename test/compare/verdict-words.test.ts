import { describe, expect, test } from "vitest";
import { candidateVerdicts } from "../../src/compare/summary/candidate-verdict.ts";
import type { CandidateSummary } from "../../src/compare/summary/candidate-summary.ts";
import { decideGates, gateFindings } from "../../src/compare/summary/gates.ts";
import { comparePairs } from "../../src/stats/paired/paired-comparison.ts";
import { slowTest } from "../often.ts";
import { questionOf } from "./gate-question.ts";

const levels = { alpha: 0.05, passAlpha: 0.05 };

const dataOf = (n: number, { won, lost }: { won: number; lost: number }) => ({
  differences: Float64Array.from({ length: n }, (_, at) => (at < lost ? -1 : at < lost + won ? 1 : 0)),
  clusters: null,
  counts: { bothPass: n - won - lost, onlyA: won, onlyB: lost, bothFail: 0 },
  range: 1,
});

/** The word of one candidate whose primary metric has a gate, by the code that decides. */
function wordOf(n: number, counts: { won: number; lost: number }): string {
  const data = dataOf(n, counts);
  const question = questionOf(data, { margin: 0.05 });
  const [finding] = gateFindings([question], levels);
  if (finding === undefined) return "";
  if (finding.word !== "pass") return finding.word;
  // Only a pass can be called better, and the rest of a gate takes time to find.
  const { comparison } = question.inferred ?? { comparison: comparePairs(data, { margin: 0, seed: "1" }) };
  const metric = { metric: question.metric, of: "pass", primary: true, gated: true, comparison };
  const summary = { candidate: question.candidate, baseline: question.baseline, metrics: [metric] };
  const [verdict] = candidateVerdicts([summary as unknown as CandidateSummary], decideGates([question], levels), []);
  return verdict?.word ?? "";
}

/** Logarithms of factorials, up to n. */
const logFactorials = (n: number): Float64Array => {
  const logs = new Float64Array(n + 1);
  for (let at = 1; at <= n; at++) logs[at] = (logs[at - 1] ?? 0) + Math.log(at);
  return logs;
};

/** Shares of each word where equal bots differ in this share of the cases: every outcome counted. */
function sharesOf(n: number, differing: number): Record<string, number> {
  const logs = logFactorials(n);
  const shares: Record<string, number> = {};
  for (let lost = 0; lost <= n; lost++) {
    for (let won = 0; won + lost <= n; won++) {
      const same = n - won - lost;
      const log =
        (logs[n] ?? 0) -
        (logs[lost] ?? 0) -
        (logs[won] ?? 0) -
        (logs[same] ?? 0) +
        (won + lost) * Math.log(differing / 2) +
        same * Math.log(1 - differing);
      if (log < Math.log(1e-7)) continue;
      const word = wordOf(n, { won, lost });
      shares[word] = (shares[word] ?? 0) + Math.exp(log);
    }
  }
  return shares;
}

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

  const sizes = [
    [60, 0.05],
    [60, 0.2],
    [100, 0.1],
  ] as const;
  test.each(sizes)("of %i cases of which %d differ is rarely better or worse by chance", (n, differing) => {
    const { better = 0, worse = 0, regression = 0 } = sharesOf(n, differing);
    expect(better).toBeLessThanOrEqual(0.0255);
    expect(worse).toBeLessThanOrEqual(0.0105);
    expect(regression).toBeLessThanOrEqual(0.01);
  });

  slowTest("is rarely so of many cases, however many of them differ", () => {
    for (const n of [60, 100, 200, 300]) {
      for (const differing of [0.02, 0.05, 0.1, 0.2, 0.4]) {
        const { better = 0, worse = 0 } = sharesOf(n, differing);
        expect(better).toBeLessThanOrEqual(0.0255);
        expect(worse).toBeLessThanOrEqual(0.0105);
        // A year of nights with equal bots sends at most so many notices of it.
        expect(365 * worse).toBeLessThanOrEqual(4);
      }
    }
  });
});
