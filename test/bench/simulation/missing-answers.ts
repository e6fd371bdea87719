import { compareRead, type PairedResult } from "../../../src/compare/cases/case-comparison.ts";
import { readSide } from "../../../src/compare/cases/case-side.ts";
import type { ComparedMetric } from "../../../src/compare/comparison-plan.ts";
import type { GateState } from "../../../src/compare/verdict-word.ts";
import { validityOfTargets } from "../../../src/compare/summary/validity.ts";
import { candidateTally } from "../../../src/compare/tallies/candidate-tally.ts";
import { targetTally } from "../../../src/compare/tallies/target-tally.ts";
import type { RandomStream } from "../../../src/lib/random.ts";
import type { JobResult } from "../../../src/store/results/case-result.ts";
import { aCase, candidate, failed, passing, prod, settings, unfinished } from "../../compare/case-result.ts";
import { scoreGate, statesOf } from "./drawn-gates.ts";
import { gauss } from "./draws.ts";
import { nominal, type Situation } from "./situation.ts";

/** The end of a run: a number is its score; `missing` was never asked, `failed` was and brought nothing. */
type End = number | "missing" | "failed";

interface MissingGiven {
  name: string;
  gates: ComparedMetric;
  draw: (random: RandomStream) => { baseline: End; candidate: End };
}

const cases = 200;

function missing({ name, gates, draw }: MissingGiven): Situation {
  return {
    name: `${cases} cases, ${name}`,
    asks: "false answers when the drop is exactly the margin",
    repetitions: 4_000,
    once: (random, repetition) => {
      const results = Array.from({ length: cases }, (_, place) => {
        const ends = draw(random);
        const jobs = [jobOf(prod, ends.baseline, gates), jobOf(candidate, ends.candidate, gates)];
        return aCase(`k${place}`, jobs, { caseId: place + 1 });
      });
      const verdict = verdictOf(results, gates, `simulation/${repetition}`);
      return {
        "**verdict** is a regression": verdict === "regression",
        "**verdict** is a pass": verdict === "pass",
        "the verdict is invalid": verdict === "invalid",
      };
    },
    promised: { "**verdict** is a regression": nominal, "**verdict** is a pass": nominal },
  };
}

/** Looks at the errors of both sides, and asks the gate. */
function verdictOf(results: readonly PairedResult[], gates: ComparedMetric, seed: string): GateState | null {
  const { paired, targets } = pairedCases(results, gates);
  const validity = validityOfTargets(targets, { maxErrorShare: settings.maxErrorShare, missing: [] });
  if (validity.state === "invalid") return "invalid";
  return statesOf(gates, paired, seed)[0]?.state ?? null;
}

/** Pairs cases as a comparison does, and counts both sides. */
export function pairedCases(results: readonly PairedResult[], gates: ComparedMetric) {
  const plan = { ...settings, metrics: [gates] };
  const tally = candidateTally(plan, false);
  const targets = plan.sides.map((side) => targetTally(side, plan));
  for (const [cluster, result] of results.entries()) {
    const read = plan.sides.map((side) => readSide(result, side, plan.metrics));
    const compared = compareRead(result, read, plan);
    const [from, to] = read;
    const [difference] = compared.differences;
    if (from === undefined || to === undefined || difference === undefined) continue;
    targets[0]?.add(result, from, { cluster, isCounted: true });
    targets[1]?.add(result, to, { cluster, isCounted: true });
    const pair = { baseline: from, candidate: to };
    tally.add({ result, compared, from: from.side, to: to.side, read: pair, difference, cluster });
  }
  return { paired: tally.results(), targets: targets.map((target) => target.summary()) };
}

const body = JSON.stringify({ id: "r", url: "https://bots.example.test/?run_id=r", created_at: "", output: {} });

function jobOf(target: typeof prod, end: End, { metric }: ComparedMetric): JobResult {
  if (end === "failed") return failed(target, "no answer");
  if (end === "missing") return unfinished(target, { outcome: "missing" });
  const score = { value: end, pass: metric.passes ? end === 1 : null, reason: null };
  return unfinished(target, { outcome: "ok", answer: "answered", body, scores: [score] });
}

/** A pass or a fail of each side: 5 points more are lost than gained. */
function answers(random: RandomStream): { baseline: number; candidate: number } {
  const draw = random.next();
  if (draw < 0.1) return { baseline: 1, candidate: 0 };
  if (draw < 0.15) return { baseline: 0, candidate: 1 };
  return draw < 0.85 ? { baseline: 1, candidate: 1 } : { baseline: 0, candidate: 0 };
}

const share = 0.03;
const rate = passing();

export const missingAnswers: readonly Situation[] = [
  missing({
    name: "pass or fail, 3 % of the stored answers missing at random on both sides",
    gates: rate,
    draw: (random) => {
      const found = answers(random);
      return {
        baseline: random.next() < share ? "missing" : found.baseline,
        candidate: random.next() < share ? "missing" : found.candidate,
      };
    },
  }),
  missing({
    name: "pass or fail, 3 % of the stored answers missing at random on one side",
    gates: rate,
    draw: (random) => {
      const found = answers(random);
      return { ...found, candidate: random.next() < share ? "missing" : found.candidate };
    },
  }),
  missing({
    name: "pass or fail, 3 % of the candidate's runs fail, and are a part of the drop",
    gates: rate,
    draw: (random) => {
      const draw = random.next();
      if (draw < share) return { baseline: random.next() < 0.8 ? 1 : 0, candidate: "failed" };
      // The failed runs lose 2.4 of the 5 points.
      if (draw < share + 0.076) return { baseline: 1, candidate: 0 };
      if (draw < share + 0.126) return { baseline: 0, candidate: 1 };
      return draw < 0.85 ? { baseline: 1, candidate: 1 } : { baseline: 0, candidate: 0 };
    },
  }),
  missing({
    name: "a score without bounds, 3 % of the runs of both sides fail at random",
    gates: scoreGate("value", 0.3),
    draw: (random) => ({
      baseline: random.next() < share ? "failed" : 0,
      candidate: random.next() < share ? "failed" : gauss(random) - 0.3,
    }),
  }),
  missing({
    name: "pass or fail, 3 % of the candidate's stored answers missing, all of them wrong ones",
    gates: rate,
    draw: (random) => {
      const found = answers(random);
      const isMissing = found.candidate === 0 && random.next() < share / 0.25;
      return { ...found, candidate: isMissing ? "missing" : found.candidate };
    },
  }),
];
