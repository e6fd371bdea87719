import type { Rate } from "./suite.ts";

const unitMs = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;

/** What a duration looks like in the suite file: `500ms`, `20s`, `1.5m`, `3h`. */
export const durationPattern = /^(?=.*[1-9])(\d{1,9}(?:\.\d{1,3})?)(ms|s|m|h)$/;

/** What a rate looks like in the suite file: `2/s`, `10/m`, `100/h`. */
export const ratePattern = /^([1-9]\d{0,8})\/(s|m|h)$/;

/** Milliseconds of a duration that matches `durationPattern`, at least 1; null when it does not match. */
export function durationMs(text: string): number | null {
  const [, amount, unit] = durationPattern.exec(text) ?? [];
  if (amount === undefined || !isUnit(unit)) return null;
  return Math.max(1, Math.round(Number(amount) * unitMs[unit]));
}

/** The rate that a text matching `ratePattern` states; null when it does not match. */
export function parseRate(text: string): Rate | null {
  const [, count, unit] = ratePattern.exec(text) ?? [];
  if (count === undefined || !isUnit(unit)) return null;
  return { count: Number(count), windowMs: unitMs[unit] };
}

function isUnit(text: string | undefined): text is keyof typeof unitMs {
  return text !== undefined && Object.hasOwn(unitMs, text);
}
