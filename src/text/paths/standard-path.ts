/** A path as the standard writes it, with the place in the text that was given for each of its characters. */
export interface StandardPath {
  text: string;
  placeOf: (index: number) => number;
}

/** Quoted texts, which stay as they are, and numbers that begin with 0. */
const pieces = /'(?:\\[^]|[^'\\])*'|"(?:\\[^]|[^"\\])*"|(?<![\p{L}\p{M}\p{N}_.-])0[.eE][\d.eE+-]*/gu;

/**
 * Writes a path as RFC 9535 has it: the `$` at its beginning and the dot behind it may be missing, so that
 * `output_text[0]` is a path. Numbers such as 0.5 and 0e1, which json-p3 2.3.1 takes for octal ones, are written with an
 * exponent, as it reads them.
 */
export function standardPath(given: string): StandardPath {
  const start = given.startsWith("$") ? "" : given.startsWith("[") || given.startsWith("..") ? "$" : "$.";
  const places: number[] = Array.from(start, () => 0);
  let text = start;
  const add = (piece: string, from: number, length: number): void => {
    text += piece;
    for (let index = 0; index < piece.length; index++) places.push(from + Math.min(index, length));
  };
  let from = 0;
  for (const { 0: found, index } of given.matchAll(pieces)) {
    add(given.slice(from, index), from, index - from);
    add(/^['"]/.test(found) ? found : plainNumber(found), index, found.length);
    from = index + found.length;
  }
  add(given.slice(from), from, given.length - from);
  return { text, placeOf: (index) => places[index] ?? given.length };
}

/** The same number without a 0 before other digits; what is none stays, for the fault to show it. */
function plainNumber(found: string): string {
  const value = Number(found);
  if (Number.isNaN(value) || !/^0(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(found)) return found;
  return value === 0 ? "0" : value.toExponential();
}
