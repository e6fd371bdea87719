import type { GateState } from "../../../src/compare/verdict-word.ts";
import type { RandomStream } from "../../../src/lib/random.ts";
import { repeatsThatTell } from "../../../src/stats/planning/looks.ts";
import type { PairedData } from "../../../src/stats/difference.ts";
import { gated, type Situation } from "./situation.ts";
import { drawBot, outcomeOf } from "./two-looks.ts";

const margin = 0.05;

/** The differences of the same rows by so many runs on each side, drawn anew. */
function look(bots: ReturnType<typeof drawBot>[], runs: number, random: RandomStream): PairedData {
  const counts = { bothPass: 0, onlyA: 0, onlyB: 0, bothFail: 0 };
  const differences = Float64Array.from(bots, ({ rate, rateNow }) => {
    let sum = 0;
    for (let run = 0; run < runs; run++) {
      const [before, now] = [random.next() < rate, random.next() < rateNow];
      sum += Number(now) - Number(before);
      counts[outcomeOf(now, before)] += 1;
    }
    return sum / runs;
  });
  return { differences, clusters: null, counts: runs === 1 ? counts : null, range: 1 };
}

/** The states of one look, of the same rows three times where that look is open, and of three times from the start. */
function states(given: { cases: number; drop: number }, random: RandomStream) {
  const bots = Array.from({ length: given.cases }, () => drawBot(given.drop, random));
  const stateOf = (runs: number): GateState => gated([look(bots, runs, random)], margin)[0] ?? "invalid";
  const [first, again] = [stateOf(1), stateOf(repeatsThatTell)];
  return { first, both: first === "inconclusive" ? again : first, again };
}

function situation(cases: number, drop: number, claim: GateState, asks: string): Situation {
  return {
    name: `${cases} cases, noisy bots, margin 5 points`,
    asks,
    repetitions: 4_000,
    once(random) {
      const { first, both, again } = states({ cases, drop }, random);
      return {
        "one run of each row": first === claim,
        "and, where that is open, the same rows three times": both === claim,
        "three runs of each row from the start": again === claim,
      };
    },
  };
}

/** What asking the same rows three times after an open look does to false answers, and what it finds. Nothing is promised. */
export const askedAgainSituations: readonly Situation[] = [60, 100, 220].flatMap((cases) => [
  situation(cases, margin, "regression", "false regressions: the drop is exactly the margin"),
  situation(cases, margin, "pass", "false passes: the drop is exactly the margin"),
  situation(cases, 0, "pass", "identical bots pass"),
  situation(cases, 3 * margin, "regression", "finds a drop of three times the margin"),
]);
