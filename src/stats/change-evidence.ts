/** A night of a series: its value, and the smallest difference that could mean anything. */
export interface SeriesPoint {
  value: number;
  /** Such as one case of a pass rate; 0: any difference counts. */
  step: number;
}

/** Deviation of the shifts that are looked for, in deviations of the series: 1, 2 and 3 of them are all likely. */
const defaultShift = 1.5;

/**
 * The evidence that the mean has changed, for each place that could be the first at the new level: entry k is the logarithm of
 * the likelihood ratio of "changed from place k on" to "the same all along". Entry 0 is -Infinity: before the first there is
 * nothing to change from.
 *
 * The values are normal with a mean and a deviation that nobody knows; the ratio is that of what is left when both are taken
 * out (the maximal invariant), so neither is estimated and put in its place: it is the product of predictive densities, of
 * which the one without a change is Student's t. The shift, in deviations, is mixed over N(0, 1.5^2), upwards and downwards
 * alike. Without a change each ratio is a martingale with mean 1 in the number of values. See M. Pollak and D. Siegmund
 * (1991) and M. Pollak, C. Croarkin and C. Hagwood (1993) for the invariant ratio, T. L. Lai and H. Xing (2010) for the
 * mixture over shifts.
 *
 * Values that hardly vary would make any difference look like a change: the squares of the steps are added to the sum of
 * squares, which can only make a ratio smaller.
 */
export function changeEvidence(points: readonly SeriesPoint[]): Float64Array {
  const n = points.length;
  const logs = new Float64Array(n).fill(-Infinity);
  const { values, squares } = centred(points);
  let after = 0;
  for (let place = n - 1; place > 0; place--) {
    after += values[place] ?? 0;
    // The contrast between the two parts, and its variance in deviations: n1 n2 / n.
    const weight = (place * (n - place)) / n;
    const explained = squares === 0 ? 0 : Math.min(1, (after * after) / weight / squares);
    const a = defaultShift * defaultShift * weight;
    logs[place] = -0.5 * Math.log1p(a) - ((n - 1) / 2) * Math.log1p((-explained * a) / (1 + a));
  }
  return logs;
}

/** Deviations from the mean on a scale on which their squares neither overflow nor vanish, and their sum of squares with the steps. */
function centred(points: readonly SeriesPoint[]): { values: Float64Array; squares: number } {
  const n = points.length;
  const values = new Float64Array(n);
  const first = points[0]?.value ?? 0;
  // In loops, because a series of n nights is looked at n times.
  let scale = 0;
  for (let place = 0; place < n; place++) {
    const { value, step } = points[place] ?? nothing;
    // Divided before they are subtracted: the difference of two huge values may be none that a number can hold.
    const apart = value / 4 - first / 4;
    values[place] = apart;
    scale = Math.max(scale, Math.abs(apart), Math.abs(step / 4));
  }
  if (scale === 0) return { values, squares: 0 };
  let mean = 0;
  for (const value of values) mean += value / scale;
  mean /= n;
  let squares = 0;
  for (let place = 0; place < n; place++) {
    const deviation = (values[place] ?? 0) / scale - mean;
    const step = (points[place] ?? nothing).step / 4 / scale;
    values[place] = deviation;
    squares += deviation * deviation + step * step;
  }
  return { values, squares };
}

const nothing: SeriesPoint = { value: 0, step: 0 };

/**
 * The logarithm of the sum over all places from `from` on: the statistic of A. N. Shiryaev (1963) and S. W. Roberts (1966),
 * which without a change grows by 1 with each value in the mean, so that it takes N values or more in the mean until it
 * reaches N.
 */
export function logSum(logs: Float64Array, from: number): number {
  const most = mostOf(logs, from);
  if (most === -Infinity) return -Infinity;
  let total = 0;
  for (let place = Math.max(0, from); place < logs.length; place++) total += Math.exp((logs[place] ?? 0) - most);
  return most + Math.log(total);
}

/** Tells whether `logSum` is at least so much: mostly without it, as no sum is more than its largest term so many times. */
export function logSumReaches(logs: Float64Array, from: number, limit: number): boolean {
  const count = logs.length - Math.max(0, from);
  return mostOf(logs, from) + Math.log(Math.max(1, count)) >= limit && logSum(logs, from) >= limit;
}

function mostOf(logs: Float64Array, from: number): number {
  let most = -Infinity;
  for (let place = Math.max(0, from); place < logs.length; place++) most = Math.max(most, logs[place] ?? -Infinity);
  return most;
}

/** A change that is known of: the first place at the new level, and the first and last that it may have been. */
export interface ChangeDate {
  place: number;
  earliest: number;
  latest: number;
}

/** Chance that the range of a date holds the true one, if any place was as likely beforehand. */
const rangeChance = 0.95;

/** The most likely place of a change among those from `from` to `to`, with the smallest range of such places that has 95 % of the chance. */
export function changeDate(logs: Float64Array, { from, to }: { from: number; to: number }): ChangeDate {
  const places = Array.from({ length: Math.max(1, to - from + 1) }, (_, offset) => from + offset);
  const likelihood = (place: number): number => logs[place] ?? -Infinity;
  const byChance = places.toSorted((a, b) => likelihood(b) - likelihood(a) || a - b);
  const [best = from] = byChance;
  const chances = byChance.map((place) => Math.exp(likelihood(place) - likelihood(best)));
  const all = chances.reduce((total, chance) => total + chance, 0);
  let covered = 0;
  const range = byChance.filter((_, order) => {
    const isNeeded = order === 0 || covered < rangeChance * all;
    covered += chances[order] ?? 0;
    return isNeeded;
  });
  return { place: best, earliest: Math.min(...range), latest: Math.max(...range) };
}
