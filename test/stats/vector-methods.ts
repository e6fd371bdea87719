import { cohensKappa, judgeCorrectedRate } from "../../src/stats/rater-agreement.ts";
import { betaCdf, tCdf } from "./oracles/cumulative.ts";
import { binomialCdf } from "../../src/stats/distributions/binomial.ts";
import { clusterEstimate } from "../../src/stats/paired/cluster-t.ts";
import { clusterCodes, clusterTotals } from "../../src/stats/clusters.ts";
import { gateFindings } from "../../src/compare/verdict/decide.ts";
import { questionOf } from "../compare/gate-question.ts";
import type { Interval } from "../../src/stats/interval.ts";
import { energyDistances } from "../../src/stats/resampling/labellings.ts";
import { meanDifferences } from "./oracles/mean-differences.ts";
import type { PairedCounts } from "../../src/stats/paired/mcnemar.ts";
import { mcNemarReference } from "./oracles/mcnemar.ts";
import { uncorrectedError } from "./oracles/uncorrected-error.ts";
import { benjaminiHochberg, holm } from "../../src/stats/multiplicity.ts";
import { nightlyFalseAlarm, perNightAlpha } from "../../src/stats/planning/nights.ts";
import { normalQuantile } from "../../src/stats/distributions/normal.ts";
import { rateDifference } from "../../src/stats/paired/exact-score.ts";
import { tangoBounds, tangoInterval, tangoTest } from "./oracles/tango.ts";
import { designEffect } from "../../src/stats/planning/design-effect.ts";
import { detectable } from "../../src/stats/planning/detectable.ts";
import { wilsonInterval } from "../../src/stats/paired/proportion.ts";
import { quantile } from "../../src/stats/quantile.ts";
import { relabelTally } from "../../src/stats/resampling/relabel.ts";
import { clusterIcc, passAtK, passHatK } from "../../src/stats/planning/repeats.ts";
import { tQuantile } from "../../src/stats/distributions/student-t.ts";
import { tBounds, type TEstimate, tInterval, tTest } from "../../src/stats/paired/t-estimate.ts";

/** Input of a vector, as its method has it. */
export type Input = Record<string, unknown>;

const num = (input: Input, key: string): number => input[key] as number;
const nums = (input: Input, key: string): number[] => input[key] as number[];
const ends = (interval: Interval | null): [number, number] | null => interval && [interval.low, interval.high];
const alphaOf = (input: Input): number => (input["alpha"] as number | undefined) ?? 0.05;
const levelOf = (input: Input): number => (input["level"] as number | undefined) ?? 0.95;

/** Some inputs are lists and the others the same for all of them. */
function each(input: Input, keys: string[], of: (...values: number[]) => unknown): unknown {
  const lists = keys.map((key) => input[key]).filter((value) => Array.isArray(value));
  const at = (key: string, index: number): number =>
    (Array.isArray(input[key]) ? (input[key] as number[])[index] : input[key]) as number;
  if (lists.length === 0) return of(...keys.map((key) => at(key, 0)));
  const length = Math.max(...lists.map((list) => (list as number[]).length));
  return Array.from({ length }, (_, index) => of(...keys.map((key) => at(key, index))));
}

function countsOf(input: Input): PairedCounts {
  const known =
    (input["bothPass"] as number | undefined) ?? num(input, "n") - num(input, "onlyA") - num(input, "onlyB");
  return {
    bothPass: known,
    onlyA: num(input, "onlyA"),
    onlyB: num(input, "onlyB"),
    bothFail: (input["bothFail"] as number | undefined) ?? 0,
  };
}

function differencesOf(input: Input): Float64Array {
  const given = (input["differences"] ?? input["values"]) as number[] | undefined;
  if (given !== undefined) return Float64Array.from(given);
  const [a, b] = [nums(input, "a" in input ? "a" : "x"), nums(input, "b" in input ? "b" : "y")];
  return Float64Array.from(a, (value, index) => value - (b[index] ?? 0));
}

function clusteredOf(input: Input): ReturnType<typeof clusterTotals> {
  const clusters = input["clusters"] as (string | number)[] | undefined;
  return clusterTotals(differencesOf(input), clusters === undefined ? null : clusterCodes(clusters));
}

/** Student's t of the mean against a value; null without variation. */
const tOf = ({ mean, se }: TEstimate, value: number): number | null =>
  mean === null || se === null || se === 0 ? null : (mean - value) / se;

/** Signs of whole clusters are flipped where each is relabelled as one. */
function flipped(input: Input): unknown {
  const { sums } = clusteredOf(input);
  const tally = relabelTally();
  for (const sum of sums) tally.add(Float64Array.of(sum, -sum), null);
  const { twoSided, patterns } = tally.test("vectors");
  return { clusterSums: [...sums], count: twoSided.count, total: patterns, p: twoSided.p };
}

function energy(input: Input): unknown {
  const tally = relabelTally();
  for (const { dPS, dPT, dST } of input["rows"] as { dPS: number; dPT: number; dST: number }[]) {
    const apart = new Map([
      ["0-1", dPS],
      ["0-2", dPT],
      ["1-2", dST],
    ]);
    tally.add(
      energyDistances({ baseline: 2, candidate: 1 }, (one, other) => apart.get(`${one}-${other}`) ?? 0),
      null,
    );
  }
  const found = tally.test("vectors");
  return { statistic: found.statistic, count: found.greater.count, total: found.patterns, p: found.greater.p };
}

function labels(input: Input): unknown {
  const tally = relabelTally();
  for (const { a, b } of input["rows"] as { a: number[]; b: number[] }[]) tally.add(meanDifferences(a, b), null);
  const found = tally.test("vectors");
  return { meanDiff: found.statistic, count: found.twoSided.count, total: found.patterns, p: found.twoSided.p };
}

