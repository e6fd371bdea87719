/** When one value of a member was seen: in so many records, at a sample of their moments. */
export interface ValueOverTime {
  first: number;
  last: number;
  records: number;
  /** Moments of every `step`-th record, so that there are never more than `mostMoments`. */
  moments: number[];
  step: number;
}

const mostMoments = 256;

/** Chance below which it is not by accident that the values fall apart in time. */
const leastChance = 1e-3;
/** The same in deviations of a rank sum. */
const leastDeviations = 3.3;
/** Share of the old value after the turn, and of the new one before it, together. */
const mostMisplaced = 0.2;
const leastRecords = 5;

export function newValue(at: number): ValueOverTime {
  return { first: at, last: at, records: 1, moments: [at], step: 1 };
}

export function prolong(spell: ValueOverTime, at: number): void {
  spell.first = Math.min(spell.first, at);
  spell.last = Math.max(spell.last, at);
  if (spell.records % spell.step === 0) {
    spell.moments.push(at);
    if (spell.moments.length >= mostMoments) {
      spell.moments = spell.moments.filter((_, place) => place % 2 === 0);
      spell.step *= 2;
    }
  }
  spell.records += 1;
}

/** The moment before which about half of it was seen. */
export function middleOf({ moments }: ValueOverTime): number {
  return moments.toSorted((a, b) => a - b)[moments.length >> 1] ?? 0;
}

/**
 * The moment at which one value took the place of the other, or null when they do not follow each other. Requests that
 * are on their way at that moment, and servers that are renewed one by one, mix both for a while: some may be misplaced.
 */
export function turnBetween(before: ValueOverTime, after: ValueOverTime): number | null {
  if (before.last <= after.first) {
    return chanceOfOrder(before.records, after.records) > leastChance ? null : after.first;
  }
  if (Math.min(before.records, after.records) < leastRecords) return null;
  const [old, young] = [before, after].map(({ moments }) => moments.toSorted((a, b) => a - b));
  if (old === undefined || young === undefined) return null;
  const { at, misplaced, rankShare } = bestTurn(old, young);
  const deviation = Math.sqrt((old.length + young.length + 1) / (12 * old.length * young.length));
  return misplaced <= mostMisplaced && (rankShare - 0.5) / deviation >= leastDeviations ? at : null;
}

interface Turn {
  at: number;
  misplaced: number;
  /** Share of the pairs in which the old value is the earlier one. */
  rankShare: number;
}

function bestTurn(old: readonly number[], young: readonly number[]): Turn {
  let best = { at: young[0] ?? 0, misplaced: Infinity };
  let pairs = 0;
  let seen = 0;
  for (const [place, at] of young.entries()) {
    while (seen < old.length && (old[seen] ?? 0) <= at) seen += 1;
    pairs += seen;
    const misplaced = place / young.length + (old.length - seen) / old.length;
    if (misplaced < best.misplaced) best = { at, misplaced };
  }
  return { ...best, rankShare: pairs / (old.length * young.length) };
}

/** Chance that of two values, shuffled, all of one come before all of the other. */
function chanceOfOrder(one: number, other: number): number {
  let ways = 1;
  const fewer = Math.min(one, other);
  for (let i = 1; i <= fewer && ways < 1e9; i++) ways = (ways * (one + other - fewer + i)) / i;
  return 2 / ways;
}
