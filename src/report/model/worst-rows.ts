import type { ReportChange, ReportRow } from "../shape/model.ts";
import { rankOf } from "./row-figures.ts";

/** A row that a person should look at, as one candidate has it. */
export interface WorstRow {
  row: ReportRow;
  change: ReportChange;
  /** Place of the change in the row. */
  pair: number;
}

/** Collects the rows that a person should look at first, the same as the page shows first. */
export interface WorstRows {
  /** True when a row of this rank would be kept: rows need not be made for nothing. */
  wants: (rank: number) => boolean;
  add: (row: ReportRow) => void;
  rows: () => WorstRow[];
}

/**
 * Collects rows of all candidates together, at most `most`: those that became worse or changed beyond the baseline's
 * own variation, the worst first.
 */
export function worstRows(most: number): WorstRows {
  let kept: (WorstRow & { rank: number })[] = [];
  const wants = (rank: number): boolean => rank >= 1 && (kept.length < most || rank > (kept.at(-1)?.rank ?? 0));
  return {
    wants,
    add(row) {
      for (const [pair, change] of row.changes.entries()) {
        const rank = rankOf(change);
        if (!wants(rank)) continue;
        // The earlier of two alike stays before the later.
        const place = kept.findIndex((other) => other.rank < rank);
        kept.splice(place === -1 ? kept.length : place, 0, { row, change, pair, rank });
        if (kept.length > most) kept = kept.slice(0, most);
      }
    },
    rows: () => kept.map(({ row, change, pair }) => ({ row, change, pair })),
  };
}
