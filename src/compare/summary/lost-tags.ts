import { fisherMore } from "../../stats/fisher.ts";
import { holm } from "../../stats/multiplicity.ts";
import type { ComparedMetric } from "../comparison-plan.ts";
import type { MetricNumbers } from "../tallies/metric-tally.ts";
import type { TagValue } from "../slice-name.ts";
import type { TagCodes } from "../tallies/slices.ts";
import type { Integer } from "../../lib/integer.ts";

/** A value of a tag of which every row that the baseline passed newly fails, which is no chance among all values. */
export interface LostTag extends TagValue {
  /** Name of the target that lost them. */
  candidate: string;
  /** Name of the target that passed them. */
  baseline: string;
  /** Name of the metric that passes or fails. */
  metric: string;
  /** Its place among the metrics of the candidate. */
  place: number;
  /** The tag is a column that the suite does not name. */
  isColumn: boolean;
  /** Rows of it that the baseline passed: all of them newly fail. */
  lost: Integer;
  /** The rows outside of all values that are named. */
  others: {
    /** Rows that the baseline passed. */
    passed: Integer;
    /** Rows among them that newly fail. */
    lost: Integer;
  };
  /** Fisher's exact p, one-sided, of the rows of the value against the others: adjusted over all values of all tags (Holm). */
  p: number;
}

/** The parts of a pair's results that it takes. */
export interface LostFrom {
  metrics: readonly Pick<MetricNumbers, "differences" | "sides">[];
  clusters: Int32Array | null;
  tags: readonly TagCodes[];
  /** Columns that the suite does not name, by which rows may belong together. */
  columns: () => readonly TagCodes[];
}

const level = 0.05;

/** One row alone may fail by chance, whatever its tag. */
const leastLost = 2;

/**
 * Finds the values of tags that lost everything, by each metric that passes or fails and is primary or has a gate. A pass is
 * one in all runs of the baseline, a loss a fail in all of the candidate's. Rows that belong together are one: those of a
 * value count as lost when all of them are, the others when any of them is.
 */
export function lostTags(
  metrics: readonly ComparedMetric[],
  given: LostFrom,
  about: Pick<LostTag, "candidate" | "baseline">,
): LostTag[] {
  return metrics.flatMap((compared, place) => {
    const numbers = given.metrics[place];
    const isAsked = compared.of === "pass" && (compared.metric.primary || compared.gates.length > 0);
    if (!isAsked || numbers === undefined || numbers.sides === null) return [];
    const rows = rowsOf(numbers.differences, numbers.sides.baseline, given.clusters);
    if (rows.lost < leastLost) return [];
    const found = [
      ...foundIn(given.tags, rows).map((each) => ({ ...each, isColumn: false })),
      ...foundIn(given.columns(), rows).map((each) => ({ ...each, isColumn: true })),
    ].toSorted((one, other) => other.places.length - one.places.length);
    const named = withoutTheSame(found);
    const all = new Set(named.flatMap(({ places }) => places)).size;
    const others = { passed: rows.places.length - all, lost: rows.lost - all };
    return named.map(({ places, ...each }) => {
      return { ...about, metric: compared.metric.name, place, ...each, lost: places.length, others };
    });
  });
}

/** The rows that the baseline passed. */
interface PassedRows {
  /** Their places among all cases. */
  places: Int32Array;
  isLost: (place: number) => boolean;
  lost: number;
  clusters: Int32Array | null;
}

function rowsOf(differences: Float64Array, baseline: Float64Array, clusters: Int32Array | null): PassedRows {
  const places = Int32Array.from(differences.keys()).filter((place) => baseline[place] === 1);
  const isLost = (place: number): boolean => differences[place] === -1;
  let lost = 0;
  for (const place of places) if (isLost(place)) lost += 1;
  return { places, isLost, lost, clusters };
}

interface FoundValue extends TagValue {
  p: number;
  /** Places of its lost rows. */
  places: number[];
}

/** The values that lost everything, where all values of these tags are one family. */
function foundIn(tags: readonly TagCodes[], rows: PassedRows): FoundValue[] {
  const counted = tags.flatMap((tag) => valuesOf(tag, rows).map((each) => ({ tag, ...each })));
  const adjusted = holm(counted.map(({ p }) => p));
  return counted.flatMap(({ tag: { tag, values, codes }, code, isAll }, at) => {
    const p = adjusted[at] ?? 1;
    if (!isAll || p > level) return [];
    const places = Array.from(rows.places.filter((place) => codes[place] === code));
    return places.length < leastLost ? [] : [{ tag, value: values[code - 1] ?? "", p, places }];
  });
}

/** Each value of a tag that could have lost everything: at least two rows, or groups of rows, that the baseline passed. */
function valuesOf({ values, codes }: TagCodes, rows: PassedRows) {
  const units = unitsOf(codes, rows);
  const size = values.length + 1;
  const [all, whole, partly] = [new Int32Array(size), new Int32Array(size), new Int32Array(size)];
  let [passed, lost] = [0, 0];
  for (const { code, rows: count, lost: failing } of units) {
    passed += 1;
    all[code] = (all[code] ?? 0) + 1;
    if (failing === 0) continue;
    lost += 1;
    partly[code] = (partly[code] ?? 0) + 1;
    if (failing === count) whole[code] = (whole[code] ?? 0) + 1;
  }
  return values.flatMap((_, at) => {
    const code = at + 1;
    const own = all[code] ?? 0;
    if (own < leastLost) return [];
    const p = fisherMore({ failing: partly[code] ?? 0, rows: own, allFailing: lost, allRows: passed });
    return [{ code, p, isAll: whole[code] === own }];
  });
}

/** The rows of one value of the tag, and of one cluster where rows belong together. */
interface Unit {
  code: number;
  rows: number;
  lost: number;
}

function unitsOf(codes: Int32Array, { places, isLost, clusters }: PassedRows): Iterable<Unit> {
  const known = new Map<number, Unit>();
  const units: Unit[] = [];
  for (const place of places) {
    const code = codes[place] ?? 0;
    const group = clusters === null ? null : (clusters[place] ?? 0) * (mostCodes + 1) + code;
    let unit = group === null ? undefined : known.get(group);
    if (unit === undefined) {
      unit = { code, rows: 0, lost: 0 };
      units.push(unit);
      if (group !== null) known.set(group, unit);
    }
    unit.rows += 1;
    if (isLost(place)) unit.lost += 1;
  }
  return units;
}

/** More than any tag has values. */
const mostCodes = 2 ** 20;

/** The largest first: a value whose rows are all lost with another, such as the same rows by another tag, is no second loss. */
function withoutTheSame<Found extends FoundValue>(found: readonly Found[]): Found[] {
  const named: { each: Found; places: Set<number> }[] = [];
  for (const each of found) {
    const isWithin = named.some(({ places }) => each.places.every((place) => places.has(place)));
    if (!isWithin) named.push({ each, places: new Set(each.places) });
  }
  return named.map(({ each }) => each);
}
