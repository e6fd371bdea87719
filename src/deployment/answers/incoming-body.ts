import type { IncomingMessage } from "node:http";
import { jsonAnswer } from "./http-answer.ts";
import { Refusal } from "./refusal.ts";

/** Bytes of a request body that are read. */
const maxBody = 32 * 1024 * 1024;

/** The whole body of a request as text; refuses (413) a larger one. Rejects when the caller goes away in the middle. */
export async function readText(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming) {
    if (!Buffer.isBuffer(chunk)) continue;
    size += chunk.length;
    if (size > maxBody)
      throw new Refusal(jsonAnswer(413, { detail: "Request Entity Too Large" }, { connection: "close" }));
    chunks.push(chunk);
  }
  return (chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)).toString("utf8");
}
