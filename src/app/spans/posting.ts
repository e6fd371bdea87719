import { setTimeout as wait } from "node:timers/promises";
import { createRedactor } from "../../client/redact.ts";
import { AppError } from "../../errors.ts";
import { basicLogin, hostAddress } from "../../lib/address.ts";
import { isLoopbackAddress } from "../../suite/key.ts";

/** An address of another program, with the keys for it. */
export interface PostAddress {
  url: URL;
  headers: Record<string, string>;
}

/** Throws KEY_INSECURE where a key, in `headers` or in the address itself, would be readable on its way. `keys`: what they are. */
export function needSafeWay({ url, headers }: PostAddress, keys: string): void {
  const hasKey = Object.keys(headers).length > 0 || url.username !== "" || url.password !== "";
  if (!hasKey || url.protocol !== "http:" || isLoopbackAddress(url.hostname)) return;
  throw new AppError("KEY_INSECURE", `${keys} would go over plain http to ${url.host}.`, {
    hint: "Use https://; plain http is allowed to this machine only.",
  });
}

/** The last answer to a request that may have been sent a few times. */
export interface PostReply {
  ok: boolean;
  /** null: there was no answer. */
  status: number | null;
  text: string;
  /** For a person, where it is not ok. */
  reason: string;
}

const answerMs = 10_000;
const mostTries = 4;
const longestWaitMs = 5000;
/** Bytes of an answer that are read: a store of scores or spans says little, and a longer answer is ignored. */
const mostAnswered = 1024 * 1024;
/** The answers after which a client may try again. */
const passing = new Set([429, 502, 503, 504]);

/** Sends JSON; where it cannot be taken now, it is sent again a few times, until `until` (by `performance.now`). */
export async function postJson(address: PostAddress, body: string, until: number): Promise<PostReply> {
  let reply: PostReply = { ok: false, status: null, text: "", reason: "there was no time left" };
  for (let tries = 1; tries <= mostTries && performance.now() < until; tries++) {
    const { waitMs, ...answer } = await post(address, body, until);
    reply = answer;
    if (reply.ok || (reply.status !== null && !passing.has(reply.status))) break;
    const pause = Math.min(longestWaitMs, waitMs ?? 250 * 2 ** tries);
    if (tries < mostTries) await wait(Math.max(0, Math.min(pause, until - performance.now())));
  }
  return reply;
}

async function post(
  { url, headers }: PostAddress,
  body: string,
  until: number,
): Promise<PostReply & { waitMs: number | null }> {
  const left = Math.max(1, Math.ceil(Math.min(answerMs, until - performance.now())));
  const all = headersOf({ ...loginIn(url), ...headers, "content-type": "application/json" });
  if (all === null) {
    const reason = "a key or a header holds a character that cannot be sent";
    return { ok: false, status: null, text: "", reason, waitMs: null };
  }
  try {
    const response = await fetch(hostAddress(url), {
      method: "POST",
      headers: all,
      body,
      // A key is for the host that was named.
      redirect: "manual",
      signal: AbortSignal.timeout(left),
    });
    const { ok, status } = response;
    const text = await boundedText(response);
    const after = Number(response.headers.get("retry-after") ?? Number.NaN);
    // The words of the other are shown where something is wrong, which may repeat what it was sent.
    const redactor = createRedactor(...secretsOf({ url, headers }));
    return {
      ok,
      status,
      text: redactor.bodyText(text),
      reason: `it answered ${status}`,
      waitMs: Number.isFinite(after) ? after * 1000 : null,
    };
  } catch (error) {
    return { ok: false, status: null, text: "", reason: reasonOf(error), waitMs: null };
  }
}

/** The text of an answer, or none where it is longer than is read. */
async function boundedText({ body }: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body ?? []) {
    size += part.length;
    if (size > mostAnswered) return "";
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

/** null where one cannot be sent: the error of `Headers` would show it. */
function headersOf(given: Record<string, string>): Headers | null {
  try {
    return new Headers(given);
  } catch {
    return null;
  }
}

/** Secrets of a request, which must not be repeated: its password, and the values of its headers. */
function secretsOf({ url, headers }: PostAddress): string[] {
  // A login without a password is a token.
  const secret = decodeURIComponent(url.password === "" ? url.username : url.password);
  return [secret, basicLogin(url) ?? "", ...Object.values(headers).flatMap((value) => [value, ...value.split(" ")])];
}

function loginIn(url: URL): Record<string, string> {
  const login = basicLogin(url);
  return login === null ? {} : { authorization: `Basic ${login}` };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return "no answer in time";
  const { cause } = error;
  return cause instanceof Error && cause.message !== "" ? cause.message : error.message;
}

/** The JSON of an answer; null where it is none: its text is not repeated, as it may hold anything. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
