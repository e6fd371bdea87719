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
  /**
   * Clusters that go through all passes before the next ones begin, for a run that may end early; null: all cases go
   * through the first pass before the second begins, as when it is left out.
   */
  block?: number | null;
}

/**
 * The jobs in the order in which they are to be sent: as many passes over the cases as the target with the most runs has
 * runs. A target with fewer takes them in passes drawn for each case, a conversation as a whole; within a pass over a case
 * the order of the targets is drawn too. So no side is early or late by the plan.
 */
export function* planJobs({ cases, block = null, ...given }: Plan): Generator<Job, void, undefined> {
  const passes = given.targets.reduce((most, target) => Math.max(most, target.repeats), 0);
  if (block === null || passes < 2) return yield* passesOver(cases, passes, given);
  for (const some of blocksOf(cases(), block)) yield* passesOver(() => some, passes, given);
}

/** The cases of so many clusters at a time. */
function* blocksOf(cases: Iterable<PlannedCase>, clusters: number): Generator<PlannedCase[]> {
  let block: PlannedCase[] = [];
  let count = 0;
  for (const one of cases) {
    if (one.cluster !== block.at(-1)?.cluster) count += 1;
    if (count > clusters) {
      yield block;
      block = [];
      count = 1;
    }
    block.push(one);
  }
  yield block;
}

function* passesOver(
  cases: Plan["cases"],
  passes: number,
  { targets, turns, seed }: Pick<Plan, "targets" | "turns" | "seed">,
): Generator<Job, void, undefined> {
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
