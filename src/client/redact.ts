/** Text that takes the place of the key. */
const redactedMark = "[redacted]";

/** A shorter key occurs in ordinary text by chance, and replacing it would destroy answers. */
const shortestKey = 6;

/** So many characters from its beginning tell a key in a body, though the rest of it was cut off. */
const tellingLength = 11;

/** So many in a row, from anywhere in it, are looked for in what is told of an attempt: there a false find costs little. */
const partLength = 8;

/** Replaces an API key wherever a server echoes it. A value without the key comes back as it is (the same object). */
export interface Redactor {
  /** A body without the key. */
  body(body: Buffer): Buffer;
  /** A body that was cut off: its end may hold the beginning of the key. */
  cutBody(body: Buffer): Buffer;
  /** A part of a body, as text. */
  bodyText(text: string): string;
  /** An error, a header, a reason: without any eight characters in a row of the key. */
  text(text: string): string;
}

/** A redactor of a key and of other secrets; null stands for none. */
export function createRedactor(...secrets: readonly (string | null)[]): Redactor {
  const long = secrets.filter((secret) => secret !== null && secret.length >= shortestKey);
  const [first, ...others] = [...new Set(long)].map((secret) => redactorOf(secret ?? ""));
  if (first === undefined) return { body: same, cutBody: same, bodyText: same, text: same };
  return others.reduce(
    (one, other) => ({
      body: (bytes) => other.body(one.body(bytes)),
      cutBody: (bytes) => other.cutBody(one.cutBody(bytes)),
      bodyText: (text) => other.bodyText(one.bodyText(text)),
      text: (text) => other.text(one.text(text)),
    }),
    first,
  );
}

/**
 * A redactor of one key: as it is, as JSON text escapes it, percent-encoded, with any of its characters written as
 * \\u0041, %41 or &#65;, and cut short by whoever repeats it.
 */
function redactorOf(key: string): Redactor {
  const forms = spellings(key);
  const needles = forms.map(needleOf);
  const spelled = escapedPattern(key);
  const body = (bytes: Buffer): Buffer => withoutEscaped(replaceAll(bytes, needles), spelled);
  // Names of headers and of hosts come in lower case.
  const lower = needleOf(key.toLowerCase());
  const ofText = lower.bytes.equals(Buffer.from(key)) ? needles : [...needles, lower];
  const bodyText = (text: string): string => {
    const bytes = Buffer.from(text);
    const clean = withoutEscaped(replaceAll(bytes, ofText), spelled);
    return clean === bytes ? text : clean.toString();
  };
  const parts = partsOf(key);
  return {
    body,
    cutBody: (bytes) => replaceEnd(body(bytes), needles),
    bodyText,
    text: (text) => withoutParts(bodyText(text), parts),
  };
}

function same<T>(value: T): T {
  return value;
}

/** A spelling of the key, and its beginning, which tells the key although somebody cut it. */
interface Needle {
  bytes: Buffer;
  beginning: Buffer;
}

function needleOf(form: string): Needle {
  const bytes = Buffer.from(form);
  return { bytes, beginning: bytes.subarray(0, tellingLength) };
}

/** The longest first, so that no form is found inside another. */
function spellings(key: string): string[] {
  const escaped = JSON.stringify(key).slice(1, -1);
  const forms = new Set([key, escaped, escaped.replaceAll("/", "\\/"), percentEncoded(key)]);
  return [...forms].toSorted((a, b) => b.length - a.length);
}

function percentEncoded(key: string): string {
  try {
    return encodeURIComponent(key);
  } catch {
    return key;
  }
}

function replaceAll(bytes: Buffer, needles: readonly Needle[]): Buffer {
  let clean = bytes;
  for (const needle of needles) {
    let at = clean.indexOf(needle.beginning);
    if (at === -1) continue;
    const parts: Buffer[] = [];
    let from = 0;
    for (; at !== -1; at = clean.indexOf(needle.beginning, from)) {
      parts.push(clean.subarray(from, at), Buffer.from(redactedMark));
      from = at + needle.beginning.length;
      for (let i = needle.beginning.length; i < needle.bytes.length && clean[from] === needle.bytes[i]; i++) from++;
    }
    parts.push(clean.subarray(from));
    clean = Buffer.concat(parts);
  }
  return clean;
}

