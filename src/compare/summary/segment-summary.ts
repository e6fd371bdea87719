import { beyondNoise } from "../../stats/paired/beyond-noise.ts";
import { clusterCodes } from "../../stats/clusters.ts";
import { benjaminiHochberg } from "../../stats/multiplicity.ts";
import type { Interval } from "../../stats/interval.ts";
import { type ComparedMetric, type MeasureOf, primaryPlace } from "../comparison-plan.ts";
import type { StopRule } from "../stop-rule.ts";
import { explainedSegments, type JudgedSegment, type SegmentTags } from "./explained-segments.ts";
import { inferredUnder, pairedNumbers, type GivenCases } from "./metric-inference.ts";
import { type PlacedSegment, saysMore } from "./pair-of-tags.ts";
import type { MetricNumbers } from "../tallies/metric-tally.ts";
import type { PairResults } from "../tallies/pair-results.ts";
import type { OtherTag, Segment } from "../tallies/segments.ts";
import { sideFigure } from "./side-figure.ts";
import { type TagMap, tagMapOf } from "./tag-map.ts";
import type { Integer } from "../../lib/integer.ts";

/** A metric in the cases with one value of a tag, or of two: exploring, not a gate. */
export interface SegmentSummary {
  /** Name of the tag. */
  tag: string;
  /** Value of the tag. */
  value: string;
  /** The value of a second tag that the cases have too; null: a tag alone. */
  and: OtherTag | null;
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
  /** Two-sided, of no difference, and adjusted over all segments (Benjamini and Hochberg). */
  p: number | null;
  adjusted: number | null;
  /** Others that are worse, without whose cases it is not worse for sure; empty: it is worse by itself, or not at all. */
  heldBy: SegmentTags[];
  /** Cases that got worse. */
  worse: Integer;
  /** Cases that got better. */
  better: Integer;
  /** It lost much, but not so that chance among so many segments is ruled out: worth a look, and no finding. */
  isHint: boolean;
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
/** A segment of fewer cases says nothing. */
const leastCases = 2;

/**
 * Each value of each tag and pairs of them, for the metrics that are primary or have a gate; the least adjusted p first. All
 * are adjusted together; of the pairs those are told that say more than each of their values, and the map has all of two tags.
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
      places: placesOfSegment(segment, results.metrics[0]?.differences.length ?? 0),
    }));
  const alone = placed.filter(({ slice: segment }) => segment.and === null);
  const found = metrics.flatMap((compared, place) => {
    const numbers = results.metrics[place];
    if (numbers === undefined || (!compared.metric.primary && compared.gates.length === 0)) return [];
    const of = { compared, numbers, results, rules };
    const overall = meanDifference(numbers);
    const intervalOf = (places: Int32Array): Interval | null =>
      inferredAt(places, of, "others")?.inferred.comparison.interval ?? null;
    return placed.flatMap((each) => {
      const summary = summaryOf(each, of);
      if (summary === null) return [];
      const isTold = saysMore(each, summary.interval, { alone, intervalOf });
      const judge = (places: Int32Array): ReturnType<JudgedSegment["judge"]> => judgedAt(places, of);
      return [{ ...each, summary, isTold, overall: isOfGate(each, compared) ? null : overall, judge }];
    });
  });
  const ps = found.map(({ summary }) => summary.p);
  const adjusted = benjaminiHochberg(ps);
  const reported = found
    .flatMap(({ isTold, ...each }, at) => (isTold ? [{ ...each, at, adjusted: adjusted[at] ?? null }] : []))
    .toSorted((a, b) => (a.adjusted ?? 2) - (b.adjusted ?? 2) || (a.summary.p ?? 2) - (b.summary.p ?? 2))
    .slice(0, mostSegments);
  const { held, hints } = explainedSegments(reported, ps);
  const told = reported.map(({ summary, adjusted: p }, place) => {
    return { ...summary, adjusted: p, heldBy: held.get(place) ?? [], isHint: hints.has(place) };
  });
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
  seed: string;
  stop: StopRule | null;
  chosen: string | null;
}

/** A metric, its numbers in all cases, and how they are judged. */
interface OfMetric {
  compared: ComparedMetric;
  numbers: SegmentedNumbers;
  results: Segmented;
  rules: SegmentRules;
}

/** True for a segment that a gate asks about. */
function isOfGate({ slice: { tag, and } }: PlacedSegment, { gates }: ComparedMetric): boolean {
  return and === null && gates.some(({ by }) => by === tag);
}

/** The mean difference over all cases, which no segment looks through again; null where none is known. */
function meanDifference({ differences }: SegmentedNumbers): number | null {
  let [sum, known] = [0, 0];
  for (const each of differences) {
    if (Number.isNaN(each)) continue;
    sum += each;
    known += 1;
  }
  return known === 0 ? null : sum / known;
}

/** Null where no case has the metric. */
function inferredAt(places: Int32Array, { compared, numbers: all, results, rules }: OfMetric, name: string) {
  const { numbers, given } = numbersAt(places, all, results);
  const paired = pairedNumbers(compared, numbers, given);
  const options = { margin: 0, seed: `${rules.seed}/${name}`, second: false, decides: false };
  const inferred = paired.n === 0 ? null : inferredUnder(rules, { compared, paired, given }, options);
  return inferred === null ? null : { inferred, paired, numbers, given };
}

/** The difference in a part of a segment's cases; null where these are too few. */
function judgedAt(places: Int32Array, of: OfMetric): ReturnType<JudgedSegment["judge"]> {
  const found = inferredAt(places, of, "rest");
  if (found === null || found.paired.n < leastCases) return null;
  const { estimate, p } = found.inferred.comparison;
  return { difference: estimate, p };
}

/** A metric in the cases of a segment; null where none of them has it. */
function summaryOf(
  { slice: segment, places }: PlacedSegment,
  of: OfMetric,
): Omit<SegmentSummary, "adjusted" | "heldBy" | "isHint"> | null {
  const { tag, value, and } = segment;
  const { compared } = of;
  const second = and === null ? "" : `/${and.tag}/${and.value}`;
  const found = inferredAt(places, of, `${tag}/${value}${second}`);
  if (found === null) return null;
  const { inferred, paired, numbers, given } = found;
  const { estimate, interval, p } = inferred.comparison;
  const worse = given.differences.filter((difference) => difference < 0).length;
  const better = given.differences.filter((difference) => difference > 0).length;
  const [baseline, now] = (["baseline", "candidate"] as const).map((side) =>
    sideFigure(compared, numbers, { side, has: () => true, questions: given.questions ?? null }),
  );
  const sides = { baseline: baseline ?? null, now: now ?? null };
  const about = { tag, value, and, metric: compared.metric.name, of: compared.of, cases: paired.rows, ...sides };
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

/** Places of the cases of a segment. */
function placesOfSegment({ has, cases }: Segment, all: number): Int32Array {
  const places = new Int32Array(cases);
  let next = 0;
  for (let place = 0; place < all && next < cases; place++) if (has(place)) places[next++] = place;
  return places.subarray(0, next);
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
