import { comparePairs } from "../../stats/compare-pairs.ts";
import { candidateVerdicts, wordOfAll } from "../../../src/compare/summary/candidate-verdict.ts";
import type { GateFacts } from "../../../src/compare/verdict/facts.ts";
import { decideGates, gateFindings } from "../../../src/compare/verdict/decide.ts";
import { topWord, type VerdictWord } from "../../../src/compare/verdict-word.ts";
import type { RandomStream } from "../../../src/lib/random.ts";
import { binomialPmf } from "../../../src/stats/distributions/binomial.ts";
import { type PairedData } from "../../../src/stats/difference.ts";
import { questionOf } from "../../compare/gate-question.ts";
import type { Pace, Simulated } from "./simulation.ts";
import type { Situation } from "./situation.ts";

/** Cases that only the candidate passes, and those that only the baseline does. */
export interface Outcome {
  won: number;
  lost: number;
}

/** Bots that are equal, and the share of the cases in which they differ by chance. */
export interface EqualBots {
  cases: number;
  differ: number;
}

const levels = { alpha: 0.05, passAlpha: 0.05 };
const margin = 0.05;

function dataOf(n: number, { won, lost }: Outcome): PairedData {
  return {
    differences: Float64Array.from({ length: n }, (_, at) => (at < lost ? -1 : at < lost + won ? 1 : 0)),
    clusters: null,
    counts: { bothPass: n - won - lost, onlyA: won, onlyB: lost, bothFail: 0 },
    range: 1,
  };
}

/** Candidates of one comparison, each with its gate and its primary metric. */
function judged(n: number, outcomes: readonly Outcome[]) {
  return outcomes.map((outcome, place) => {
    const data = dataOf(n, outcome);
    const question = questionOf(data, { margin, candidate: `test ${place}` });
    const { metric, of, candidate, baseline } = question.facts;
    const comparison = question.basis.numbers.inferred?.comparison ?? comparePairs(data, { margin: 0 });
    return {
      question,
      summary: { candidate, baseline, metrics: [{ metric, of, primary: true, gated: true, comparison }] },
    };
  });
}

/** The word of each candidate of a comparison, by the code that decides, and of all together. */
export function wordsOf(n: number, outcomes: readonly Outcome[]): { each: VerdictWord[]; top: VerdictWord | null } {
  const candidates = judged(n, outcomes);
  const questions = candidates.map(({ question }) => question);
  const findings = gateFindings(questions, levels).map(({ word }) => word);
  // Only a pass with a p of 5 % can be called better, and the rest of a gate takes time to find.
  const mayBeBetter = candidates.some(({ summary }, place) => {
    return findings[place] === "pass" && summary.metrics.some(({ comparison }) => (comparison.p ?? 1) <= 0.05);
  });
  if (!mayBeBetter) return { each: findings, top: topWord(findings) };
  const gates = decideGates(questions, levels);
  const verdicts = candidateVerdicts(
    candidates.map(({ summary }) => summary),
    gates,
    [],
    [],
  );
  return { each: verdicts.flatMap(({ word }) => word ?? []), top: wordOfAll(verdicts, gates) };
}

/** The gate of a single candidate, with all that it tells. */
export const gatesOf = (n: number, outcome: Outcome): GateFacts[] =>
  decideGates(
    judged(n, [outcome]).map(({ question }) => question),
    levels,
  );

const known = new Map<string, VerdictWord | null>();

