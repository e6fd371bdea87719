import { xmlParser } from "./parsers.ts";

/** Characters beyond which a text is not read as markup: one monstrous answer would hold up all others. */
export const longestMarkup = 1_000_000;

/** A text read as XML: the reason why it is none, or the wanted elements that it lacks. */
export type ReadXml = { fault: string } | { missing: string[] };

/**
 * Reads a text as one XML document, or its fragments where `within` is set. `wanted` are paths of elements such as
 * `root.item` or `root.item.1.@_id`. Nothing is loaded, and no entity but the five of XML is known.
 */
export function readXml(text: string, wanted: readonly string[], within: boolean): ReadXml {
  const paths = elementPaths(wanted);
  if (!within) {
    const fault = faultOf(text, paths);
    return fault === null ? { missing: paths.missing() } : { fault };
  }
  let last: string | null = null;
  let isAny = false;
  for (const [start, end] of xmlSpans(text)) {
    const fault = faultOf(text.slice(start, end), paths);
    if (fault === null) isAny = true;
    else last = fault;
  }
  return isAny ? { missing: paths.missing() } : { fault: last ?? "there is no XML in it" };
}

/** Parses a document, telling its elements; the reason where it is not well-formed, else null. */
function faultOf(text: string, paths: ElementPaths): string | null {
  const { SaxesParser } = xmlParser();
  const parser = new SaxesParser();
  let fault: string | null = null;
  parser.on("error", ({ message }) => {
    fault ??= message;
    throw new Error(message);
  });
  parser.on("doctype", (doctype) => {
    if (!doctype.includes("[")) return;
    fault = "declarations of its own in a DTD are not read";
    throw new Error(fault);
  });
  parser.on("opentag", ({ name, attributes }) => paths.open(name, attributes));
  parser.on("closetag", () => paths.close());
  try {
    parser.write(text).close();
  } catch (cause) {
    if (fault === null) throw cause;
  }
  paths.restart();
  return fault;
}

/** Follows the elements of documents along wanted paths. */
interface ElementPaths {
  open: (name: string, attributes: Readonly<Record<string, unknown>>) => void;
  close: () => void;
  /** Forgets what is open: another document begins. */
  restart: () => void;
  /** The paths that no document had. */
  missing: () => string[];
}

interface Step {
  name: string;
  /** The place among elements of that name; null: every one. */
  at: number | null;
}

interface Wanted {
  path: string;
  steps: Step[];
  /** Set where the path ends at an attribute. */
  attribute: string | null;
  isFound: boolean;
}

/** An open element: the wanted paths that lead through it, with their steps so far. */
interface Level {
  through: readonly { wanted: Wanted; steps: number }[];
  counts: Map<string, number>;
}

const beside: Level = { through: [], counts: new Map() };

/**
 * Reads paths such as `root.item`, `root.item.1` (the second one) and `root.item.@_id` (an attribute). Work and memory
 * grow with the elements, however deep they are.
 */
function elementPaths(paths: readonly string[]): ElementPaths {
  const all = paths.map(wantedOf);
  const outside = (): Level => ({ through: all.map((wanted) => ({ wanted, steps: 0 })), counts: new Map() });
  let levels: Level[] = [outside()];
  return {
    open: (name, attributes) => {
      const parent = levels.at(-1) ?? beside;
      levels.push(parent.through.length === 0 ? beside : entered(parent, name, attributes));
    },
    close: () => void levels.pop(),
    restart: () => (levels = [outside()]),
    missing: () => all.filter(({ isFound }) => !isFound).map(({ path }) => path),
  };
}

function entered(parent: Level, name: string, attributes: Readonly<Record<string, unknown>>): Level {
  const at = parent.counts.get(name) ?? 0;
  parent.counts.set(name, at + 1);
  const through = parent.through.flatMap(({ wanted, steps }) => {
    const step = wanted.steps[steps];
    if (step?.name !== name || (step.at !== null && step.at !== at)) return [];
    if (steps + 1 < wanted.steps.length) return [{ wanted, steps: steps + 1 }];
    if (wanted.attribute === null || Object.hasOwn(attributes, wanted.attribute)) wanted.isFound = true;
    return [];
  });
  return through.length === 0 ? beside : { through, counts: new Map() };
}

function wantedOf(path: string): Wanted {
  const steps: Step[] = [];
  let attribute: string | null = null;
  for (const part of path.split(".")) {
    const last = steps.at(-1);
    if (/^\d+$/.test(part) && last !== undefined) last.at = Number(part);
    else if (part.startsWith("@_")) attribute = part.slice(2);
    else steps.push({ name: part, at: null });
  }
  return { path, steps, attribute, isFound: false };
}

const nameStart = /[\p{L}_:]/u;
const namePattern = /[\p{L}_:][\p{L}\p{M}\p{N}_:.·-]*/uy;

/**
 * The places in a text from an opening tag to the tag that closes it, none inside of another, in their order. Its time
 * grows with the length of the text.
 */
function xmlSpans(text: string): [start: number, end: number][] {
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
