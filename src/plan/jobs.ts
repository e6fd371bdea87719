import type { Job } from "./job.ts";
import { hash32, mix32 } from "../lib/random.ts";

/** A stored case, as the plan needs it. */
export interface PlannedCase {
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

/**
 * Draws for the passes over the cases, each for a number that stands for a case or a conversation. The same seed draws the
 * same for the same number, whatever else is drawn: also for a shard of the cases.
 */
interface PassDraws {
  /** Number of the run that a target with so many runs makes of something in a pass; 0: none in this pass. */
  runIn: (pass: number, given: { target: number; runs: number; of: number }) => number;
  /** Puts the jobs of a case in a pass into the order in which they are sent. */
  shuffle: (jobs: unknown[], pass: number, of: number) => void;
}

/**
 * A target with fewer runs than there are passes takes them in passes that are drawn for each case: sent in the first
 * passes they would all be early, and a service that gets slower would make the other side look slow.
 */
function passDraws(seed: string, passes: number): PassDraws {
  const [runSeed, orderSeed] = [hash32(`runs ${seed}`), hash32(`order ${seed}`)];
  return {
    runIn(pass, { target, runs, of }) {
      let taken = 0;
      // Knuth's selection sampling: each set of so many passes is as likely as any other.
      for (let earlier = 1; earlier <= pass; earlier++) {
        const chance = (runs - taken) / (passes - earlier + 1);
        if (drawAt(runSeed, of, target * passes + earlier) < chance) taken += 1;
        else if (earlier === pass) return 0;
      }
      return taken;
    },
    shuffle(jobs, pass, of) {
      for (let last = jobs.length - 1; last > 0; last--) {
        const other = Math.floor(drawAt(orderSeed, of, pass * jobs.length + last) * (last + 1));
        const [one, two] = [jobs[last], jobs[other]];
        if (one === undefined || two === undefined) continue;
        [jobs[last], jobs[other]] = [two, one];
      }
    },
  };
}

/** The number that stands for a case: by the rank of its cluster, and by its place in it. */
function caseNumber(rank: number, place: number): number {
  return mix32(mix32(rank ^ Math.imul(Math.floor(rank / 4_294_967_296), 0x27d4eb2f)) + place);
}

/** A number in [0, 1) that depends on these alone. */
function drawAt(seed: number, of: number, step: number): number {
  return mix32(mix32(seed ^ of) ^ Math.imul(step + 1, 0x85ebca77)) / 4_294_967_296;
}
