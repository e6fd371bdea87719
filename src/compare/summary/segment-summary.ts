import { beyondNoise } from "../../stats/paired/beyond-noise.ts";
import { clusterCodes } from "../../stats/clusters.ts";
import { benjaminiHochberg } from "../../stats/multiplicity.ts";
import type { PairedDifference } from "../../stats/difference.ts";
import type { Interval } from "../../stats/interval.ts";
import type { ChosenRows } from "../cause.ts";
import { type ComparedMetric, type MeasureOf, primaryPlace } from "../comparison-plan.ts";
import type { StopRule } from "../stop-rule.ts";
import { differenceUnder, pairedNumbers, type GivenCases } from "../metrics/metric-inference.ts";
import type { MetricNumbers } from "../tallies/metric-tally.ts";
import type { PairResults } from "../tallies/pair-results.ts";
import { leastCases, casePlaces } from "./places.ts";
import { sideFigure } from "../metrics/side-figure.ts";
import { type PlacedSegment, type TagMap, tagMapOf } from "./tag-map.ts";
import type { Integer } from "../../lib/integer.ts";

/** A metric in the cases with one value of a tag: exploring, not a gate. */
export interface SegmentSummary {
  /** Name of the tag. */
  tag: string;
  /** Value of the tag. */
  value: string;
  metric: string;
  of: MeasureOf;
  /** Cases with it. */
  cases: Integer;
  /** Value of the baseline in them: a mean, or a median where these are compared. */
  baseline: number | null;
  /** Value of the candidate in them. */
  now: number | null;
  /** Signed so that positive is better. For a ratio it is one of logarithms, which a report shows as a share. */
  difference: number | null;
  interval: Interval | null;
  /** Two-sided, of no difference, and adjusted over all values and pairs of them (Benjamini and Hochberg). */
  p: number | null;
  adjusted: number | null;
  /** Cases that got worse. */
  worse: Integer;
  /** Cases that got better. */
  better: Integer;
}

/** Cases with one value of a tag, and whether their behaviour changed: exploring, too. */
export interface BehaviourSegment {
  tag: string;
  value: string;
  /** Number of cases in which the baseline's own variation is known. */
  cases: number;
  /**
   * Number of cases in which only the candidate differs from the baseline, and in which only the baseline differs from
   * itself.
   */
  rawOnly: number;
  noiseOnly: number;
  /** One-sided, and adjusted over all segments (Benjamini and Hochberg). */
  p: number;
  adjusted: number;
}

const mostSegments = 200;

/**
 * Each value of each tag, for the metrics that are primary or have a gate, the least adjusted p first; and the map of two tags,
 * which has the pairs of their values. All values and pairs are adjusted together.
 */
export function segmentSummaries(
  metrics: readonly ComparedMetric[],
  results: Segmented,
  rules: SegmentRules,
): { told: SegmentSummary[]; map: TagMap | null } {
  const placed = [...results.slices, ...results.tagPairs.slices]
    .filter(({ cases }) => cases >= leastCases)
    .map((segment) => ({
      slice: segment,
      places: casePlaces(segment, results.metrics[0]?.differences.length ?? 0),
    }));
  const found = metrics.flatMap((compared, place) => {
    const numbers = results.metrics[place];
    if (numbers === undefined || (!compared.metric.primary && compared.gates.length === 0)) return [];
    return placed.flatMap((each) => {
      const summary = summaryOf(each, { compared, numbers, results, rules });
      return summary === null ? [] : [{ ...each, summary }];
    });
  });
  const adjusted = benjaminiHochberg(found.map(({ summary }) => summary.p));
  const told = found
    .flatMap(({ slice, summary }, at) => (slice.and === null ? [{ ...summary, adjusted: adjusted[at] ?? null }] : []))
    .toSorted((a, b) => (a.adjusted ?? 2) - (b.adjusted ?? 2) || (a.p ?? 2) - (b.p ?? 2))
    .slice(0, mostSegments)
    .map(({ interval, ...summary }) => ({ ...summary, interval: interval(0.95) }));
  return { told, map: mapOf(metrics, results, { found, adjusted }) };
}

/** The map of the main metric; null where it has none. */
function mapOf(
  metrics: readonly ComparedMetric[],
  results: Segmented,
  {
    found,
    adjusted,
  }: {
    found: readonly (PlacedSegment & { summary: Pick<SegmentSummary, "metric" | "of"> })[];
    adjusted: readonly (number | null)[];
  },
): TagMap | null {
  const place = primaryPlace(metrics);
  const [compared, numbers] = [metrics[place], results.metrics[place]];
  if (compared === undefined || numbers === undefined) return null;
  const lookedAt = found.flatMap(({ slice, places, summary }, at) =>
    // A judge has passes and values under one name.
    summary.metric === compared.metric.name && summary.of === compared.of
      ? [{ slice, places, adjusted: adjusted[at] ?? null }]
      : [],
  );
  return tagMapOf(lookedAt, { compared, differences: numbers.differences });
}

