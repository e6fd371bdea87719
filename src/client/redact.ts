/** Text that takes the place of the key. */
const redactedMark = "[redacted]";

/** A shorter key occurs in ordinary text by chance, and replacing it would destroy answers. */
const shortestKey = 6;

/** Replaces an API key wherever a server echoes it. A value without the key comes back as it is (the same object). */
export interface Redactor {
  /** A body without the key. */
  body(body: Buffer): Buffer;
  /** A body that was cut off: its end may hold the beginning of the key. */
  cutBody(body: Buffer): Buffer;
  text(text: string): string;
}

/** A redactor of one key: as it is, as JSON text escapes it, and percent-encoded. */
export function createRedactor(key: string | null): Redactor {
  if (key === null || key.length < shortestKey) return { body: same, cutBody: same, text: same };
  const forms = spellings(key);
  const needles = forms.map((form) => Buffer.from(form));
  const body = (bytes: Buffer): Buffer => replaceAll(bytes, needles);
  return {
    body,
    cutBody: (bytes) => replaceEnd(body(bytes), needles),
    text: (text) => forms.reduce((clean, form) => clean.replaceAll(form, redactedMark), text),
  };
}

function same<T>(value: T): T {
  return value;
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

function replaceAll(bytes: Buffer, needles: Buffer[]): Buffer {
  let clean = bytes;
  for (const needle of needles) {
    let at = clean.indexOf(needle);
    if (at === -1) continue;
    const parts: Buffer[] = [];
    let from = 0;
    for (; at !== -1; at = clean.indexOf(needle, from)) {
      parts.push(clean.subarray(from, at), Buffer.from(redactedMark));
      from = at + needle.length;
    }
    parts.push(clean.subarray(from));
    clean = Buffer.concat(parts);
  }
  return clean;
}

function replaceEnd(bytes: Buffer, needles: Buffer[]): Buffer {
  for (const needle of needles) {
    for (let length = Math.min(needle.length - 1, bytes.length); length >= shortestKey; length--) {
      const start = bytes.length - length;
      if (bytes.subarray(start).equals(needle.subarray(0, length))) {
        return Buffer.concat([bytes.subarray(0, start), Buffer.from(redactedMark)]);
      }
    }
  }
  return bytes;
}
