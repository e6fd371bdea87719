const nameStart = /[\p{L}_:]/u;
const namePattern = /[\p{L}_:][\p{L}\p{M}\p{N}_:.·-]*/uy;

/**
 * The places in a text from an opening tag to the tag that closes it, none inside of another, in their order. Its time
 * grows with the length of the text.
 */
export function xmlSpans(text: string): [start: number, end: number][] {
  const spans: [number, number][] = [];
  let open: { name: string; start: number }[] = [];
  const found = (start: number, end: number): void => {
    while ((spans.at(-1)?.[0] ?? -1) > start) spans.pop();
    spans.push([start, end]);
  };
  const skip = skipper(text);
  for (let at = text.indexOf("<"); at !== -1; at = text.indexOf("<", at)) {
    const behind = skip(at);
    const tag = behind === null ? tagAt(text, at) : null;
    const start = at;
    at = behind ?? tag?.end ?? at + 1;
    if (tag === null) continue;
    if (tag.kind === "empty") found(start, tag.end);
    else if (tag.kind === "open") open.push({ name: tag.name, start });
    else if (open.at(-1)?.name === tag.name) found(open.pop()?.start ?? start, tag.end);
    else open = [];
  }
  return spans;
}

const skipped = [
  ["<!--", "-->"],
  ["<![CDATA[", "]]>"],
  ["<?", "?>"],
] as const;

/** Finds the end of a comment and its like; once there is no end, no later one is looked for. */
function skipper(text: string): (at: number) => number | null {
  const endless = new Set<string>();
  return (at) => {
    for (const [begin, end] of skipped) {
      if (!text.startsWith(begin, at) || endless.has(begin)) continue;
      const behind = text.indexOf(end, at + begin.length);
      if (behind !== -1) return behind + end.length;
      endless.add(begin);
    }
    return null;
  };
}

interface Tag {
  kind: "open" | "close" | "empty";
  name: string;
  end: number;
}

/** The tag that begins at a place; null when there is none. A `<` within it ends the search. */
function tagAt(text: string, at: number): Tag | null {
  const isClosing = text[at + 1] === "/";
  const from = at + (isClosing ? 2 : 1);
  if (!nameStart.test(text.slice(from, from + 2))) return null;
  namePattern.lastIndex = from;
  const name = namePattern.exec(text)?.[0];
  if (name === undefined) return null;
  let quote: string | null = null;
  for (let i = from + name.length; i < text.length; i++) {
    const char = text[i] ?? "";
    if (char === "<") return null;
    if (quote !== null) quote = char === quote ? null : quote;
    else if (char === '"' || char === "'") quote = char;
    else if (char === ">") {
      return { kind: isClosing ? "close" : text[i - 1] === "/" ? "empty" : "open", name, end: i + 1 };
    }
  }
  return null;
}
