import { clusterTotals } from "../../stats/clusters.ts";
import { clusterIcc } from "../../stats/planning/repeats.ts";
import { likenessP } from "../../stats/resampling/likeness.ts";
import type { PairedComparison } from "../../stats/paired/paired-comparison.ts";
import type { GroupColumn } from "../tallies/group-columns.ts";
import type { GateWord } from "../verdict-word.ts";
import type { AskedMetric, OfSegment } from "./gate-rule.ts";
import type { Inferred } from "./gate-shapes.ts";
import { inferredOf, type InferenceOptions, pairedNumbers } from "./metric-inference.ts";

/** The same difference, where the rows of one value of a column are one observation. */
export interface ByColumn {
  column: Pick<GroupColumn, "tag" | "cluster" | "asTag" | "isNamed" | "groups">;
  inferred: Inferred;
  /** Intraclass correlation of the differences; null without variation. */
  icc: number | null;
  /** p of H0: rows of one value are no more alike than others; null where nothing differs. It is drawn when it is asked for. */
  likeness: () => number | null;
  worst: () => WorstGroup[];
}

/** Rows of one value of the column, and those of them that got worse. */
interface WorstGroup {
  value: string;
  worse: number;
  rows: number;
}

/** A column that nobody named, whose rows go right or wrong together, and that opened what the rows alone had said. */
export interface GateDependence {
  column: string;
  /** What `case.cluster` takes if its values are a sample, and `case.tags` if they are all there are; null: no tag can be made of it. */
  cluster: string;
  asTag: string | null;
  groups: number;
  icc: number | null;
  /** The difference where each value is one observation. */
  comparison: PairedComparison;
  /** Adjusted over all columns (Holm). */
  p: number;
  /** The word of the gate by its rows alone. */
  byRows: GateWord;
  /** Values in which most got worse. */
  worst: WorstGroup[];
}

/** Levels of the likeness that counts: few groups are unlike each other by chance more often. */
export const likenessLevel = (groups: number): number => (groups < 20 ? 0.01 : 0.05);

const mostWorst = 2;

/** The columns by which a gate could be judged too; none where the suite says what belongs together. */
export function byColumns(
  { compared, numbers, given }: AskedMetric,
  { of, options }: { of: OfSegment | null; options: InferenceOptions },
): ByColumn[] {
  const { groupColumns, questions = null } = given.results;
  if (groupColumns === undefined || given.stop !== null || given.chosen !== null) return [];
  const has = of?.slice.has ?? (() => true);
  return groupColumns().flatMap((column) => {
    const { differences } = numbers;
    // A row without a value is its own.
    const clusters = Int32Array.from(differences, (_, place) => (column.codes[place] ?? 0) || -1 - place);
    const paired = pairedNumbers(compared, numbers, { differences, clusters, questions, has });
    const seed = `${options.seed}/${column.cluster}`;
    const inferred = inferredOf(paired, { ...options, seed });
    const { clusters: groups } = paired;
    if (groups === null || inferred === null) return [];
    return {
      column,
      inferred,
      icc: clusterIcc(clusterTotals(paired.differences, groups)),
      likeness: () => likenessP({ values: paired.differences, groups }, seed),
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
