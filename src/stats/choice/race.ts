import { stakes } from "../betting/bets.ts";

/** A race among configurations that are asked cluster by cluster; scores have ends. */
export interface RaceRules {
  configurations: number;
  /** The most that a case can differ by, and the most cases that a cluster of the plan has. */
  range: number;
  most: number;
  /** Chance that the best one is ever dropped. */
  alphaDrop: number;
  /** Ends it with one that no other is better than by `margin` or more, wrongly with this chance; null: it is run for the one best. */
  closeEnough: { margin: number; alpha: number } | null;
  /** Clusters go on to enter after its end, and may drop more. Default: nothing enters any more. */
  goesOn?: boolean;
}

/** The end of a race: one is left, or one than which none of those that are left is better by the margin. */
export interface RaceEnd {
  kind: "one left" | "close enough";
  configuration: number;
  /** Clusters that had entered. */
  after: number;
}

export interface Race {
  /** Enters the next cluster: the sum of the scores of each, positive better, and its cases. Those that were dropped are not looked at. */
  add: (sums: ArrayLike<number>, size: number) => void;
  /** Clusters after which each was dropped; null: it is still asked. */
  droppedAfter: () => readonly (number | null)[];
  /** Evidence against each being the best, which a dropped one keeps. */
  evidence: () => number[];
  end: () => RaceEnd | null;
}

/**
 * Drops what is behind beyond doubt. Evidence against "i is at least as good as j" is the mean capital of bets on the
 * differences of whole clusters, a supermartingale where that is true (Waudby-Smith & Ramdas 2024); against "i is the best" it is
 * the mean over all others, dropped ones with what they had (means of e-processes: Vovk & Wang 2021). The best one ever reaches
 * 1 / alpha with a chance of alpha at most (Ville 1939), for all looks and all configurations together.
 */
export function openRace(rules: RaceRules): Race {
  const { configurations, range, most, alphaDrop, closeEnough, goesOn = false } = rules;
  const ahead = capitals(configurations, most * range);
  const margin = closeEnough === null ? 0 : closeEnough.margin / range;
  const near = closeEnough === null ? null : capitals(configurations, most * range * (1 - margin));
  /** The most that the bets on closeness ever had, as logarithms. */
  const nearest = new Float64Array(configurations ** 2);
  const dropped: (number | null)[] = Array.from({ length: configurations }, () => null);
  const totals = new Float64Array(configurations);
  let entered = 0;
  let end: RaceEnd | null = null;

  const left = (): number[] => dropped.flatMap((at, place) => (at === null ? [place] : []));
  const evidenceOf = (place: number): number => {
    let sum = 0;
    for (let other = 0; other < configurations; other++)
      if (other !== place) sum += Math.exp(ahead.mean(place * configurations + other));
    return sum / (configurations - 1);
  };

  const drop = (running: readonly number[]): void => {
    const behind = running.filter((place) => evidenceOf(place) >= 1 / alphaDrop);
    // One is always left, as it cannot be worse than all that are.
    const kept =
      behind.length < running.length ? null : behind.toSorted((one, other) => evidenceOf(one) - evidenceOf(other))[0];
    for (const place of behind) if (place !== kept) dropped[place] = entered;
  };

  const endOf = (running: readonly number[]): RaceEnd | null => {
    const [only] = running;
    if (only !== undefined && running.length === 1) return { kind: "one left", configuration: only, after: entered };
    if (closeEnough === null) return null;
    const needed = Math.log((configurations - 1) / closeEnough.alpha);
    const isClose = (place: number): boolean =>
      running.every((other) => other === place || (nearest[place * configurations + other] ?? 0) >= needed);
    const [best] = running.filter(isClose).toSorted((one, other) => (totals[other] ?? 0) - (totals[one] ?? 0));
    return best === undefined ? null : { kind: "close enough", configuration: best, after: entered };
  };

  return {
    add(sums, size) {
      if (end !== null && !goesOn) return;
      entered += 1;
      const running = left();
      for (const place of running) totals[place] = (totals[place] ?? 0) + (sums[place] ?? 0);
      for (const place of running) {
        for (const other of running) {
          if (other === place) continue;
          const pair = place * configurations + other;
          const gain = (sums[other] ?? 0) - (sums[place] ?? 0);
          ahead.bet(pair, gain);
          if (near === null) continue;
          near.bet(pair, margin * range * size - gain);
          nearest[pair] = Math.max(nearest[pair] ?? 0, near.mean(pair));
        }
      }
      drop(running);
      const now = endOf(left());
      // It ended when it ended, whatever the rest has made of it.
      if (now !== null) end = { ...now, after: end?.after ?? now.after };
    },
    droppedAfter: () => dropped,
    evidence: () => dropped.map((_, place) => evidenceOf(place)),
    end: () => end,
  };
}

/** Capitals of each pair in logarithms, one for each stake. `worst`: the most that a cluster can take. */
function capitals(configurations: number, worst: number) {
  const held = new Float64Array(configurations ** 2 * stakes.length);
  /** Logarithms of the mean capital over all stakes; NaN: not known since the last bet. */
  const means = new Float64Array(configurations ** 2);
  const gains = gainLogarithms();
  return {
    bet(pair: number, gain: number): void {
      // Rounding must not take more than there is.
      const share = worst > 0 ? Math.max(-1, gain / worst) : 0;
      if (share === 0) return;
      const from = pair * stakes.length;
      const own = gains(share);
      for (let place = 0; place < stakes.length; place++)
        held[from + place] = (held[from + place] ?? 0) + (own[place] ?? 0);
      means[pair] = Number.NaN;
    },
    mean(pair: number): number {
      const known = means[pair] ?? 0;
      if (!Number.isNaN(known)) return known;
      const from = pair * stakes.length;
      let most = Number.NEGATIVE_INFINITY;
      for (let place = 0; place < stakes.length; place++) most = Math.max(most, held[from + place] ?? 0);
      let sum = 0;
      for (let place = 0; place < stakes.length; place++) sum += Math.exp((held[from + place] ?? 0) - most);
      return (means[pair] = most + Math.log(sum / stakes.length));
    },
  };
}

