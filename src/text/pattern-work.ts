/**
 * An upper bound for the steps that a backtracking search with this pattern takes on a text of a length: starting places
 * times the ways in which the pattern can be laid over a text, times its size. Infinite where a repetition holds a choice
 * or another repetition. The pattern must be valid.
 */
export function patternWork(source: string, unicodeSets: boolean): (length: number) => number {
  const tree = readChoice({ source, at: 0, unicodeSets });
  return (length) => (length + 1) * ways(tree, length + 1) * (source.length + 1);
}

type Node =
  | { kind: "one" }
  /** A back reference: as long as what it repeats. */
  | { kind: "copy" }
  | { kind: "sequence" | "choice"; parts: Node[] }
  | { kind: "repeat"; of: Node; min: number; max: number };

function ways(node: Node, length: number): number {
  switch (node.kind) {
    case "one":
      return 1;
    case "copy":
      return length;
    case "sequence":
      return node.parts.reduce((product, part) => product * ways(part, length), 1);
    case "choice":
      return node.parts.reduce((sum, part) => sum + ways(part, length), 0);
    case "repeat": {
      const inner = ways(node.of, length);
      const most = Math.min(node.max, length);
      if (inner > 1) return inner ** most * Math.max(1, most - node.min + 1);
      return Math.max(1, most - node.min + 1);
    }
  }
}

interface Reading {
  source: string;
  at: number;
  unicodeSets: boolean;
}

function readChoice(reading: Reading): Node {
  const parts = [readSequence(reading)];
  while (reading.source[reading.at] === "|") {
    reading.at++;
    parts.push(readSequence(reading));
  }
  const [first] = parts;
  return parts.length === 1 && first !== undefined ? first : { kind: "choice", parts };
}

function readSequence(reading: Reading): Node {
  const parts: Node[] = [];
  for (;;) {
    const char = reading.source[reading.at];
    if (char === undefined || char === "|" || char === ")") return { kind: "sequence", parts };
    const atom = readAtom(reading, char);
    parts.push(readRepeat(reading, atom));
  }
}

function readAtom(reading: Reading, char: string): Node {
  const { source } = reading;
  if (char === "(") {
    reading.at += /^\((?:\?(?:[:=!]|<[=!]|<[^>]*>))?/.exec(source.slice(reading.at, reading.at + 200))?.[0].length ?? 1;
    const inner = readChoice(reading);
    reading.at++;
    return inner;
  }
  if (char === "[") {
    passClass(reading);
    return { kind: "one" };
  }
  if (char === "\\") {
    const escaped = /\\(?:[1-9]\d*|k<[^>]*>|[pP]\{[^}]*\}|u\{[^}]*\}|[^])/y;
    escaped.lastIndex = reading.at;
    const found = escaped.exec(source)?.[0] ?? "\\";
    reading.at += found.length;
    return { kind: /^\\[1-9k]/.test(found) ? "copy" : "one" };
  }
  reading.at++;
  return { kind: "one" };
}

/** A class of characters; with the flag v classes can hold others. */
function passClass(reading: Reading): void {
  let depth = 0;
  for (; reading.at < reading.source.length; reading.at++) {
    const char = reading.source[reading.at];
    if (char === "\\") reading.at++;
    else if (char === "[" && (depth === 0 || reading.unicodeSets)) depth++;
    else if (char === "]") {
      depth--;
      if (depth === 0) break;
    }
  }
  reading.at++;
}

function readRepeat(reading: Reading, of: Node): Node {
  const quantifier = /(?:[*+?]|\{(\d+)(?:(,)(\d*))?\})\??/y;
  quantifier.lastIndex = reading.at;
  const found = quantifier.exec(reading.source);
  if (found === null) return of;
  const [whole, least, comma, most] = found;
  reading.at += whole.length;
  if (least === undefined) {
    const sign = whole[0];
    return { kind: "repeat", of, min: sign === "+" ? 1 : 0, max: sign === "?" ? 1 : Infinity };
  }
  const min = Number(least);
  return { kind: "repeat", of, min, max: comma === undefined ? min : most === "" ? Infinity : Number(most) };
}
