import { type CaseFlip, caseFlips } from "../cases/case-kinds.ts";
import { fileColumn } from "../../lib/file-column.ts";
import type { CaseComparison } from "../cases/case-comparison.ts";
import type { Difference } from "../cases/difference.ts";
import type { Side } from "../cases/case-side.ts";
import { type ComparisonPlan, passPlace } from "../comparison-plan.ts";
import { type ShownSide, shownSide } from "../cases/shown-side.ts";

/** A case that flipped: both answers, and the addresses of the runs. */
interface Flip {
  key: string;
  /** As a spreadsheet shows it; null where the case is of no file. */
  row: number | null;
  /** File of the row, where the dataset has several. */
  file: string | null;
  baseline: ShownSide;
  candidate: ShownSide;
}

/** Number of flips of a kind, and the first of them. */
interface FlipList {
  kind: CaseFlip;
  cases: number;
  /** The first flips, at most 10; all of them are in comparison.csv. */
  first: Flip[];
}

export interface FlipSummary {
  /** The metric by which a case passes; null: none does. */
  metric: string | null;
  lists: FlipList[];
}

const mostShown = 10;

/** Counts newly failing and newly passing cases by the primary metric if it passes or fails answers, and errors. */
export function flipTally(comparisonPlan: ComparisonPlan) {
  const place = passPlace(comparisonPlan);
  const lists = new Map<CaseFlip, FlipList>(caseFlips.map((kind) => [kind, { kind, cases: 0, first: [] }]));
  return {
    add({ key, row, columns }: CaseComparison, from: Side, to: Side, difference: Difference): void {
      if (difference.pairing !== "paired") return;
      for (const kind of difference.flips) {
        const list = lists.get(kind);
        if (list === undefined) continue;
        list.cases += 1;
        if (list.first.length < mostShown) {
          const file = columns[fileColumn] ?? null;
          list.first.push({ key, row, file, baseline: shownSide(from), candidate: shownSide(to) });
        }
      }
    },
    summary: (): FlipSummary => ({
      metric: comparisonPlan.metrics[place]?.metric.name ?? null,
      lists: caseFlips.flatMap((kind) => lists.get(kind) ?? []),
    }),
  };
}
