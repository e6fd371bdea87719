/**
 * Milliseconds that a `Retry-After` header asks for: a decimal number of seconds (`51.1234568`) or an HTTP date,
 * whose past means 0. Null when the header is absent, negative or not understood. Bounded only to a whole number, of
 * however many digits: a caller that sets a timer must bound it.
 */
export function retryAfterMs(header: string | null, now: number): number | null {
  if (header === null) return null;
  const text = header.trim();
  if (/^(\d+(\.\d*)?|\.\d+)$/.test(text)) return Math.min(Number.MAX_SAFE_INTEGER, Math.ceil(Number(text) * 1000));
  // Date.parse alone takes far too much for a date ("-5", "12:30 soon").
  if (!/^[A-Za-z]{3,9},? .*\d{2}:\d{2}:\d{2}/.test(text)) return null;
  const at = Date.parse(asUtc(text));
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}

/** An asctime date names no zone, and HTTP dates are always in GMT. */
function asUtc(text: string): string {
  return /(GMT|UTC|Z|[+-]\d{4})$/i.test(text) ? text : `${text} GMT`;
}
