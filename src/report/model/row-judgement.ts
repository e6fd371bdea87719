import type { RowJudgement } from "../shape/row-head.ts";
import type { RunLabel } from "../shape/row.ts";

/**
 * The judgements of people on the answers to a row as a list shows them, each once; null: there is none. Scores that were
 * edited are not among the labels; a reason for one is a comment.
 */
export function rowJudgement<Run extends { jobId: number }>(
  sides: readonly { runs: readonly Run[] }[],
  labelsOf: (run: Run) => readonly Pick<RunLabel, "scorer" | "label" | "note">[],
): RowJudgement | null {
  const said = sides.flatMap(({ runs }) => runs.flatMap(labelsOf));
  const labels = said.flatMap(({ scorer, label }) => (scorer === "" ? [label] : []));
  const commented = said.some(({ note }) => (note ?? "") !== "");
  if (labels.length === 0 && !commented) return null;
  return { labels: Array.from(new Set(labels)), ...(commented && { commented }) };
}
