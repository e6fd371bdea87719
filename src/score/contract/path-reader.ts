/** Reads a JSON path from its beginning to its end; whatever does not fit raises a SyntaxError that says where. */
export function pathReader(text: string): PathReader {
  let place = 0;
  const match = (pattern: RegExp): string | null => {
    pattern.lastIndex = place;
    const found = pattern.exec(text)?.[0] ?? null;
    if (found !== null) place += found.length;
    return found;
  };
  const at = (token: string): boolean => text.startsWith(token, place);
  const take = (token: string): boolean => {
    if (!at(token)) return false;
    place += token.length;
    return true;
  };
  const fail = (wanted: string): never => {
    const got = place >= text.length ? "its end" : JSON.stringify(text.slice(place, place + 10));
    throw new SyntaxError(`has ${got} at character ${place + 1} where ${wanted} should be`);
  };
  return {
    at,
    take,
    fail,
    expect: (token) => {
      if (!take(token)) fail(token);
    },
    end: () => {
      if (place < text.length) fail("its end");
    },
    space: () => {
      match(/\s*/y);
    },
    name: () => match(/[\p{L}\p{M}_][\p{L}\p{M}\p{N}_-]*/uy),
    integer: () => {
      const found = match(/-?\d{1,9}/y);
      return found === null ? null : Number(found);
    },
    number: () => {
      const found = match(/-?\d{1,30}(?:\.\d{1,30})?(?:[eE][+-]?\d{1,3})?/y);
      return found === null ? null : Number(found);
    },
    quoted: () => {
      const found = match(/'(?:[^'\\]|\\[^])*'|"(?:[^"\\]|\\[^])*"/uy);
      return found === null ? null : unquote(found, fail);
    },
  };
}

export interface PathReader {
  at: (token: string) => boolean;
  /** Passes over a token when it is there. */
  take: (token: string) => boolean;
  expect: (token: string) => void;
  end: () => void;
  space: () => void;
  name: () => string | null;
  integer: () => number | null;
  number: () => number | null;
  /** A text in single or double quotes, with the escapes of JSON. */
  quoted: () => string | null;
  fail: (wanted: string) => never;
}

function unquote(quoted: string, fail: (wanted: string) => never): string {
  const inner = quoted
    .slice(1, -1)
    .replaceAll("\\'", "'")
    .replaceAll(/(?<!\\)((?:\\\\)*)"/g, '$1\\"');
  try {
    return String(JSON.parse(`"${quoted.startsWith('"') ? quoted.slice(1, -1) : inner}"`));
  } catch {
    return fail("a text with the escapes of JSON before it");
  }
}
