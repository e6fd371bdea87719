import type { ReportChange, ReportRow } from "./model.ts";
import { rankOf } from "./row-head.ts";

/** A row that a person should look at, as one candidate has it. */
export interface WorstRow {
  row: ReportRow;
  change: ReportChange;
  /** Place of the change in the row. */
  pair: number;
}

/** Collects the rows that a person should look at first, the same as the page shows first. */
export interface WorstRows {
  add: (row: ReportRow) => void;
  rows: () => WorstRow[];
}

/** Of all candidates together, at most `most`: what became worse or changed beyond noise, the worst first. */
export function worstRows(most: number): WorstRows {
  let kept: (WorstRow & { rank: number })[] = [];
  return {
    add(row) {
      for (const [pair, change] of row.changes.entries()) {
        const rank = rankOf(change);
        if (rank < 1) continue;
        const least = kept.at(-1);
        if (kept.length === most && least !== undefined && rank <= least.rank) continue;
        // The earlier of two alike stays before the later.
        const place = kept.findIndex((other) => other.rank < rank);
        kept.splice(place === -1 ? kept.length : place, 0, { row, change, pair, rank });
        if (kept.length > most) kept = kept.slice(0, most);
      }
    },
    rows: () => kept.map(({ row, change, pair }) => ({ row, change, pair })),
  };
}
