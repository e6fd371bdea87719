const timeForm = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d)?(?:[.,](\d+))? ?(?:(Z)|([+-]\d\d):?(\d\d)?)?$/i;

/** A time in ISO 8601 as microseconds since 1970; without a zone it is UTC. Null for another text. */
export function microsecondsOf(text: string): bigint | null {
  const found = timeForm.exec(text.trim());
  if (found === null) return null;
  const [, date = "", minutes = "", seconds = ":00", fraction = "", , hours, rest = "00"] = found;
  const zone = hours === undefined ? "Z" : `${hours}:${rest}`;
  const milliseconds = Date.parse(`${date}T${minutes}${seconds}${zone}`);
  if (Number.isNaN(milliseconds)) return null;
  return BigInt(milliseconds) * 1000n + BigInt(fraction.slice(0, 6).padEnd(6, "0"));
}
