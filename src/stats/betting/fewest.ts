import { openBets, type Wager } from "./bets.ts";

/** More cases than any run has are no advice. */
const mostCases = 10_000_000;

/** True when clusters of these sizes are enough to decide a pass when no case of theirs is worse. */
export function canPassByBetting(
  wager: Wager,
  alpha: number,
  sizes: readonly { size: number; clusters: number }[],
): boolean {
  if (wager.margin <= 0) return false;
  const bets = openBets(wager);
  const needed = -Math.log(alpha * (1 + 1e-9));
  for (const { size, clusters } of sizes) {
    for (let cluster = 0; cluster < clusters; cluster++) {
      bets.add(0, size);
      if (bets.best().pass >= needed) return true;
    }
  }
  return false;
}

/** The fewest cases with which a pass is decided when none is worse; a cluster has as many as the longest one. */
export function fewestToPassByBetting(wager: Wager, alpha: number): number {
  if (wager.margin <= 0) return Number.POSITIVE_INFINITY;
  const bets = openBets(wager);
  const needed = -Math.log(alpha * (1 + 1e-9));
  for (let cases = wager.most; cases <= mostCases; cases += wager.most) {
    bets.add(0, wager.most);
    if (bets.best().pass >= needed) return cases;
  }
  return Number.POSITIVE_INFINITY;
}
