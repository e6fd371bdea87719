const unitMs = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;

/** Form of a duration in a file: `500ms`, `20s`, `1.5m`, `3h`. */
export const durationPattern = /^(?=.*[1-9])(\d{1,9}(?:\.\d{1,3})?)(ms|s|m|h)$/;

/** Milliseconds of a duration that matches `durationPattern`, at least 1; null when it does not match. */
export function durationMs(text: string): number | null {
  const [, amount, unit] = durationPattern.exec(text) ?? [];
  if (amount === undefined || !isUnit(unit)) return null;
  return Math.max(1, Math.round(Number(amount) * unitMs[unit]));
}

/** Milliseconds of a unit of time; null for what is none. */
export function unitOfTime(unit: string): number | null {
  return isUnit(unit) ? unitMs[unit] : null;
}

function isUnit(text: string | undefined): text is keyof typeof unitMs {
  return text !== undefined && Object.hasOwn(unitMs, text);
}

/**
 * Milliseconds between two moments of one attempt, whose dates all go by the time to which the machine was set when it was
 * queued; null where one of them is not known. Dates of two attempts may go by two settings: their difference is no duration.
 */
export function attemptMs(from: number | null, to: number | null): number | null {
  return from === null || to === null ? null : Math.max(0, to - from);
}
