import { type PairedDifference, judgedBy, type Method } from "../difference.ts";
import { tBounds, type TEstimate, tTest } from "../paired/t-estimate.ts";
import { finite, sumOf } from "../sum.ts";

/** A difference by people in a case that was drawn for them: candidate minus baseline, positive is better. */
interface LabelledDifference {
  /** Place of its case among those that the judge graded. */
  place: number;
  human: number;
  /** Chance that the draw gave the case, above 0 and at most 1. */
  probability: number;
}

/** Differences by a judge in all cases, and by people in some of them. */
export interface JudgedDifferences {
  /** Candidate minus baseline, positive is better; NaN where the judge could not grade. */
  judge: Float64Array;
  labels: readonly LabelledDifference[];
  /** Number of each case's cluster; null where every case is its own. */
  clusters: Int32Array | null;
  /** The most that two people's values can differ by; null: there is no end. */
  range: number | null;
  /** The same of the judge's values; left out: as `range`. */
  judgeRange?: number | null;
}

/** Cases with labels, and clusters that have one, below which nothing is inferred: with 10, Student's t covers 48 to 93 of 100. */
export const fewestLabels = 20;
export const fewestLabelledClusters = 15;

/** Labelled cases in which people see a difference, below which two pseudo labels are added (after D. Bonett & R. Price 2012). */
const fewDiffering = 10;

/** A difference as people would see it over all cases, from their labels of a draw and the judge's grades of all. */
export interface CorrectedDifference {
  /** Cases and their clusters, those with labels, and clusters that have a label. */
  n: number;
  clusters: number;
  labels: number;
  labelledClusters: number;
  estimate: number;
  se: number;
  df: number;
  /** Weight of the judge, from 0: it tells nothing of this difference, and the labels stand alone. */
  lambda: number;
  /** Labelled cases in which people see a difference. */
  differing: number;
  /** Two pseudo labels were added, one for each side, because few labelled cases differ: the interval is wider. */
  isWidened: boolean;
  /** Standard deviation of the labelled differences, and their correlation with the judge's; null without variation. */
  sd: number;
  correlation: number | null;
  /** The most that two cases can differ by; null: there is no end. */
  range: number | null;
  /** The same with one more labelled cluster of mean size that loses all it can, where few labelled cases of clusters differ; null elsewhere. */
  withOneMore: Pick<CorrectedDifference, "estimate" | "se" | "df"> | null;
}

/** Why nothing is inferred from labels. */
export type LabelsRefused = "too-few-labels" | "too-few-clusters" | "no-variation";

/**
 * The power-tuned estimator of prediction-powered inference (A. Angelopoulos, J. Duchi, T. Zrnic 2023, PPI++), which is the
 * regression estimator of a sample in two phases (C.-E. Särndal et al. 1992, chapter 9), with the variance of whole clusters: the judge's
 * mean of all cases, as far as it goes with people, and their mean difference from it in the labelled ones.
 */
