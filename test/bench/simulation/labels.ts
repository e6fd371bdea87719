import type { ComparedMetric } from "../../../src/compare/comparison-plan.ts";
import { byPeople } from "../../../src/compare/metrics/by-people.ts";
import { askGates } from "../../../src/compare/verdict/ask.ts";
import { gateFindings } from "../../../src/compare/verdict/decide.ts";
import { inferredUnder, judgedCases } from "../../../src/compare/metrics/metric-inference.ts";
import type { MetricNumbers } from "../../../src/compare/tallies/metric-tally.ts";
import type { LabelledCase, PeopleNumbers } from "../../../src/compare/tallies/people-tally.ts";
import type { RandomStream } from "../../../src/lib/random.ts";
import { type DrawnCase, passGate, tallied } from "./drawn-gates.ts";
import { nominal, type Situation } from "./situation.ts";

/** Two bots as people see them, and a judge that is milder with the candidate. */
interface Truth {
  name: string;
  /** Share of the cases that both pass, that the candidate alone passes, and that the baseline alone passes. */
  both: number;
  gained: number;
  lost: number;
}

const truths: readonly Truth[] = [
  { name: "75 % to 70 %, 18 % differ", both: 0.635, gained: 0.065, lost: 0.115 },
  { name: "80 % to 80 %, 10 % differ", both: 0.75, gained: 0.05, lost: 0.05 },
  { name: "95 % to 90 %, 6 % differ", both: 0.895, gained: 0.005, lost: 0.055 },
];

/** Share of the right answers that the judge passes, and of the wrong ones that it fails. */
const judges = { candidate: { right: 0.9, wrong: 0.8 }, baseline: { right: 0.8, wrong: 0.9 } };

const cases = 200;

interface Population {
  /** By people. */
  human: readonly { baseline: number; candidate: number }[];
  /** By the judge. */
  graded: readonly DrawnCase[];
}

/** `size`: cases of a cluster, which are alike with a correlation of .5. */
function population({ both, gained, lost }: Truth, size: number, random: RandomStream): Population {
  const one = () => {
    const u = random.next();
    if (u < both) return { baseline: 1, candidate: 1 };
    if (u < both + gained) return { baseline: 0, candidate: 1 };
    return u < both + gained + lost ? { baseline: 1, candidate: 0 } : { baseline: 0, candidate: 0 };
  };
  let shared = one();
  const human = Array.from({ length: cases }, (_, at) => {
    if (at % size === 0) shared = one();
    const own = one();
    return size > 1 && random.next() < Math.SQRT1_2 ? shared : own;
  });
  const judged = (value: number, { right, wrong }: { right: number; wrong: number }): number =>
    random.next() < (value === 1 ? right : wrong) ? value : 1 - value;
  const graded = human.map(({ baseline, candidate }, at) => ({
    baseline: judged(baseline, judges.baseline),
    candidate: judged(candidate, judges.candidate),
    ...(size > 1 && { cluster: Math.floor(at / size) }),
  }));
  return { human, graded };
}

/** Cases that a draw gives, each with the same chance. */
function drawn({ human }: Population, labels: number, random: RandomStream): LabelledCase[] {
  const order = human
    .map((each, place) => ({ each, place, rank: random.next() }))
    .toSorted((one, other) => one.rank - other.rank);
  const probability = labels / human.length;
  return order.slice(0, labels).map(({ each: { baseline, candidate }, place }) => {
    return { place, human: candidate - baseline, baseline, drawn: { part: 0, probability } };
  });
}

const gate = (margin: number): ComparedMetric => ({ ...passGate(margin), judge: "unchecked" });

/** What the product says of one draw: the interval by people, that of the judge alone, and the state of the gate. */
function decided(found: Population, labelled: LabelledCase[], margin: number, seed: string) {
  const compared = gate(margin);
  const results = tallied(compared, found.graded);
  const people: PeopleNumbers = {
    labelled,
    ungraded: [],
    own: new Map(),
    examples: [],
    stale: 0,
    open: [],
    drawnOf: cases,
  };
  const [first] = results.metrics;
  if (first === undefined) throw new Error("nothing was tallied");
  const numbers: MetricNumbers = { ...first, people };
  const options = { margin, confidence: 1 - nominal, passConfidence: 1 - nominal };
  const { clusters } = results;
  const judged = judgedCases(compared, numbers, results);
  const alone = inferredUnder({ stop: null, chosen: null }, judged, options);
  const judge = { baseline: null, candidate: null, estimate: null, interval: null };
  const labels = byPeople(compared, numbers, { clusters, questions: null, chosen: null, judge, options });
  const questions = askGates({
    metrics: [compared],
    results: { ...results, metrics: [numbers], expectedLength: null },
    candidate: "test",
    baseline: "prod",
    alpha: nominal,
    passAlpha: nominal,
    seed,
    fixedBaseline: false,
    clusterColumn: null,
    stop: null,
    chosen: null,
    overall: [{ inferred: labels?.found?.inferred ?? alone, noise: null, people: labels }],
  });
  const [state] = gateFindings(questions, { alpha: nominal, passAlpha: nominal });
  return { labels: labels?.found?.inferred.comparison ?? null, judge: alone?.comparison ?? null, state: state?.state };
}

const outside = "the **95 % interval of the labels** leaves the truth out";
const judgeOutside = "the 95 % interval of the judge alone leaves it out";
const falsePass = "**gate** says pass";
const falseRegression = "**gate** says regression";

interface Drawing {
  truth: Truth;
  labels: number;
  /** Cases of a cluster; 1: each is its own. */
  size: number;
}

/** Comparisons whose true loss is exactly the margin, so that either claim is false. */
function labelSituation({ truth, labels, size }: Drawing, repetitions: number): Situation {
  const clustered = size === 1 ? "" : `, in ${cases / size} clusters of ${size}`;
  const margin = truth.lost - truth.gained;
  return {
    name: `${truth.name}${clustered}; ${labels} of ${cases} cases labelled`,
    asks: "false answers, and intervals without the truth, when the drop is exactly the margin",
    repetitions,
    once: (random, repetition) => {
      const found = population(truth, size, random);
      const chosen = drawn(found, labels, random);
      const { labels: own, judge, state } = decided(found, chosen, margin, `labels/${repetition}`);
      const misses = (interval: { low: number; high: number } | null | undefined): boolean =>
        interval === null || interval === undefined || interval.low > -margin || interval.high < -margin;
      return {
        [outside]: misses(own?.interval),
        [falsePass]: state === "pass",
        [falseRegression]: state === "regression",
        [judgeOutside]: misses(judge?.interval),
      };
    },
    promised: { [outside]: nominal, [falsePass]: 0.065, [falseRegression]: 0.065 },
  };
}

export const labelSituations: readonly Situation[] = truths.flatMap((truth) => [
  ...[20, 50, 100].map((labels) => labelSituation({ truth, labels, size: 1 }, 2_000)),
  labelSituation({ truth, labels: 50, size: 4 }, 2_000),
]);