/** The word of a single candidate. */
export function wordOf(n: number, outcome: Outcome): VerdictWord | null {
  const key = `${n} ${outcome.won} ${outcome.lost}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  const word = wordsOf(n, [outcome]).top;
  known.set(key, word);
  return word;
}

/** The share of each word where equal bots differ in so many of the cases: every outcome counted, but for those that hardly ever come. */
export function sharesOf({ cases, differ }: EqualBots): Partial<Record<VerdictWord, number>> {
  const shares: Partial<Record<VerdictWord, number>> = {};
  for (let differing = 0; differing <= cases; differing++) {
    const chance = binomialPmf(differing, cases, differ);
    if (chance < 1e-7) continue;
    for (let lost = 0; lost <= differing; lost++) {
      const joint = chance * binomialPmf(lost, differing, 0.5);
      if (joint < 1e-7) continue;
      const word = wordOf(cases, { won: differing - lost, lost });
      if (word !== null) shares[word] = (shares[word] ?? 0) + joint;
    }
  }
  return shares;
}

/** The most that is promised of equal bots. */
export const mostOfEqual = { better: 0.025, worse: 0.01 } as const;

/** The sheets for which that is promised. */
export const equalSheets: readonly EqualBots[] = [60, 100, 200, 300].flatMap((cases) =>
  [0.02, 0.05, 0.1, 0.2, 0.4].map((differ) => ({ cases, differ })),
);
const shown = ["better", "pass", "too-few-cases", "worse", "regression"] as const;

/** The words of equal bots: nothing is drawn. */
export function words({ note, quick }: Pace): Simulated {
  let kept = true;
  const lines = (quick ? equalSheets.slice(0, 5) : equalSheets).map((bots) => {
    note(`${bots.cases} cases of which ${bots.differ * 100} % differ`);
    const shares = sharesOf(bots);
    // They are counted, not drawn: what is let through is the rounding of the promise.
    const isKept = (["better", "worse"] as const).every((word) => (shares[word] ?? 0) <= mostOfEqual[word] + 0.0005);
    kept &&= isKept;
    const cells = shown.map((word) => ((shares[word] ?? 0) * 100).toFixed(2));
    return `| ${bots.cases} | ${bots.differ * 100} % | ${cells.join(" | ")} | ${isKept ? "yes" : "**no**"} |`;
  });
  const head = [
    "| cases | differ | BETTER | PASS | TOO FEW ROWS | WORSE | REGRESSION | as promised |",
    "| --- | --- | ---: | ---: | ---: | ---: | ---: | --- |",
  ];
  return { table: [...head, ...lines].join("\n"), kept };
}

/** Outcomes of candidates against one baseline: some cases go by the toss of a coin on every side, the others always alike. */
function drawEqual({ cases, differ }: EqualBots, candidates: number, random: RandomStream): Outcome[] {
  const outcomes = Array.from({ length: candidates }, () => ({ won: 0, lost: 0 }));
  for (let each = 0; each < cases; each++) {
    if (random.next() >= 2 * differ) continue;
    const before = random.bits() % 2;
    for (const outcome of outcomes) {
      const now = random.bits() % 2;
      if (now > before) outcome.won += 1;
      if (now < before) outcome.lost += 1;
    }
  }
  return outcomes;
}

/** Four equal candidates of one comparison, and what would be said if each were judged by itself. */
export const severalEqual: readonly Situation[] = [
  { cases: 60, differ: 0.2 },
  { cases: 100, differ: 0.1 },
  { cases: 200, differ: 0.2 },
  { cases: 300, differ: 0.1 },
].map((bots): Situation => ({
  name: `4 equal candidates, ${bots.cases} cases, of which ${bots.differ * 100} % differ`,
  asks: "false alarms: nothing changed",
  repetitions: 4_000,
  once: (random) => {
    const outcomes = drawEqual(bots, 4, random);
    const alone = new Set(outcomes.map((outcome) => wordOf(bots.cases, outcome)));
    const { each, top } = wordsOf(bots.cases, outcomes);
    return {
      "each by itself: one is BETTER": alone.has("better"),
      "**together**: one is BETTER": each.includes("better"),
      "each by itself: one is WORSE": alone.has("worse"),
      "**together**: one is WORSE": each.includes("worse"),
      "**the word at the top** is WORSE": top === "worse",
    };
  },
  promised: {
    "**together**: one is BETTER": mostOfEqual.better,
    "**together**: one is WORSE": mostOfEqual.worse,
    "**the word at the top** is WORSE": mostOfEqual.worse,
  },
}));
