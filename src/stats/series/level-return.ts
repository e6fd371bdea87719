import type { SeriesPoint } from "./change-evidence.ts";

/** The nights since the return are so many times as likely at the level of before as at that since the change. */
const odds = 20;
/** Deviations by which two levels are at most taken to be apart, so that no single night says more than it can. */
const mostApart = 10;

/**
 * The first place from which on the level of before a change is back; null while it is not. The values from `change` to
 * `noticed` tell the new level, those before it the old one; what came later is asked which of the two it fits (the
 * cumulative sum of E. S. Page, 1954).
 */
export function returnPlace(
  points: readonly SeriesPoint[],
  { change, noticed }: { change: number; noticed: number },
): number | null {
  const before = points.slice(0, change);
  const since = points.slice(change, noticed + 1);
  const [old, now] = [meanOf(before), meanOf(since)];
  const spread = [...before.map(({ value }) => value - old), ...since.map(({ value }) => value - now)];
  const steps = [...before, ...since].map(({ step }) => step);
  const apart = Math.abs(now - old);
  const deviation = Math.max(Math.hypot(...spread, ...steps) / Math.sqrt(spread.length), apart / mostApart);
  if (!Number.isFinite(deviation) || deviation === 0) return null;
  let sum = 0;
  let first = noticed + 1;
  for (let place = noticed + 1; place < points.length; place++) {
    const value = points[place]?.value ?? now;
    sum += (((value - now) / deviation) ** 2 - ((value - old) / deviation) ** 2) / 2;
    if (sum >= Math.log(odds)) return first;
    if (sum > 0) continue;
    sum = 0;
    first = place + 1;
  }
  return null;
}

/** The mean of some values: exactly theirs where all are the same. */
export function meanOf(points: readonly SeriesPoint[]): number {
  const first = points[0]?.value ?? 0;
  const n = points.length;
  return points.reduce((total, { value }) => total + (value / n - first / n), first);
}
