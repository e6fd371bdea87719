import { hash32, mix32 } from "../lib/random.ts";

/**
 * Draws for the passes over the cases, each for a number that stands for a case or a conversation. The same seed draws the
 * same for the same number, whatever else is drawn: also for a shard of the cases.
 */
export interface PassDraws {
  /** Number of the run that a target with so many runs makes of something in a pass; 0: none in this pass. */
  runIn: (pass: number, given: { target: number; runs: number; of: number }) => number;
  /** Puts the jobs of a case in a pass into the order in which they are sent. */
  shuffle: (jobs: unknown[], pass: number, of: number) => void;
}

/**
 * A target with fewer runs than there are passes takes them in passes that are drawn for each case: sent in the first
 * passes they would all be early, and a service that gets slower would make the other side look slow.
 */
export function passDraws(seed: string, passes: number): PassDraws {
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
export function caseNumber(rank: number, place: number): number {
  return mix32(mix32(rank ^ Math.imul(Math.floor(rank / 4_294_967_296), 0x27d4eb2f)) + place);
}

/** A number in [0, 1) that depends on these alone. */
function drawAt(seed: number, of: number, step: number): number {
  return mix32(mix32(seed ^ of) ^ Math.imul(step + 1, 0x85ebca77)) / 4_294_967_296;
}
