import { promisify } from "node:util";
import { brotliDecompress, constants, gunzip, inflate, inflateRaw } from "node:zlib";
import type { ResponseHeaders } from "./verdict.ts";

const brotli = promisify(brotliDecompress);
const gzip = promisify(gunzip);
const zlib = promisify(inflate);
const raw = promisify(inflateRaw);

/** A decoded body; `fault` says why it could not be decoded whole (then `body` is what could be). */
export interface DecodedBody {
  body: Buffer;
  fault: string | null;
  tooLarge: boolean;
}

/** The encoding of a body that has to be decoded (nothing was asked for, but a proxy may compress anyway), or null. */
export function encodingOf(headers: ResponseHeaders): string | null {
  const header = headers["content-encoding"];
  if (header === undefined) return null;
  const name = (typeof header === "string" ? header : header.join(",")).trim().toLowerCase();
  return name === "" || name === "identity" ? null : name;
}

/** Decodes a body of at most `maxBytes` decoded bytes; of a `cut` body, what there is of it. Never throws. */
export async function decodeBody(encoding: string, body: Buffer, maxBytes: number, cut: boolean): Promise<DecodedBody> {
  if (body.length === 0) return { body, fault: null, tooLarge: false };
  try {
    return { body: await decode(encoding, body, maxBytes, cut), fault: null, tooLarge: false };
  } catch (error) {
    return await decodeBroken(encoding, body, maxBytes, error);
  }
}

async function decodeBroken(encoding: string, body: Buffer, maxBytes: number, error: unknown): Promise<DecodedBody> {
  const code = error instanceof Error && "code" in error ? error.code : null;
  const tooLarge = code === "ERR_BUFFER_TOO_LARGE";
  // If a body would grow too large, a beginning that cannot is enough to look for an id in.
  const readable = tooLarge ? body.subarray(0, 512) : body;
  const part = await decode(encoding, readable, maxBytes, true).catch(() => Buffer.alloc(0));
  if (tooLarge) return { body: part, fault: `the decoded body is over the limit of ${maxBytes} bytes`, tooLarge };
  const why = error instanceof Error ? error.message : String(error);
  return { body: part, fault: `the ${encoding} body cannot be decoded (${why})`, tooLarge };
}

async function decode(encoding: string, body: Buffer, maxOutputLength: number, cut: boolean): Promise<Buffer> {
  const finishFlush = cut ? constants.Z_SYNC_FLUSH : constants.Z_FINISH;
  switch (encoding) {
    case "gzip":
    case "x-gzip":
      return gzip(body, { maxOutputLength, finishFlush });
    case "br":
      return brotli(body, {
        maxOutputLength,
        finishFlush: cut ? constants.BROTLI_OPERATION_FLUSH : constants.BROTLI_OPERATION_FINISH,
      });
    case "deflate":
      // Some servers send the bare stream without the header that the standard asks for.
      return ((body[0] ?? 0) & 0x0f) === 8
        ? zlib(body, { maxOutputLength, finishFlush })
        : raw(body, { maxOutputLength, finishFlush });
    default:
      throw new Error(`content-encoding "${encoding}" is not known`);
  }
}