/** The numbers of all cases, and the parts of them. */
type Segmented = Pick<PairResults, "slices" | "tagPairs" | "clusters" | "sent"> &
  Partial<Pick<PairResults, "questions" | "asked">> & { metrics: readonly SegmentedNumbers[] };

type SegmentedNumbers = Pick<MetricNumbers, "differences" | "single" | "sides">;

interface SegmentRules {
  stop: StopRule | null;
  chosen: ChosenRows | null;
}

/** A metric, its numbers in all cases, and how they are judged. */
interface OfMetric {
  compared: ComparedMetric;
  numbers: SegmentedNumbers;
  results: Segmented;
  rules: SegmentRules;
}

/** Its interval takes time, and is only asked for where it is told. */
type SegmentFound = Omit<SegmentSummary, "adjusted" | "interval"> & Pick<PairedDifference, "interval">;

/** A metric in the cases of a segment; null where none of them has it. */
function summaryOf(
  { slice: { tag, value }, places }: PlacedSegment,
  { compared, numbers: all, results, rules }: OfMetric,
): SegmentFound | null {
  const { numbers, given } = numbersAt(places, all, results);
  const paired = pairedNumbers(compared, numbers, given);
  const found = paired.n === 0 ? null : differenceUnder(rules, { compared, paired, given });
  if (found === null) return null;
  const { estimate, interval, p } = found;
  const worse = given.differences.filter((difference) => difference < 0).length;
  const better = given.differences.filter((difference) => difference > 0).length;
  const [baseline = null, now = null] = (["baseline", "candidate"] as const).map((side) =>
    sideFigure(compared, numbers, { side, has: () => true, questions: given.questions ?? null }),
  );
  const about = { tag, value, metric: compared.metric.name, of: compared.of, cases: paired.rows, baseline, now };
  return { ...about, difference: estimate, interval, worse, better, p };
}

/** Each value of each tag: is the candidate more different from the baseline than the baseline from itself? */
export function behaviourSegments(
  { slices: segments, behaves, clusters }: PairResults,
  seed: string,
): BehaviourSegment[] {
  const known = Array.from(behaves.keys()).filter((place) => !Number.isNaN(behaves[place]));
  const found = segments.flatMap(({ tag, value, has, cases }) => {
    if (cases < leastCases) return [];
    const places = known.filter(has);
    if (places.length === 0) return [];
    const values = Float64Array.from(places, (place) => behaves[place] ?? 0);
    const codes = clusters === null ? null : clusterCodes(places.map((place) => clusters[place] ?? 0));
    const rawOnly = values.filter((each) => each > 0).length;
    const noiseOnly = values.filter((each) => each < 0).length;
    const p = beyondNoise(values, codes, `${seed}/${tag}/${value}`);
    return [{ tag, value, cases: places.length, rawOnly, noiseOnly, p }];
  });
  const adjusted = benjaminiHochberg(found.map(({ p }) => p));
  return found
    .map((segment, i) => ({ ...segment, adjusted: adjusted[i] ?? segment.p }))
    .toSorted((a, b) => a.adjusted - b.adjusted || a.p - b.p)
    .slice(0, mostSegments);
}

/** The numbers of a metric in the cases of a segment, as if there were no others. */
interface SegmentNumbers {
  numbers: Pick<MetricNumbers, "single" | "sides">;
  given: GivenCases;
}

function numbersAt(
  places: Int32Array,
  { differences, single, sides }: SegmentedNumbers,
  { clusters, sent, questions = null, asked = null }: Segmented,
): SegmentNumbers {
  return {
    numbers: {
      single,
      sides: sides && {
        baseline: floatsAt(places, sides.baseline),
        candidate: floatsAt(places, sides.candidate),
      },
    },
    given: {
      differences: floatsAt(places, differences),
      clusters: clusters && intsAt(places, clusters),
      questions: questions && intsAt(places, questions),
      asked: asked && intsAt(places, asked),
      sent: sent.length === 0 ? sent : intsAt(places, sent),
    },
  };
}

function floatsAt(places: Int32Array, values: Float64Array): Float64Array {
  const found = new Float64Array(places.length);
  for (let at = 0; at < places.length; at++) found[at] = values[places[at] ?? 0] ?? Number.NaN;
  return found;
}

function intsAt(places: Int32Array, values: Int32Array): Int32Array {
  const found = new Int32Array(places.length);
  for (let at = 0; at < places.length; at++) found[at] = values[places[at] ?? 0] ?? 0;
  return found;
}
