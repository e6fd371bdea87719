import type { Job } from "./job.ts";

/** A stored case, as the plan needs it. */
interface PlannedCase {
  id: number;
  cluster: string;
  turn: number;
}

/** The input of the planning. */
export interface Plan {
  /**
   * The cases by the rank of their cluster, then turn: those of a cluster follow each other.
   * It is asked once per repeat, so that no more than one case is held.
   */
  cases: () => Iterable<PlannedCase>;
  targets: readonly { id: number; repeats: number }[];
  /** The suite maps turns: a case waits for the one before it in its cluster. */
  turns: boolean;
}

/** The jobs in the order in which they are to be sent: by repeat, then case, then target. */
export function* planJobs({ cases, targets, turns }: Plan): Generator<Job, void, undefined> {
  const most = targets.reduce((repeats, target) => Math.max(repeats, target.repeats), 0);
  for (let repeat = 1; repeat <= most; repeat++) {
    const running = targets.filter((target) => target.repeats >= repeat);
    let previous: string | null = null;
    for (const { id: caseId, cluster, turn } of cases()) {
      const waits = turns && cluster === previous;
      previous = cluster;
      for (const { id: targetId } of running) {
        yield { kind: "case", caseId, targetId, repeat, cluster, turn, waits };
      }
    }
  }
}
