import { fewestToPass } from "../../stats/planning/gate-power.ts";
import type { HiddenLoss } from "./facts.ts";
import type { AskedMetric, Slice } from "./kind.ts";
import type { MarginNumbers } from "./numbers.ts";

/** Groups of rows that were drawn together, and the column that says so. */
type Groups = Pick<HiddenLoss, "column" | "groups">;

/** The fewest groups of a column whose name says that its rows were drawn together; null: there is none, or the suite declares clusters, by which everything is decided. */
export function drawnGroups({ numbers, given }: AskedMetric, of: Slice | null): Groups | null {
  const { groupColumns, clusters } = given.results;
  const has = of?.slice.has ?? (() => true);
  const { differences } = numbers;
  const countOf = (codes: Int32Array): number => {
    const groups = new Set<number>();
    for (let place = 0; place < differences.length; place++)
      // A row without a value is its own.
      if (has(place) && !Number.isNaN(differences[place] ?? Number.NaN)) groups.add((codes[place] ?? 0) || -1 - place);
    return groups.size;
  };
  if (clusters !== null || groupColumns === undefined || given.chosen !== null) return null;
  const named = groupColumns().filter(({ isNamed }) => isNamed);
  const found = named.map(({ tag, codes }) => ({ column: tag, groups: countOf(codes) }));
  return found.toSorted((one, other) => one.groups - other.groups)[0] ?? null;
}

/**
 * The loss that could hide under a pass of fewer groups of rows than its limit takes; null: there are enough. Where nothing
 * differs no dependence can be seen: if rows of one group go wrong together, a pass says no more than so many groups do.
 */
export function hiddenLoss({ inferred, groups, margin, range }: MarginNumbers, passAlpha: number): HiddenLoss | null {
  if (inferred === null || range === null) return null;
  const found = groups?.() ?? null;
  if (found === null || found.groups === 0 || found.groups >= fewestToPass(margin / range, passAlpha)) return null;
  return { ...found, loss: range * (1 - passAlpha ** (1 / found.groups)) };
}
