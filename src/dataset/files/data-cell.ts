/** The content of a data URL in two facts, or the reason why a text is none, as a sentence without its subject. */
export type DataFacts = { ok: true; bytes: number; type: string } | { ok: false; fault: string };

const head = /^data:([\w.+-]+\/[\w.+-]+)(?:;[^,;]{0,1000}){0,20}$/i;

/** Reads a data URL of a cell, `data:image/png;base64,...`, without keeping what it holds. */
export function dataFacts(url: string): DataFacts {
  const comma = url.indexOf(",");
  const before = url.slice(0, Math.max(comma, 0));
  const [, type] = head.exec(before) ?? [];
  if (comma === -1 || type === undefined) return wrong("is no data URL such as data:image/png;base64,iVBORw0...");
  const bytes = before.toLowerCase().endsWith(";base64") ? base64Bytes(url, comma + 1) : percentBytes(url, comma + 1);
  if (bytes === null) return wrong("is a data URL whose content cannot be decoded: it is cut off or damaged");
  return bytes === 0 ? wrong("is a data URL without content") : { ok: true, bytes, type: type.toLowerCase() };
}

const wrong = (fault: string): DataFacts => ({ ok: false, fault });

function base64Bytes(url: string, from: number): number | null {
  const content = url.slice(from).replace(/={1,2}$/, "");
  if (/[^A-Za-z0-9+/]/.test(content) || content.length % 4 === 1) return null;
  return Math.floor((content.length * 3) / 4);
}

function percentBytes(url: string, from: number): number | null {
  const content = url.slice(from);
  if (/%(?![0-9a-f]{2})/i.test(content)) return null;
  return Buffer.byteLength(content.replaceAll(/%[0-9a-f]{2}/gi, "x"));
}
