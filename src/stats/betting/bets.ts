/** Parts of the largest stake that is possible; the capital is the mean over all of them. */
export const stakes = [0.02, 0.05, 0.1, 0.2, 0.4, 0.7, 0.95];

/**
 * Bets on whole clusters, one after the other (Waudby-Smith & Ramdas 2024): one player bets that less is lost than the
 * margin, the other that more is. Where the first is wrong his capital is a supermartingale, so that it ever reaches
 * 1 / alpha with a chance of alpha at most (Ville 1939), however often it is looked at and whenever the run is stopped.
 */
export interface Bets {
  /**
   * Enters the next cluster: the sum of its differences, candidate less baseline, each from -1 to 1 and positive where
   * better, and the number of its cases.
   */
  add: (sum: number, size: number) => void;
  /** Logarithms of the most that each player has had. */
  best: () => { pass: number; regression: number };
}

/** The subject of the bets: the loss that is accepted, from -1 to 1, and the most cases that a cluster has. */
export interface Wager {
  margin: number;
  most: number;
}

export function openBets({ margin, most }: Wager): Bets {
  const pass = player(most * (1 - margin));
  const regression = player(most * (1 + margin));
  return {
    add(sum, size) {
      const gain = sum + margin * size;
      pass.bet(gain);
      regression.bet(-gain);
    },
    best: () => ({ pass: pass.best(), regression: regression.best() }),
  };
}

/** The capital of one player in logarithms. `worst`: the most that a cluster can take, of which he never stakes all. */
function player(worst: number): { bet: (gain: number) => void; best: () => number } {
  const capitals = new Float64Array(stakes.length);
  let best = 0;
  // With nothing to lose the first gain is worth everything.
  if (worst <= 0) return { bet: (gain) => void (best = gain > 0 ? Number.MAX_VALUE : best), best: () => best };
  return {
    bet(gain) {
      // Rounding must not take more than there is.
      const share = Math.max(-1, gain / worst);
      let most = Number.NEGATIVE_INFINITY;
      for (let place = 0; place < stakes.length; place++) {
        const capital = (capitals[place] ?? 0) + Math.log1p((stakes[place] ?? 0) * share);
        capitals[place] = capital;
        if (capital > most) most = capital;
      }
      if (most <= best) return;
      let total = 0;
      for (const capital of capitals) total += Math.exp(capital - most);
      best = Math.max(best, most + Math.log(total / stakes.length));
    },
    best: () => best,
  };
}

/** The p value of a capital: at most its share of 1, and never 0. */
export function pOfBest(best: number): number {
  return Math.max(Number.MIN_VALUE, Math.exp(-Math.max(0, best)));
}
