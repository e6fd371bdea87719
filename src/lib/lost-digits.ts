declare global {
  interface JSON {
    /** A number as it is written, for `JSON.stringify`. */
    rawJSON: (text: string) => object;
  }
}

/** Most texts have no number that is long enough. */
const suspicious = /\d{16}|[eE]\+?\d{3}/;

/** True for a number that would be sent as another one: too long for its last digits to be kept, or too large. */
export function isLost(number: string): boolean {
  const value = Number(number);
  if (!Number.isFinite(value)) return true;
  return /^-?\d{16,}$/.test(number) && BigInt(number) !== BigInt(value);
}

/** The first such number in a text that is known to be JSON; null: there is none. */
export function lostNumber(json: string): string | null {
  if (!suspicious.test(json)) return null;
  let lost: string | null = null;
  JSON.parse(json, (_name, value: unknown, at?: { source?: string }) => {
    if (typeof value === "number" && at?.source !== undefined && isLost(at.source)) lost ??= at.source;
    return value;
  });
  return lost;
}

/** The value of a text that is known to be JSON; made JSON again, its decimals and numbers too large to be exact are as they were written. */
export function withWrittenNumbers(json: string): unknown {
  const value: unknown = JSON.parse(json, (_name, inner: unknown, at?: { source?: string }) =>
    typeof inner === "number" && !Number.isSafeInteger(inner) && at?.source !== undefined
      ? JSON.rawJSON(at.source)
      : inner,
  );
  return value;
}
