import { z } from "zod";
import { brief } from "../lib/show.ts";
import { forAgent } from "./for-agent.ts";
import type { JsonObject, JsonValue } from "../lib/json.ts";

/** Error codes of JSON-RPC 2.0. */
export const rpcCodes = {
  parse: -32_700,
  invalidRequest: -32_600,
  unknownMethod: -32_601,
  invalidParams: -32_602,
  internal: -32_603,
} as const;

/** An error that the caller is told by its code, in the place of a result. */
export class RpcError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** Answers a method. `signal` says that the caller does not wait any more. */
export type RpcMethod = (method: string, params: JsonObject, signal: AbortSignal) => Promise<object>;

interface Options {
  input: AsyncIterable<Buffer>;
  /** Takes a message, without the end of its line. */
  write: (line: string) => void;
  answer: RpcMethod;
}

/** Messages of one batch, and bytes of one line. */
const mostMessages = 1_000;
const longestLine = 16 * 1024 * 1024;

/**
 * Answers JSON-RPC 2.0 requests that come one a line, several at a time, until the input ends and all are answered.
 * Notifications get no answer; of those only `notifications/cancelled` does something.
 */
export async function serveJsonRpc({ input, write, answer }: Options): Promise<void> {
  const open = new Map<Id, AbortController>();
  const pending = new Set<Promise<void>>();
  const context: Context = { answer, open };
  for await (const line of linesOf(input)) {
    const answered = line === null ? Promise.resolve(failure(null, tooLong)) : answerLine(line, context);
    const work = tell(answered, write).finally(() => pending.delete(work));
    pending.add(work);
  }
  await Promise.all(pending);
}

/** The one way out: every text but the caller's own id is made ready for an agent here. */
async function tell(answer: Promise<Reply | Reply[] | null>, write: Options["write"]): Promise<void> {
  const replies = await answer;
  if (replies === null) return;
  write(JSON.stringify(Array.isArray(replies) ? replies.map(replyForAgent) : replyForAgent(replies)));
}

function replyForAgent({ id, ...reply }: Reply): object {
  const told = Object.entries(reply).map(([name, value]) => [name, forAgent(value)]);
  return { jsonrpc: "2.0", id, ...Object.fromEntries(told) };
}

type Id = string | number;

type Reply = { id: Id | null } & ({ result: object } | { error: { code: number; message: string } });

interface Context {
  answer: RpcMethod;
  /** Requests without an answer. */
  open: Map<Id, AbortController>;
}

const message = z.looseObject({
  jsonrpc: z.literal("2.0"),
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string(),
  params: z.record(z.string(), z.json()).optional(),
});

/** An answer to us, who ask nothing. */
const foreignAnswer = z.union([z.looseObject({ result: z.unknown() }), z.looseObject({ error: z.unknown() })]);

/** The answer to a line: a message, a list of them for a batch, or null where none is due. */
async function answerLine(line: string, context: Context): Promise<Reply | Reply[] | null> {
  let value: JsonValue;
  try {
    value = JSON.parse(line);
  } catch {
    return failure(null, new RpcError(rpcCodes.parse, "The line is not JSON."));
  }
  if (!Array.isArray(value)) return answerMessage(value, context);
  // Batches are a part of the protocol of 2025-03-26.
  if (value.length === 0) return failure(null, notRequest);
  if (value.length > mostMessages) return failure(null, tooMany);
  const answers = await Promise.all(value.map((each) => answerMessage(each, context)));
  const due = answers.filter((each) => each !== null);
  return due.length === 0 ? null : due;
}

const tooLong = new RpcError(rpcCodes.invalidRequest, `A line may have ${longestLine} bytes.`);
const tooMany = new RpcError(rpcCodes.invalidRequest, `A batch may have ${mostMessages} messages.`);
const notRequest = new RpcError(rpcCodes.invalidRequest, "This is no JSON-RPC 2.0 request.");

async function answerMessage(value: JsonValue, { answer, open }: Context): Promise<Reply | null> {
  const read = message.safeParse(value);
  if (!read.success) return foreignAnswer.safeParse(value).success ? null : failure(null, notRequest);
  const { id, method, params = {} } = read.data;
  if (id === undefined) {
    if (method === "notifications/cancelled") cancel(open, params["requestId"]);
    return null;
  }
  const gone = new AbortController();
  open.set(id, gone);
  try {
    const result = await answer(method, params, gone.signal);
    return gone.signal.aborted ? null : { id, result };
  } catch (error) {
    if (gone.signal.aborted) return null;
    return failure(id, error);
  } finally {
    open.delete(id);
  }
}

function cancel(open: Context["open"], id: JsonValue | undefined): void {
  if (typeof id === "string" || typeof id === "number") open.get(id)?.abort();
}

function failure(id: Id | null, error: unknown): Reply {
  const code = error instanceof RpcError ? error.code : rpcCodes.internal;
  return { id, error: { code, message: brief(error instanceof Error ? error.message : String(error)) } };
}

/**
 * Lines of UTF-8 text, without empty ones; null for one that is too long, of which nothing is kept. Only a line feed ends one: JSON
 * lets every other line end stand in a text.
 */
async function* linesOf(input: AsyncIterable<Buffer>): AsyncGenerator<string | null> {
  let parts: Buffer[] = [];
  let length = 0;
  const add = (part: Buffer): void => {
    length += part.length;
    if (length > longestLine) parts = [];
    else parts.push(part);
  };
  const ended = (): string | null => {
    const line = length > longestLine ? null : Buffer.concat(parts).toString("utf8").trim();
    parts = [];
    length = 0;
    return line;
  };
  for await (const chunk of input) {
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
      add(chunk.subarray(start, end));
      const line = ended();
      if (line !== "") yield line;
      start = end + 1;
    }
    add(chunk.subarray(start));
  }
  const rest = ended();
  if (rest !== "") yield rest;
}

const lineFeed = 0x0a;