function gate(input: Input): unknown {
  const counts = countsOf(input);
  const margin = num(input, "maxDrop");
  const alpha = alphaOf(input);
  const data = { differences: new Float64Array(0), clusters: null, counts, range: 1 };
  const bounds = tangoBounds(counts, 1 - alpha);
  const [state] = gateFindings([questionOf(data, { margin, alpha })], { alpha, passAlpha: alpha });
  return {
    diff: rateDifference(counts),
    upper95one: bounds?.upper,
    lower95one: bounds?.lower,
    fail: state?.state === "regression",
    pass: state?.state === "pass",
    pDropLargerThanX: tangoTest(counts, -margin).pLess,
  };
}

/** Calls of this code for each method of the reference values. A vector may expect any of the named results. */
export const methods: Record<string, (input: Input) => unknown> = {
  "normal.quantile": (input) => each(input, ["p"], normalQuantile),
  "t.quantile": (input) => each(input, ["p", "df"], tQuantile),
  "t.cdf": (input) => each(input, ["t", "df"], tCdf),
  "binomial.cdf": (input) => each(input, ["k", "n", "p"], binomialCdf),
  "beta.cdf (regularized incomplete beta)": (input) => each(input, ["x", "a", "b"], betaCdf),
  mcnemar: (input) => mcNemarReference(countsOf({ bothPass: 0, ...input })),
  pairedProportionDifference: (input) => ({
    diff: rateDifference(countsOf(input)),
    tango: ends(tangoInterval(countsOf(input), levelOf(input))),
  }),
  "pairedNonInferiority(score)": (input) => {
    const { z, pGreater } = tangoTest(countsOf(input), -num(input, "margin"));
    return { z, p: pGreater, lower95one: tangoBounds(countsOf(input), 1 - alphaOf(input)).lower };
  },
  proportionInterval: (input) => ({
    wilson: ends(wilsonInterval(num(input, "x"), num(input, "n"), levelOf(input))),
  }),
  pairedT: (input) => {
    const estimate = clusterEstimate(clusterTotals(differencesOf(input), null));
    const { twoSided } = tTest(estimate, 0);
    return {
      meanDiff: estimate.mean,
      se: estimate.se,
      t: tOf(estimate, 0),
      df: estimate.df,
      p: twoSided,
      ci: ends(tInterval(estimate, levelOf(input))),
    };
  },
  "signFlipPermutation(exact)": flipped,
  "clusterSignFlipPermutation(exact)": flipped,
  "quantile type 7": (input) =>
    each(input, ["p"], (p) =>
      quantile(
        nums(input, "values").toSorted((a, b) => a - b),
        p ?? 0,
      ),
    ),
  clusteredMeanDifference: (input) => {
    const clustered = clusteredOf(input);
    const { clusters, ...found } = clusterEstimate(clustered);
    const plain = uncorrectedError(clustered);
    // The factor and the degrees of freedom for clusters of one size, of which the reference is.
    const se = plain === null || clusters < 2 ? null : plain * Math.sqrt(clusters / (clusters - 1));
    const estimate = { ...found, se, df: Math.max(0, clusters - 1) };
    return {
      mean: estimate.mean,
      seIid: estimate.seIndependent,
      seClusterCR0_Miller: plain,
      seCluster_C_over_Cminus1: estimate.se,
      df: estimate.df,
      ci_t: ends(tInterval(estimate, levelOf(input))),
      p_t: tTest(estimate, 0).twoSided,
      designEffect: se === null || found.seIndependent === null ? null : (se / found.seIndependent) ** 2,
    };
  },
  pAdjust: (input) => {
    const ps = input["p"] as (number | null)[];
    return { holm: holm(ps), bh: benjaminiHochberg(ps) };
  },
  "minimumDetectableEffect(paired t)": (input) => ({
    delta: detectable({ se: num(input, "sd") / Math.sqrt(num(input, "n")), df: num(input, "n") - 1 }, input),
  }),
  designEffect: (input) => {
    const deff = designEffect(num(input, "meanClusterSize"), num(input, "icc"));
    return { deff, effectiveN: num(input, "n") / deff };
  },
  repeatVarianceComponents(input) {
    const rows = input["rows"] as number[][];
    const clusters = Int32Array.from(rows.flatMap((row, place) => row.map(() => place)));
    return { icc1: clusterIcc(clusterTotals(Float64Array.from(rows.flat()), clusters)) };
  },
  passAtK: (input) => each(input, ["n", "c", "k"], passAtK),
  "passHatK (all k succeed)": (input) => each(input, ["n", "c", "k"], passHatK),
  nonInferiorityPairedT: (input) => {
    const estimate = clusterEstimate(clusterTotals(differencesOf(input), null));
    const { pGreater } = tTest(estimate, -num(input, "margin"));
    const t = tOf(estimate, -num(input, "margin"));
    const { lower } = tBounds(estimate, 1 - alphaOf(input));
    return { t, p: pGreater, lower95one: lower, nonInferior: pGreater !== null && pGreater < alphaOf(input) };
  },
  "regressionGate(binary)": gate,
  nightlyFalseAlarm: (input) => each(input, ["alpha", "nights"], nightlyFalseAlarm),
  "perNightAlpha(Sidak)": (input) => ({ alpha: perNightAlpha(num(input, "familyAlpha"), num(input, "nights")) }),
  cohensKappa: (input) => cohensKappa(input["table"] as number[][]),
  judgeCorrectedRate: (input) =>
    judgeCorrectedRate(num(input, "observedRate"), {
      sensitivity: num(input, "sensitivity"),
      specificity: num(input, "specificity"),
    }),
  "withinRowEnergyPermutation(exact)": energy,
  "withinRowLabelPermutation(exact)": labels,
};
