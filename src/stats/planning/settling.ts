import type { Bounds } from "../interval.ts";
import { normalCdf } from "../distributions/normal.ts";
import { tQuantile } from "../distributions/student-t.ts";
import { rootOf } from "../distributions/root.ts";
import { alike } from "../difference.ts";
import type { PairedCounts } from "../paired/mcnemar.ts";
import { quantile } from "../quantile.ts";
import { finite } from "../sum.ts";
import { type GateClaim, countsPower, type Levels, meanPower, medianPower } from "./gate-power.ts";
import { beyondGains, countedDrop, wantedPower } from "./planned-counts.ts";
import { detectable } from "./detectable.ts";

/** A gate whose rule is known, at the difference that was measured. */
export interface SettledGate {
  /** The chance that the gate says so with so many cases, were the difference to stay as it is. */
  power: (claim: GateClaim, cases: number) => number;
  /** The smallest true drop that the gate calls a regression with 80 % power, with the cases at hand; null: none is. */
  smallestDrop: () => number | null;
}

const claims: readonly GateClaim[] = ["pass", "regression"];

/** The smallest number of cases above `from` that settles the gate with 80 % power; null where `most` do not. */
export function casesToSettle(
  { power }: Pick<SettledGate, "power">,
  { from, most }: { from: number; most: number },
): number | null {
  const isSettled = (cases: number): boolean => claims.some((claim) => power(claim, cases) >= wantedPower);
  let [low, high] = [from, from + 1];
  while (!isSettled(high)) {
    if (high >= most) return null;
    [low, high] = [high, Math.min(most, Math.ceil(high * 1.3) + 1)];
  }
  while (high - low > Math.max(1, high / 200)) {
    const middle = Math.floor((low + high) / 2);
    if (isSettled(middle)) high = middle;
    else low = middle;
  }
  return high;
}

interface Options extends Levels {
  margin: number;
}

/** Passes and fails of one run each side. Half a case more on each side than was seen: none of few is not never. */
export function settledCounts(counts: PairedCounts, given: Options): SettledGate {
  const { margin } = given;
  const n = counts.bothPass + counts.onlyA + counts.onlyB + counts.bothFail;
  const [gains, losses] = [(counts.onlyA + 0.5) / (n + 1), (counts.onlyB + 0.5) / (n + 1)];
  return {
    power: (claim, cases) => countsPower({ claim, cases, margin }, given)({ gains, losses }),
    smallestDrop: () => countedDrop(n, given, beyondGains(counts.onlyA / Math.max(1, n))),
  };
}

interface SettledMean {
  n: number;
  estimate: number;
  df: number;
  bounds: Bounds;
  /** Levels at which these bounds were found. */
  found: Levels;
  /** Cases below which nothing is claimed. */
  least: number;
  /** One more cluster that loses so much, with which a pass has to hold too; null: none is asked. */
  oneMore: { loss: number; clusters: number } | null;
}

/** A mean, whose bounds tell its uncertainty: they shrink with the root of the cases, and clusters grow with them. */
export function settledMean(
  { n, estimate, df, bounds, found, least, oneMore }: SettledMean,
  given: Options,
): SettledGate {
  const { margin, alpha, passAlpha } = given;
  const seOf = (bound: number | null, level: number): number | null =>
    bound === null ? null : Math.abs(bound - estimate) / tQuantile(1 - level, Math.max(1, df));
  // Also where a bound is that of a stricter method, which is further out than Student's.
  const [ofPass, ofRegression] = [seOf(bounds.lower, found.passAlpha), seOf(bounds.upper, found.alpha)];
  const se = { pass: ofPass ?? ofRegression ?? Infinity, regression: ofRegression ?? ofPass ?? Infinity };
  return {
    power: (claim, cases) => {
      if (cases < least) return 0;
      const root = Math.sqrt(cases / n);
      const atSize = { pass: se.pass / root, regression: se.regression / root };
      const freedom = (df * cases) / n;
      const alone = meanPower(claim, { beyond: estimate + margin, se: atSize, df: freedom }, given);
      if (claim === "regression" || oneMore === null) return alone;
      const clusters = (oneMore.clusters * cases) / n;
      const beside = withOneMore({ estimate, se: atSize.pass, loss: oneMore.loss, clusters });
      // The case itself is sure: chance moves the others alone.
      const room = beside.estimate + margin - tQuantile(1 - passAlpha, Math.max(1, freedom)) * beside.se;
      const held = atSize.pass === 0 ? Number(room > 0) : normalCdf(room / atSize.pass);
      return Math.min(alone, held);
    },
    smallestDrop: () => {
      if (!Number.isFinite(se.regression) || n < least) return null;
      if (se.regression === 0) return margin;
      const beyond = detectable({ se: se.regression, df: Math.max(1, df) }, { alpha, sides: 1 });
      return beyond === null ? null : finite(margin + beyond);
    },
  };
}

/** Scores of a known scale that all differ by the same amount, should further cases do so too. */
export function settledStill(
  { n, mean, effectiveClusters, range }: { n: number; mean: number; effectiveClusters: number; range: number },
  { margin, alpha, passAlpha }: Options,
): SettledGate["power"] {
  return (claim, cases) => {
    const { less, greater } = alike(mean, (effectiveClusters * cases) / n, range).p(-margin);
    return Number(claim === "pass" ? greater <= passAlpha : less <= alpha);
  };
}

/** The mean and its standard error over so many clusters and one more of their size that loses so much. */
function withOneMore({ estimate, se, loss, clusters }: Record<"estimate" | "se" | "loss" | "clusters", number>) {
  const all = clusters + 1;
  const squares = se * se * clusters * Math.max(1, clusters - 1) + ((loss + estimate) ** 2 * clusters) / all;
  return { estimate: (clusters * estimate - loss) / all, se: Math.sqrt(squares / all / clusters) };
}

/** A median of n clusters, by the sign test. */
export function settledMedian(
  { n, clusters, sorted }: { n: number; clusters: number; sorted: Float64Array },
  given: Options,
): SettledGate {
  const share = (is: (value: number) => boolean): number => (sorted.filter(is).length + 0.5) / (clusters + 1);
  const shares = {
    atMost: share((value) => value <= -given.margin),
    atLeast: share((value) => value >= -given.margin),
  };
  return {
    power: (claim, cases) => medianPower(claim, { n: Math.floor((cases * clusters) / n), shares }, given),
    smallestDrop: () => {
      const lacking = (beyond: number): number =>
        medianPower("regression", { n: clusters, shares: { atMost: beyond, atLeast: 1 - beyond } }, given) -
        wantedPower;
      const needed = lacking(1) < 0 ? null : rootOf(lacking, { low: 0.5, high: 1 }, 1e-4);
      // So many of the differences have to lie beyond the margin: how far is it from the middle of them to there?
      const [end, middle] = [needed === null ? null : quantile(sorted, needed), quantile(sorted, 0.5)];
      return end === null || middle === null ? null : given.margin + end - middle;
    },
  };
}
