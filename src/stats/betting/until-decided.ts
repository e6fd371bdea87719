import { type Random, seededRandom } from "../../lib/random.ts";
import { openBets, pOfBest, type Wager } from "./bets.ts";

/** The sum of the differences of a cluster, and the number of its cases. */
export interface DrawnCluster {
  sum: number;
  size: number;
}

/** A gate that is looked at after every cluster, by itself. */
export interface LookedGate extends Wager {
  /** Level of a regression, and of a pass. */
  alpha: number;
  passAlpha: number;
  /** It ends undecided after so many cases. */
  atMost: number;
}

/** The end of a run that stops when its gate is decided. */
interface DecidedRun {
  cases: number;
  /** Null: it came to its end undecided. */
  state: "pass" | "regression" | null;
}

/** Runs until the gate is decided, with clusters that are drawn. */
function untilDecided(draw: () => DrawnCluster, gate: LookedGate): DecidedRun {
  const { alpha, passAlpha, atMost } = gate;
  const bets = openBets(gate);
  let cases = 0;
  while (cases < atMost) {
    const { sum, size } = draw();
    // An empty cluster would never come to an end.
    cases += Math.max(1, size);
    bets.add(sum, size);
    const { pass, regression } = bets.best();
    if (pOfBest(regression) <= alpha) return { cases, state: "regression" };
    if (pOfBest(pass) <= passAlpha) return { cases, state: "pass" };
  }
  return { cases: atMost, state: null };
}

/** So many imitated runs, by their number of cases. */
export interface ImitatedRuns {
  /** Mean number of cases, undecided runs with all of theirs. */
  mean: number;
  /** Number of cases with which four of five are decided; null: fewer are. */
  mostly: number | null;
  /** Shares of the runs that ended so. */
  pass: number;
  regression: number;
}

/** Imitates runs with clusters drawn by a seeded generator. */
export function imitatedRuns(
  draw: (random: Random) => DrawnCluster,
  gate: LookedGate,
  { runs, seed }: { runs: number; seed: string },
): ImitatedRuns {
  const random = seededRandom(seed);
  const ended = Array.from({ length: runs }, () => untilDecided(() => draw(random), gate));
  const shareOf = (state: DecidedRun["state"]): number => ended.filter((run) => run.state === state).length / runs;
  const sorted = ended.map((run) => (run.state === null ? null : run.cases)).toSorted(byCases);
  return {
    mean: ended.reduce((sum, { cases }) => sum + cases, 0) / runs,
    mostly: sorted[Math.ceil(0.8 * runs) - 1] ?? null,
    pass: shareOf("pass"),
    regression: shareOf("regression"),
  };
}

/** Undecided runs are the longest. */
function byCases(one: number | null, other: number | null): number {
  return (one ?? Number.POSITIVE_INFINITY) - (other ?? Number.POSITIVE_INFINITY) || 0;
}