/** The key, or its beginning, where each character is itself or an escape of it. */
function escapedPattern(key: string): RegExp {
  const units = [...Buffer.from(key)].map((byte) => {
    const hex = byte.toString(16).padStart(2, "0");
    return `(?:\\x${hex}|(?<!\\\\)\\\\u00${hex}|%${hex}|&#(?:0*${byte}|x0*${hex});?)`;
  });
  const rest = units.slice(tellingLength).reduceRight((tail, unit) => `(?:${unit}${tail})?`, "");
  return new RegExp(units.slice(0, tellingLength).join("") + rest, "gi");
}

/** Only a text with escapes in it is worth the search. */
function withoutEscaped(bytes: Buffer, pattern: RegExp): Buffer {
  if (!bytes.includes("\\u00") && !bytes.includes("%") && !bytes.includes("&#")) return bytes;
  const text = bytes.toString("latin1");
  const clean = text.replaceAll(pattern, redactedMark);
  return clean === text ? bytes : Buffer.from(clean, "latin1");
}

function replaceEnd(bytes: Buffer, needles: readonly Needle[]): Buffer {
  for (const { bytes: needle } of needles) {
    for (let length = Math.min(needle.length - 1, bytes.length); length >= shortestKey; length--) {
      const start = bytes.length - length;
      if (bytes.subarray(start).equals(needle.subarray(0, length))) {
        return Buffer.concat([bytes.subarray(0, start), Buffer.from(redactedMark)]);
      }
    }
  }
  return bytes;
}

/** All parts of a key, in lower case, as bytes that are written as characters; none of a key that is not longer itself. */
function partsOf(key: string): ReadonlySet<string> {
  const bytes = Buffer.from(key).toString("latin1").toLowerCase();
  const parts = new Set<string>();
  for (let at = 0; at + partLength <= bytes.length; at++) parts.add(bytes.slice(at, at + partLength));
  return parts;
}

/** The text without parts of the key, as they are and with any character of them written as an escape. */
function withoutParts(text: string, parts: ReadonlySet<string>): string {
  if (parts.size === 0 || text.length < partLength) return text;
  const bytes = Buffer.from(text).toString("latin1");
  const plain = spansOf({ text: bytes, from: null }, parts);
  const spans = hasEscapes.test(bytes) ? [...plain, ...spansOf(unescaped(bytes), parts)] : plain;
  if (spans.length === 0) return text;
  let clean = "";
  let done = 0;
  for (const [start, end] of spans.toSorted(([a], [b]) => a - b)) {
    if (end <= done) continue;
    // Parts that touch or overlap are one.
    if (start > done || done === 0) clean += bytes.slice(done, start) + redactedMark;
    done = end;
  }
  return Buffer.from(clean + bytes.slice(done), "latin1").toString();
}

/** A text with its escapes read, and where each of its characters began in the text as it is; null: nothing was read. */
interface Read {
  text: string;
  from: readonly number[] | null;
}

/** Where parts of the key stand, as beginnings and ends in the text as it is. */
function spansOf({ text, from }: Read, parts: ReadonlySet<string>): [number, number][] {
  const lower = text.toLowerCase();
  const placeOf = (at: number): number => from?.[at] ?? at;
  const spans: [number, number][] = [];
  for (let at = 0; at + partLength <= lower.length; at++) {
    if (parts.has(lower.slice(at, at + partLength))) spans.push([placeOf(at), placeOf(at + partLength)]);
  }
  return spans;
}

const hasEscapes = /\\|%|&#/;
const anEscape = /\\u00([0-9a-f]{2})|%([0-9a-f]{2})|&#x0*([0-9a-f]{2});?|&#0*(\d{2,3});?|\\(["\\/])/giy;

function unescaped(text: string): Read {
  let read = "";
  const from: number[] = [];
  for (let at = 0; at < text.length;) {
    from.push(at);
    anEscape.lastIndex = at;
    const match = anEscape.exec(text);
    const [whole = "", json, percent, hex, decimal, plain] = match ?? [];
    const code = json ?? percent ?? hex;
    if (match === null) read += text[at];
    else read += plain ?? String.fromCharCode(code === undefined ? Number(decimal) & 255 : Number.parseInt(code, 16));
    at += Math.max(1, whole.length);
  }
  from.push(text.length);
  return { text: read, from };
}
