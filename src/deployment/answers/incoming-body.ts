import type { IncomingMessage } from "node:http";
import { jsonAnswer } from "./http-answer.ts";
import { Refusal } from "./refusal.ts";

/** Bytes of a request body that are read. */
const maxBody = 80 * 1024 * 1024;

/** The whole body of a request; refuses (413) a larger one. Rejects when the caller goes away in the middle. */
export async function readBytes(incoming: IncomingMessage): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming) {
    if (!Buffer.isBuffer(chunk)) continue;
    size += chunk.length;
    if (size > maxBody)
      throw new Refusal(jsonAnswer(413, { detail: "Request Entity Too Large" }, { connection: "close" }));
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The same as text. */
export async function readText(incoming: IncomingMessage): Promise<string> {
  return (await readBytes(incoming)).toString("utf8");
}
