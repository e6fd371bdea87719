import { mcNemar } from "../../../src/stats/paired/mcnemar.ts";

/** Exact sign test of wins against losses, two-sided (W. Dixon and A. Mood 1946): ties say nothing of the direction. */
export function signTest({ wins, losses, ties }: { wins: number; losses: number; ties: number }): {
  p: number;
  /** Null of nothing. */
  winRateHalfTies: number | null;
} {
  const n = wins + losses + ties;
  return {
    // It is the exact test of McNemar, whose discordant cases are the wins and losses.
    p: mcNemar({ onlyA: wins, onlyB: losses }).exact,
    winRateHalfTies: n === 0 ? null : (wins + ties / 2) / n,
  };
}
