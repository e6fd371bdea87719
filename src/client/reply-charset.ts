import { isUtf8 } from "node:buffer";
import { readWindows1252 } from "../lib/windows-1252.ts";

/** The body of a reply as UTF-8. */
interface ReadCharset {
  /** The same object where the body is UTF-8 already; where there is a fault, what could be read. */
  utf8: Buffer;
  /** The reason why the body cannot be read whole, as a sentence without its subject; null: it can. */
  fault: string | null;
}

/** Reads a body in the charset of its byte order mark, or else of its `Content-Type`, or else as UTF-8. */
export function readCharset(body: Buffer, contentType: string | null): ReadCharset {
  const charset = charsetOfMark(body) ?? charsetOfType(contentType);
  if (charset === null || isNameOfUtf8(charset)) {
    if (isUtf8(body)) return { utf8: body, fault: null };
    const why = charset === null ? "and its Content-Type names no other charset" : "which it says it is";
    return { utf8: body, fault: `its bytes are not UTF-8, ${why}` };
  }
  // Servers name these without a look at what they send; text in them is hardly ever UTF-8 by chance.
  if (isWestern.test(charset) && isUtf8(body)) return { utf8: body, fault: null };
  const decoder = decoderOf(charset === "utf-16" && body[0] === 0 ? "utf-16be" : charset);
  if (decoder === null) return { utf8: body, fault: `it is in the charset ${shown(charset)}, which is not known` };
  const { text, isWhole } = decoder(body);
  const utf8 = Buffer.from(text);
  const fault = isWhole ? null : `its bytes are not ${shown(charset)}, which it says it is`;
  return { utf8: utf8.equals(body) ? body : utf8, fault };
}

const isWestern = /^(?:iso-?8859-?1|latin-?1|windows-1252|cp-?1252|binary)$/;

/** The charset that the first bytes tell; null: they tell none. */
function charsetOfMark([a, b, c, d]: Buffer): string | null {
  if (a === 0xef && b === 0xbb && c === 0xbf) return "utf-8";
  if (a === 0xff && b === 0xfe) return c === 0 && d === 0 ? "utf-32" : "utf-16le";
  return a === 0xfe && b === 0xff ? "utf-16be" : null;
}

function charsetOfType(contentType: string | null): string | null {
  const [, quoted, plain] = /;\s*charset\s*=\s*(?:"([^"]*)"|'?([^\s;,']+))/i.exec(contentType ?? "") ?? [];
  const name = (quoted ?? plain ?? "").trim().toLowerCase();
  return name === "" ? null : name;
}

/** True also for `utf8mb4` and `utf_8`, and for ASCII, which is a part of it. */
const isNameOfUtf8 = (charset: string): boolean => /^(?:utf-?_?8|(?:us-)?ascii$)/.test(charset);

/** A name as a message shows it: it is of the service. */
const shown = (charset: string): string => charset.replaceAll(/[^\w.:+-]/g, "").slice(0, 40);

interface DecodedText {
  text: string;
  isWhole: boolean;
}

function decoderOf(charset: string): ((body: Buffer) => DecodedText) | null {
  let encoding: string;
  try {
    ({ encoding } = new TextDecoder(charset));
  } catch {
    return null;
  }
  if (encoding === "windows-1252") return decodedWindows1252;
  return (body) => {
    try {
      return { text: new TextDecoder(encoding, { fatal: true }).decode(body), isWhole: true };
    } catch {
      return { text: new TextDecoder(encoding).decode(body), isWhole: false };
    }
  };
}

function decodedWindows1252(body: Buffer): DecodedText {
  const { text, invalid } = readWindows1252(body);
  return { text, isWhole: invalid < 0 };
}