export function correctedDifference(data: JudgedDifferences): CorrectedDifference | LabelsRefused {
  const { labels, clusters, range } = data;
  const clusterOf = (place: number): number => clusters?.[place] ?? place;
  const labelledClusters = new Set(labels.map(({ place }) => clusterOf(place))).size;
  if (labels.length < fewestLabels) return "too-few-labels";
  if (labelledClusters < fewestLabelledClusters) return "too-few-clusters";
  const judge = withoutGaps(data.judge);
  const n = judge.length;
  const all = sumOf(n, (at) => judge[at] ?? 0) / n;
  const differing = labels.filter(({ human }) => human !== 0).length;
  const first = labels[0]?.human ?? 0;
  if (range === null && labels.every(({ human }) => human === first)) return "no-variation";
  const isWidened = range !== null && differing < fewDiffering;
  const rows = labels.map(({ place, human, probability }) => {
    return { cluster: clusterOf(place), human, judge: judge[place] ?? 0, weight: 1 / probability };
  });
  if (isWidened) {
    const weight = rows.reduce((total, row) => total + row.weight, 0) / rows.length;
    // Numbers that no cluster has: each is its own.
    for (const [at, human] of [range, -range].entries()) rows.push({ cluster: -1 - at, human, judge: all, weight });
  }
  const given = { judge, all, range, judgeRange: data.judgeRange, clusterOf };
  const found = estimated(rows, given);
  const df = labelledClusters - 1;
  const isShared = isWidened && labelledClusters < labels.length;
  const lost = (): Pick<CorrectedDifference, "estimate" | "se" | "df"> => {
    const weight = rows.reduce((total, row) => total + row.weight, 0) / labelledClusters;
    const more = estimated([...rows, { cluster: -3, human: -(range ?? 0), judge: all, weight }], given);
    return { estimate: more.estimate, se: more.se, df };
  };
  return {
    n,
    clusters: clusters === null ? n : new Set(clusters).size,
    labels: labels.length,
    labelledClusters,
    ...found,
    df,
    differing,
    isWidened,
    ...spreadOf(rows.slice(0, labels.length)),
    range,
    withOneMore: isShared ? lost() : null,
  };
}

interface Estimating {
  judge: Float64Array;
  /** Mean of the judge over all cases. */
  all: number;
  range: number | null;
  judgeRange: number | null | undefined;
  clusterOf: (place: number) => number;
}

function estimated(
  rows: readonly WeighedRow[],
  { judge, all, range, judgeRange, clusterOf }: Estimating,
): Pick<CorrectedDifference, "estimate" | "se" | "lambda"> {
  const n = judge.length;
  const mean = weighedMean(rows);
  const [human, graded] = [mean((row) => row.human), mean((row) => row.judge)];
  const ofAll = sumOf(n, (at) => ((judge[at] ?? 0) - all) ** 2) / (n - 1);
  const shared = (rows.length / (rows.length - 1)) * mean((row) => (row.human - human) * (row.judge - graded));
  const most = range === null ? 1 : unitOf(range, judgeRange);
  const lambda = ofAll > 0 ? Math.min(most, Math.max(0, shared / ofAll)) : 0;
  const rest = mean((row) => row.human - lambda * row.judge);
  const se = Math.sqrt(varianceOf({ rows, judge, all, rest, lambda, clusterOf }));
  return { estimate: finite(lambda * all + rest), se: finite(se), lambda };
}

interface WeighedRow {
  cluster: number;
  human: number;
  judge: number;
  weight: number;
}

/** A judge's unit as people's: of a judge from 0 to 100 and people from 0 to 1, a hundredth. */
function unitOf(range: number, judgeRange: number | null | undefined): number {
  return judgeRange === null || judgeRange === undefined || judgeRange === 0 ? 1 : range / judgeRange;
}

/** A case that the judge left open has the mean of the others: a poor prediction, which makes nothing false. */
function withoutGaps(judge: Float64Array): Float64Array {
  const known = judge.filter((value) => !Number.isNaN(value));
  if (known.length === judge.length) return judge;
  const mean = known.length === 0 ? 0 : sumOf(known.length, (at) => known[at] ?? 0) / known.length;
  return judge.map((value) => (Number.isNaN(value) ? mean : value));
}

function weighedMean(rows: readonly WeighedRow[]): (of: (row: WeighedRow) => number) => number {
  const whole = sumOf(rows.length, (at) => rows[at]?.weight ?? 0);
  const term = (row: WeighedRow | undefined, of: (row: WeighedRow) => number): number =>
    row === undefined ? 0 : row.weight * of(row);
  return (of) => sumOf(rows.length, (at) => term(rows[at], of)) / whole;
}

interface Spread extends Pick<Estimating, "judge" | "all" | "clusterOf"> {
  rows: readonly WeighedRow[];
  /** Mean over the labelled rows of what the judge does not explain. */
  rest: number;
  lambda: number;
}

