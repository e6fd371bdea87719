import type { Job } from "./job.ts";
import { caseNumber, passDraws } from "./passes.ts";

/** A stored case, as the plan needs it. */
interface PlannedCase {
  id: number;
  cluster: string;
  turn: number;
  /** Rank of its cluster: the draws for a case depend on it. */
  rank: number;
}

/** The input of the planning. */
export interface Plan {
  /**
   * The cases by the rank of their cluster, then turn: those of a cluster follow each other.
   * It is asked once per pass, so that no more than one case is held.
   */
  cases: () => Iterable<PlannedCase>;
  targets: readonly { id: number; repeats: number }[];
  /** The suite maps turns: a case waits for the one before it in its cluster. */
  turns: boolean;
  /** Seed of the draws. */
  seed: string;
}

/**
 * The jobs in the order in which they are to be sent: as many passes over the cases as the target with the most runs has
 * runs. A target with fewer takes them in passes drawn for each case, a conversation as a whole; within a pass over a case
 * the order of the targets is drawn too. So no side is early or late by the plan.
 */
export function* planJobs({ cases, targets, turns, seed }: Plan): Generator<Job, void, undefined> {
  const passes = targets.reduce((most, target) => Math.max(most, target.repeats), 0);
  const draws = passDraws(seed, passes);
  const jobs: Job[] = [];
  for (let pass = 1; pass <= passes; pass++) {
    let previous: string | null = null;
    let place = 0;
    for (const { id: caseId, cluster, turn, rank } of cases()) {
      place = cluster === previous ? place + 1 : 0;
      const waits = turns && place > 0;
      previous = cluster;
      const of = caseNumber(rank, place);
      // A conversation is taken as a whole.
      const taken = turns ? caseNumber(rank, 0) : of;
      jobs.length = 0;
      for (let target = 0; target < targets.length; target++) {
        const { id: targetId = 0, repeats = 0 } = targets[target] ?? {};
        const repeat = repeats === passes ? pass : draws.runIn(pass, { target, runs: repeats, of: taken });
        if (repeat > 0) jobs.push({ kind: "case", caseId, targetId, repeat, cluster, turn, waits });
      }
      if (jobs.length > 1) draws.shuffle(jobs, pass, of);
      for (const job of jobs) yield job;
    }
  }
}
