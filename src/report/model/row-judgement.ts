import type { RowJudgement } from "../shape/row-head.ts";
import type { RunLabel } from "../shape/row.ts";

/** A word on which of two answers is better, by the jobs of both. */
interface Preference {
  baselineJob: number;
  candidateJob: number;
  better: "baseline" | "candidate" | "neither";
  note?: string | null;
}

/** The labels of an answer, and the votes on it as a candidate's. */
interface SaidOfRun {
  labels?: readonly Pick<RunLabel, "scorer" | "label" | "note">[];
  votes?: readonly Preference[];
}

/**
 * The judgements of people on the answers to a row as a list shows them, each once; null: there is none. Scores that were
 * edited are not among the labels; a reason for one is a comment.
 */
export function rowJudgement<Run extends { jobId: number }>(
  sides: readonly { runs: readonly Run[] }[],
  saidOf: (run: Run) => SaidOfRun,
): RowJudgement | null {
  const placeOf = ({ better, baselineJob, candidateJob }: Preference): number | null => {
    const job = better === "candidate" ? candidateJob : baselineJob;
    return better === "neither" ? null : sides.findIndex(({ runs }) => runs.some(({ jobId }) => jobId === job));
  };
  const said = sides.flatMap(({ runs }) => runs.map(saidOf));
  const labels = said
    .flatMap((each) => each.labels ?? [])
    .flatMap(({ scorer, label }) => (scorer === "" ? [label] : []));
  const better = said.flatMap(({ votes = [] }) => votes.map(placeOf));
  const notes = said.flatMap(({ labels: own = [], votes = [] }) => [...own, ...votes].map(({ note }) => note ?? ""));
  const commented = notes.some((note) => note !== "");
  if (labels.length === 0 && better.length === 0 && !commented) return null;
  return {
    labels: Array.from(new Set(labels)),
    better: Array.from(new Set(better)),
    ...(commented && { commented }),
  };
}
