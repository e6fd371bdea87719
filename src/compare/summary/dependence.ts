import { clusterTotals } from "../../stats/clusters.ts";
import { clusterIcc } from "../../stats/planning/repeats.ts";
import { likenessP } from "../../stats/resampling/likeness.ts";
import type { GroupColumn } from "../tallies/group-columns.ts";
import type { AskedMetric, OfSegment } from "./gate-rule.ts";
import type { ByColumn, WorstGroup } from "./gate-shapes.ts";
import { inferredUnder, type InferenceOptions, pairedNumbers } from "./metric-inference.ts";

/** Levels of the likeness that counts: few groups are unlike each other by chance more often. */
export const likenessLevel = (groups: number): number => (groups < 20 ? 0.01 : 0.05);

const mostWorst = 2;
const noOrder = new Int32Array(0);

/** The columns by which a gate could be judged too; none where the suite says what belongs together. */
export function byColumns(
  { compared, numbers, given }: AskedMetric,
  { of, options }: { of: OfSegment | null; options: InferenceOptions },
): ByColumn[] {
  const where = of === null ? "" : `/${of.slice.tag}/${of.slice.value}`;
  const seed = `${given.seed}/${compared.metric.name}${where}`;
  const { groupColumns, questions = null } = given.results;
  if (groupColumns === undefined || given.chosen !== null) return [];
  const has = of?.slice.has ?? (() => true);
  return groupColumns().flatMap((column) => {
    const { differences } = numbers;
    // A row without a value is its own.
    const clusters = Int32Array.from(differences, (_, place) => (column.codes[place] ?? 0) || -1 - place);
    const paired = pairedNumbers(compared, numbers, { differences, clusters, questions, has });
    const { clusters: groups } = paired;
    const inferred = inferredUnder(
      { stop: null, chosen: null },
      { compared, paired, given: { differences, clusters, sent: noOrder } },
      options,
    );
    if (groups === null || inferred === null) return [];
    return {
      column,
      inferred,
      icc: clusterIcc(clusterTotals(paired.differences, groups)),
      likeness: () => likenessP({ values: paired.differences, groups }, `${seed}/${column.cluster}`),
      worst: () => worstGroups(column, differences, has),
    };
  });
}

function worstGroups(
  { values, codes }: GroupColumn,
  differences: Float64Array,
  has: (place: number) => boolean,
): WorstGroup[] {
  const groups = values.map((value): WorstGroup => ({ value, worse: 0, rows: 0 }));
  for (let place = 0; place < differences.length; place++) {
    const difference = differences[place] ?? Number.NaN;
    const group = groups[(codes[place] ?? 0) - 1];
    if (group === undefined || Number.isNaN(difference) || !has(place)) continue;
    group.rows += 1;
    if (difference < 0) group.worse += 1;
  }
  return groups
    .filter(({ value, worse }) => value !== "" && worse >= 2)
    .toSorted((one, other) => other.worse - one.worse || one.rows - other.rows)
    .slice(0, mostWorst);
}
