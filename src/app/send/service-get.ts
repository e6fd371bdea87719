import { buildConnector, Client } from "undici";
import { direct } from "../../client/service-connection.ts";
import { connectCause } from "../../client/network-cause.ts";
import { createRedactor } from "../../client/redact.ts";
import { version } from "../../lib/version.ts";
import type { Access } from "./sender.ts";

/** The result of a GET. */
export interface GetAnswer {
  /** null when no answer came. */
  status: number | null;
  /** The reason why no answer came, in words; null when one did. */
  error: string | null;
  /** The body as JSON; undefined when it is none. */
  json: unknown;
  contentType: string;
  location: string | null;
  /** The service's clock as it stated it, in milliseconds since 1970, and ours in the middle of the exchange. */
  clock: { theirs: number; ours: number } | null;
  /** Milliseconds until a connection stood, TLS included; from the request to the whole answer. */
  connectMs: number | null;
  answerMs: number | null;
  /** The proxy that it went through; null: none, or not known. */
  route: string | null;
}

const longestMs = 10_000;
const mostBytes = 64 * 1024;

/** One GET on a connection of its own, with the key where there is one. Redirects are not followed. Never rejects. */
export async function getJson({ baseUrl, key, connection = direct }: Access, path: string): Promise<GetAnswer> {
  const { origin, pathname } = new URL(baseUrl);
  const redactor = createRedactor(key, ...connection.secrets);
  let connectMs: number | null = null;
  let route: string | null = null;
  const way = { timeout: longestMs, autoSelectFamilyAttemptTimeout: 1_000, ...connection.tls };
  const limits = { allowH2: false, headersTimeout: longestMs, bodyTimeout: longestMs };
  const client =
    connection.proxy?.open(origin, { ...limits, connections: 1, connect: way }, (proxy) => (route = proxy)) ??
    new Client(origin, { ...limits, connect: timed(buildConnector(way), (ms) => (connectMs = ms)) });
  try {
    const from = performance.now();
    const headers = {
      accept: "application/json",
      "user-agent": `tandem/${version}`,
      ...(key === null ? {} : { authorization: `bearer ${key}` }),
      ...Object.fromEntries(connection.headers),
    };
    const response = await client.request({
      origin,
      method: "GET",
      path: `${pathname.replace(/\/+$/, "")}${path}`,
      headers,
      signal: AbortSignal.timeout(2 * longestMs),
    });
    const text = redactor.text(await startOf(response.body));
    const took = performance.now() - from;
    const answerMs = took - (connectMs ?? 0);
    const theirs = Date.parse(textOf(response.headers["date"]));
    return {
      status: response.statusCode,
      error: null,
      json: parsed(text),
      contentType: redactor.text(textOf(response.headers["content-type"])),
      location: redactor.text(textOf(response.headers["location"])) || null,
      clock: Number.isNaN(theirs) ? null : { theirs, ours: Date.now() - answerMs / 2 },
      connectMs,
      answerMs,
      route,
    };
  } catch (error) {
    const nothing = { status: null, json: undefined, contentType: "", location: null, clock: null, answerMs: null };
    return { ...nothing, error: redactor.text(connectCause(error)), connectMs: null, route };
  } finally {
    await client.destroy();
  }
}

/** Measures how long a connection takes to be made. */
function timed(connect: buildConnector.connector, onConnected: (ms: number) => void): buildConnector.connector {
  return (options, callback) => {
    const from = performance.now();
    connect(options, (...result) => {
      onConnected(performance.now() - from);
      callback(...result);
    });
  };
}

const textOf = (header: string | string[] | undefined): string => [header ?? ""].flat()[0] ?? "";

/** The first bytes of a body: whatever answers at an address is not trusted to be small. */
async function startOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= mostBytes) break;
  }
  return Buffer.concat(chunks).toString("utf8");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