/** Squares of what each cluster adds to the estimate, by the judge's mean and by the labels at once. */
function varianceOf({ rows, judge, all, rest, lambda, clusterOf }: Spread): number {
  const n = judge.length;
  const parts = new Map<number, number>();
  const add = (cluster: number, part: number): void => void parts.set(cluster, (parts.get(cluster) ?? 0) + part);
  for (let place = 0; place < n; place++) add(clusterOf(place), (lambda * ((judge[place] ?? 0) - all)) / n);
  const clusters = parts.size;
  const ofAll = clusters < 2 ? 1 : Math.sqrt(clusters / (clusters - 1));
  for (const [cluster, part] of parts) parts.set(cluster, part * ofAll);
  const labelled = new Set(rows.map((row) => row.cluster)).size;
  const ofLabels = Math.sqrt(labelled / (labelled - 1 - (lambda > 0 ? 1 : 0)));
  const whole = sumOf(rows.length, (at) => rows[at]?.weight ?? 0);
  for (const row of rows) add(row.cluster, (ofLabels * row.weight * (row.human - lambda * row.judge - rest)) / whole);
  const found = Float64Array.from(parts.values());
  return sumOf(found.length, (at) => (found[at] ?? 0) ** 2);
}

function spreadOf(rows: readonly WeighedRow[]): Pick<CorrectedDifference, "sd" | "correlation"> {
  const mean = weighedMean(rows);
  const [human, judge] = [mean((row) => row.human), mean((row) => row.judge)];
  const times = rows.length / (rows.length - 1);
  const [ofHuman, ofJudge] = [mean((row) => (row.human - human) ** 2), mean((row) => (row.judge - judge) ** 2)];
  const both = mean((row) => (row.human - human) * (row.judge - judge));
  const sd = Math.sqrt(times * ofHuman);
  if (ofHuman <= 0 || ofJudge <= 0) return { sd, correlation: null };
  return { sd, correlation: Math.min(1, Math.max(-1, both / Math.sqrt(ofHuman * ofJudge))) };
}

/** The same over more cases, whose differences are known. */
export function withKnown(found: CorrectedDifference, known: readonly number[]): CorrectedDifference {
  const n = found.n + known.length;
  const sum = known.reduce((total, each) => total + each, 0);
  const part = found.n / n;
  const estimate = part * found.estimate + sum / n;
  const more = found.withOneMore;
  return {
    ...found,
    n,
    clusters: found.clusters + known.length,
    estimate,
    se: part * found.se,
    withOneMore: more === null ? null : { ...more, estimate: part * more.estimate + sum / n, se: part * more.se },
  };
}

/** The corrected difference as gates decide by it: Student's t, cut at the ends of the scale. */
export function differenceByLabels(found: CorrectedDifference): PairedDifference {
  const { n, clusters, estimate, se, df, range, withOneMore: more } = found;
  const lost = more === null ? null : methodOf({ ...more, mean: more.estimate, reason: null }, range);
  return {
    n,
    clusters,
    effectiveClusters: clusters,
    estimate,
    se,
    df,
    skewness: null,
    test: "corrected-t",
    ...judgedBy(methodOf({ mean: estimate, se, df, reason: null }, range)),
    ofPass: lost === null ? [] : [{ by: "one-more", p: (supposed) => lost.p(supposed).greater, lower: lost.lower }],
    oneMore: lost === null ? null : { of: "scale", loss: range ?? 0, never: null },
    reason: null,
    counts: null,
    clustered: null,
    sorted: null,
  };
}

function methodOf(of: TEstimate, range: number | null): Method {
  const possible = (bound: number | null): number | null =>
    bound === null || range === null ? bound : Math.min(range, Math.max(-range, bound));
  return {
    p(supposed) {
      const { pGreater, pLess } = tTest(of, supposed);
      return { greater: pGreater ?? 1, less: pLess ?? 1 };
    },
    lower: (confidence) => possible(tBounds(of, confidence).lower),
    upper: (confidence) => possible(tBounds(of, confidence).upper),
  };
}
