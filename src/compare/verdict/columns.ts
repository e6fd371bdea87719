import { clusterTotals } from "../../stats/clusters.ts";
import { clusterIcc } from "../../stats/planning/repeats.ts";
import { likenessP } from "../../stats/resampling/likeness.ts";
import type { GroupColumn } from "../tallies/group-columns.ts";
import { isRejected, type PairedComparison, type PairedOptions } from "../../stats/difference.ts";
import { holm } from "../../stats/multiplicity.ts";
import { allPlaces } from "../metrics/figures.ts";
import { inferredUnder, judgedCases } from "../metrics/metric-inference.ts";
import type { GateDependence, OpenGain, WorstGroup } from "./facts.ts";
import type { Basis } from "./guards.ts";
import { type AskedOf, type AskedGate, type AskedMetric, isAskedMargin } from "./kind.ts";
import type { Slice } from "../tallies/slices.ts";
import { marginBasis } from "./margin-basis.ts";
import type { ByColumn, MarginBasis } from "./numbers.ts";
import { betterLevel, type GateWord } from "../verdict-word.ts";

/** Levels of the likeness that counts: few groups are unlike each other by chance more often. */
const likenessLevel = (groups: number): number => (groups < 20 ? 0.01 : 0.05);

const mostWorst = 2;
const noOrder = new Int32Array(0);

/** The columns by which a gate could be judged too; none where the suite says what belongs together. */
export function byColumns(
  { compared, numbers, given }: AskedMetric,
  { of, options }: { of: Slice | null; options: PairedOptions },
): ByColumn[] {
  const where = of === null ? "" : `/${of.tag}/${of.value}`;
  const seed = `${given.seed}/${compared.metric.name}${where}`;
  const { groupColumns, questions } = given.results;
  if (groupColumns === undefined || given.chosen !== null) return [];
  return groupColumns().flatMap((column) => {
    const { differences } = numbers;
    const places = of?.places ?? allPlaces(differences);
    // A row without a value is its own.
    const clusters = Int32Array.from(differences, (_, place) => (column.codes[place] ?? 0) || -1 - place);
    const cases = judgedCases(compared, numbers, { clusters, questions, asked: null, sent: noOrder, places });
    const { paired } = cases;
    const { clusters: groups } = paired;
    const inferred = inferredUnder({ stop: null, chosen: null }, cases, options);
    if (groups === null || inferred === null) return [];
    return {
      column,
      inferred,
      icc: clusterIcc(clusterTotals(paired.differences, groups)),
      likeness: () => likenessP({ values: paired.differences, groups }, `${seed}/${column.cluster}`),
      worst: () => worstGroups(column, differences, places),
    };
  });
}

function worstGroups({ values, codes }: GroupColumn, differences: Float64Array, places: Int32Array): WorstGroup[] {
  const groups = values.map((value): WorstGroup => ({ value, worse: 0, rows: 0 }));
  for (const place of places) {
    const difference = differences[place] ?? Number.NaN;
    const group = groups[(codes[place] ?? 0) - 1];
    if (group === undefined || Number.isNaN(difference)) continue;
    group.rows += 1;
    if (difference < 0) group.worse += 1;
  }
  return groups
    .filter(({ value, worse }) => value !== "" && worse >= 2)
    .toSorted((one, other) => other.worse - one.worse || one.rows - other.rows)
    .slice(0, mostWorst);
}

/** Words that claim something, which fewer observations could take away. */
const claiming = new Set<GateWord>(["pass", "regression", "worse"]);

/**
 * Rows of one value of an undeclared column may go right or wrong together: then they say less than so many rows. Where
 * they surely do, and the gate would say another word if each value were one observation, it is judged so. That can take a
 * claim away, and never makes one.
 */
export function applyUndeclaredClusters(
  gates: readonly AskedGate[],
  wordsOf: (gates: readonly { basis: Basis }[]) => readonly { word: GateWord }[],
): readonly AskedGate[] {
  if (!gates.some((gate) => isAskedMargin(gate) && gate.basis.numbers.byColumns !== undefined)) return gates;
  const byRows = wordsOf(gates);
  return gates.map((gate, place) => {
    const word = byRows[place]?.word ?? "invalid";
    if (!isAskedMargin(gate) || !claiming.has(word)) return gate;
    const found = (gate.basis.numbers.byColumns?.() ?? []).map((each) => {
      const judged = judgedBy(gate, each);
      const other = wordsOf(gates.with(place, judged))[place];
      const claim = word === "pass" ? each.inferred.comparison.pPass : each.inferred.comparison.pRegression;
      return { ...each, judged, isOpened: other?.word !== word, claim: claim ?? 1 };
    });
    const most = surelyAlike(found);
    if (most === null) return gate;
    const { column, icc, p, worst, judged } = most;
    const dependence: GateDependence = {
      ...unnamed(column),
      icc,
      comparison: most.inferred.comparison,
      p,
      byRows: word,
      worst: worst(),
    };
    return { ...judged, facts: { ...judged.facts, dependence } };
  });
}

function judgedBy(gate: AskedOf<"margin">, { column, inferred }: ByColumn): AskedOf<"margin"> {
  const { facts, basis } = gate;
  const { figures } = facts;
  return {
    ...gate,
    facts: { ...facts, figures: figures === null ? null : { ...figures, comparison: inferred.comparison } },
    basis: withoutDoubt(marginBasis({ ...basis.numbers, inferred, clusterColumn: column.tag }, basis)),
  };
}

/** Undeclared groups are told with both ways to declare them; how many of them it takes is asked once they are. */
function withoutDoubt({ hopeless: _hopeless, ...basis }: MarginBasis): MarginBasis {
  return basis;
}

/** The column by which a claim is least sure, among those that open it and whose rows are surely alike; null: there is none. */
function surelyAlike<Found extends ByColumn & { isOpened: boolean; claim: number }>(
  found: readonly Found[],
): (Found & { p: number }) | null {
  if (found.every(({ isOpened }) => !isOpened)) return null;
  const adjusted = holm(found.map(({ likeness }) => likeness()));
  const sure = found.flatMap((each, at) => {
    const p = adjusted[at] ?? 1;
    return each.isOpened && p < likenessLevel(each.column.groups) ? [{ ...each, p }] : [];
  });
  return sure.toSorted((one, other) => other.claim - one.claim)[0] ?? null;
}

const unnamed = ({ tag, cluster, asTag, groups }: ByColumn["column"]) => ({ column: tag, cluster, asTag, groups });

const isGain = ({ p, interval }: PairedComparison): boolean =>
  isRejected(p, betterLevel) && interval !== null && interval.low > 0;

/** A gain by rows that is not sure by a column whose rows are alike: by that which the gate is judged by, or one that would open it; null elsewhere. */
export function gainOpenedBy({ facts, basis }: AskedOf<"margin">, word: GateWord): OpenGain | null {
  const { inferred, byColumns: columns } = basis.numbers;
  const { slice, dependence } = facts;
  if (inferred === null || slice !== null) return null;
  if (dependence !== undefined) {
    const { column, cluster, asTag, groups, comparison } = dependence;
    return isGain(comparison) ? null : { column, cluster, asTag, groups, p: comparison.p };
  }
  if (word !== "pass" || !isGain(inferred.comparison)) return null;
  const found = (columns?.() ?? []).map((each) => {
    const { comparison } = each.inferred;
    return { ...each, isOpened: !isGain(comparison), claim: comparison.p ?? 1 };
  });
  const most = surelyAlike(found);
  return most === null ? null : { ...unnamed(most.column), p: most.inferred.comparison.p };
}
