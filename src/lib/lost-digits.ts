/** A number of a JSON text as it is written there; JSON.stringify writes it so again. */
type WrittenNumber = { rawJSON: string };

declare global {
  interface JSON {
    /** A number as it is written, for `JSON.stringify`. */
    rawJSON: (text: string) => WrittenNumber;
    isRawJSON?: (value: unknown) => boolean;
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

/** The value of a JSON text, in which a number that would lose digits is as it is written. */
export function withLostNumbers<Value>(json: string, value: Value): Value {
  if (!suspicious.test(json)) return value;
  const kept: Value = JSON.parse(
    json,
    numerals((_value, numeral) => isLost(numeral)),
  );
  return kept;
}

/** The value of a text that is known to be JSON; made JSON again, its numbers are as they were written. */
export const withWrittenNumbers = (json: string): unknown =>
  JSON.parse(
    json,
    numerals((value, numeral) => String(value) !== numeral),
  );

/** Reads a number as it is written where that is to be kept. */
const numerals =
  (keeps: (value: number, numeral: string) => boolean) =>
  (_name: string, value: unknown, at?: { source?: string }): unknown =>
    typeof value === "number" && at?.source !== undefined && keeps(value, at.source) ? JSON.rawJSON(at.source) : value;

/** True for a number that is kept as it was written: some browsers keep none. */
export const isWrittenNumber = (value: unknown): value is WrittenNumber => JSON.isRawJSON?.(value) === true;

/** A number of JSON, also one as it is written; null: it is none. */
export function numeralOf(value: unknown): string | null {
  if (typeof value === "number") return String(value);
  return isWrittenNumber(value) ? value.rawJSON : null;
}
