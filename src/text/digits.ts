/** Digits of any script as 0 to 9; everything else stays. */
export function asciiDigits(text: string): string {
  return plain.test(text) ? text : text.replaceAll(digit, (each) => String(valueOf(each.codePointAt(0) ?? 0)));
}

// oxlint-disable-next-line no-control-regex
const plain = /^[\x00-\x7f]*$/;
const digit = /\p{Nd}/gu;

const values = new Map<number, number>();

/** Unicode has decimal digits in rows of ten that begin with the zero; some rows follow each other without a gap. */
function valueOf(point: number): number {
  const known = values.get(point);
  if (known !== undefined) return known;
  let start = point;
  while (/\p{Nd}/u.test(String.fromCodePoint(start - 1))) start--;
  values.set(point, (point - start) % 10);
  return (point - start) % 10;
}