/** Shares that are remembered: passes and fails have few. */
const mostShares = 64;

/** Logarithms of the factor by which each stake grows, by the share that is won or lost of the most. */
function gainLogarithms(): (share: number) => readonly number[] {
  const known = new Map<number, readonly number[]>();
  return (share) => {
    const found = known.get(share);
    if (found !== undefined) return found;
    const made = stakes.map((stake) => Math.log1p(stake * share));
    if (known.size < mostShares) known.set(share, made);
    return made;
  };
}

/** The clusters that entered a race, and what it made of them. */
export interface EnteredRace {
  /** For each configuration the sum of each cluster, positive better; of a dropped one up to that with which it was. */
  sums: readonly Float64Array[];
  sizes: Float64Array;
  /** Clusters after which each was dropped; null: it was not. */
  droppedAfter: readonly (number | null)[];
  /** All were asked to the end, dropped ones too. */
  isWhole: boolean;
}

/** Bounds of the mean of a configuration less the best of the others; null: nothing is said. */
export interface RaceBounds {
  lower: number | null;
  upper: number | null;
}

/** Halvings of the scale: bounds are right to a millionth of it. */
const halvings = 20;

/**
 * Bounds that hold for all at once and at any time with a chance of 1 - alphaDrop - alphaClose: the supposed differences that the
 * bets of the race do not rule out. Above: that it is ahead of each of the others by so much. Below: that one of those that are left, of which
 * one is the best, is ahead of it by so much. A dropped one was asked other cases than those that are left: nothing is said of
 * it, unless all were asked to the end.
 */
export function raceBounds(
  entered: EnteredRace,
  { range, most, alphaDrop, alphaClose }: { range: number; most: number; alphaDrop: number; alphaClose: number },
): RaceBounds[] {
  const { sums, droppedAfter, isWhole } = entered;
  const places = sums.map((_, place) => place);
  const left = places.filter((place) => droppedAfter[place] === null);
  const needed = (places.length - 1) / alphaClose;
  const follow = (place: number, others: readonly number[]) => {
    return others.map((other) => ({ place, other, until: droppedAfter[other] ?? entered.sizes.length }));
  };
  const lowerOf = (place: number): number => {
    const others = left.filter((other) => other !== place);
    if (others.length === 0) return 0;
    return (
      0 -
      leastLead((lead) =>
        others.every((other) => {
          const pairs = [{ place, other, until: entered.sizes.length }];
          return reaches(entered, pairs, { lead, needed, most, range, ahead: false });
        }),
      )
    );
  };
  const upperOf = (place: number): number => {
    const pairs = follow(
      place,
      places.filter((other) => other !== place),
    );
    return leastLead((lead) => reaches(entered, pairs, { lead, needed: 1 / alphaDrop, most, range, ahead: true }));
  };
  return places.map((place) => {
    const isLeft = droppedAfter[place] === null;
    if (!isLeft && !isWhole) return { lower: null, upper: null };
    return { lower: range * lowerOf(place), upper: isLeft ? range * upperOf(place) : 0 };
  });
}

/** The least share of the scale from 0 on that is ruled out; 1: none is. */
function leastLead(isRuledOut: (lead: number) => boolean): number {
  let [low, high] = [0, 1];
  if (isRuledOut(0)) return 0;
  for (let half = 0; half < halvings; half++) {
    const middle = (low + high) / 2;
    if (isRuledOut(middle)) high = middle;
    else low = middle;
  }
  return high;
}

interface Supposed {
  /** Supposed lead, as a share of the scale. */
  lead: number;
  needed: number;
  most: number;
  range: number;
  /** The one at `place` is supposed to be ahead; else the other one. */
  ahead: boolean;
}

/** True where the mean capital of bets against a supposed lead was ever as much as is needed. */
function reaches(
  { sums, sizes }: EnteredRace,
  pairs: readonly { place: number; other: number; until: number }[],
  { lead, needed, most, range, ahead }: Supposed,
): boolean {
  const worst = most * range * (1 - lead);
  const bets = pairs.map((pair) => ({ ...pair, capitals: new Float64Array(stakes.length).fill(1), mean: 1 }));
  for (let cluster = 0; cluster < sizes.length; cluster++) {
    let total = 0;
    for (const bet of bets) {
      if (cluster < bet.until) {
        const difference = (sums[bet.other]?.[cluster] ?? 0) - (sums[bet.place]?.[cluster] ?? 0);
        const gain = lead * range * (sizes[cluster] ?? 0) + (ahead ? difference : -difference);
        const share = worst > 0 ? Math.max(-1, gain / worst) : Number(gain > 0);
        let sum = 0;
        for (let at = 0; at < stakes.length; at++) {
          const capital = (bet.capitals[at] ?? 0) * (1 + (stakes[at] ?? 0) * share);
          bet.capitals[at] = capital;
          sum += capital;
        }
        bet.mean = sum / stakes.length;
      }
      total += bet.mean;
    }
    if (total / bets.length >= needed) return true;
  }
  return false;
}
