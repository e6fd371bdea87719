import { groupTally } from "../../compare/tallies/group-columns.ts";
import type { Case } from "../../dataset/case.ts";
import { textKey } from "../../lib/group-columns.ts";
import { groupNote, lonelyNote, wholeNote } from "../../report/say/dependence.ts";
import { fewestClusters } from "../../stats/difference.ts";
import type { Suite } from "../../suite/suite.ts";
import { openColumnsOf } from "./open-columns.ts";
import { isClustered } from "./gate-fit.ts";

/** Rows that belong together, as they pass by before anything is sent. */
interface GroupWatch {
  onCase: (found: Case) => void;
  /** A column that the suite names as cluster and that puts no rows together, or all of them: a sentence; empty: it does neither. */
  faults: () => string[];
  /** Columns whose name says that rows of one value were drawn together, and both ways to say so. */
  proposals: () => string[];
}

/** Cases in which a column that is the input or the expected answer under another name shows. */
const mostLooked = 50;
const mostProposed = 3;

/**
 * Memory is 8 bytes for each group of the suite's own; with `proposes` for each cell of a column that stands for nothing else.
 * Without it there are no proposals.
 */
export function watchGroups(
  suite: Pick<Suite, "mapping" | "targets" | "scorers">,
  { proposes }: { proposes: boolean },
): GroupWatch {
  const { mapping } = suite;
  const isOpen = proposes && !isClustered(suite) && mapping.independent !== true;
  const column = mapping.turn === null && mapping.turns === undefined ? mapping.cluster : null;
  const tally = groupTally(isOpen ? openColumnsOf(suite) : null);
  const clusters = new Set<number>();
  let cases = 0;
  const onCase = (found: Case): void => {
    if (column !== null) clusters.add(textKey(found.cluster));
    if (isOpen) tally.add({ ...found, input: cases < mostLooked ? JSON.stringify(found.input) : "" });
    cases += 1;
  };
  return {
    onCase,
    faults() {
      if (column === null || cases < 2) return [];
      if (clusters.size === cases) return [lonelyNote(column, cases)];
      return clusters.size === 1 ? [wholeNote(column, { rows: cases, fewest: fewestClusters })] : [];
    },
    proposals() {
      if (!isOpen) return [];
      const named = tally.columns(Int32Array.from({ length: cases }, (_, place) => place));
      return named
        .filter(({ isNamed }) => isNamed)
        .slice(0, mostProposed)
        .map(groupNote);
    },
  };
}
