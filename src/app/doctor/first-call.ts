import type { OutcomeKind } from "../../api/outcomes.ts";
import { isDescribed } from "../../api/endpoint-name.ts";
import { endpointOf } from "../../api/endpoints.ts";
import { createClient } from "../../client/client.ts";
import type { Outcome } from "../../client/outcome.ts";
import { parsedText, textOfRecord } from "../../client/run-record.ts";
import { attemptMs } from "../../lib/duration.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../lib/json.ts";
import { version } from "../../lib/version.ts";
import { httpRequest } from "../../plan/body.ts";
import type { Deployment, Target } from "../../suite/suite.ts";
import type { Environment } from "../../suite/environment.ts";
import { type FirstEndpoint, type FirstParts, firstParts, firstTarget } from "./first-suite.ts";
import type { Access } from "../send/transport.ts";

/** A call that was made to see what comes back. */
export interface FirstCall {
  /** Parts of a suite that ask in this way, with the places that were found in the reply. */
  parts: FirstParts;
  method: string;
  url: string;
  outcome: OutcomeKind;
  status: number | null;
  error: string | null;
  milliseconds: number | null;
  /** The answer as a suite with these parts reads it; null: there is none. */
  answer: string | null;
  /** The beginning of the reply; null: none came. */
  reply: string | null;
}

export interface FirstCallOptions extends FirstEndpoint {
  /** The prompt that is sent. */
  prompt: string;
  env: Environment;
  /** Gives access to a deployment, and says to whom a key is sent. */
  open: (deployment: Deployment) => Promise<{ access: Access; close: () => Promise<void> }>;
}

const longestMs = 120_000;
const mostShown = 1_000;

/** Makes one call to an endpoint that no suite knows yet, and reads from the reply how to ask it. Throws USAGE. */
export async function makeFirstCall(options: FirstCallOptions): Promise<FirstCall> {
  const asked = firstParts(options);
  const { deployment, target } = firstTarget(asked, options.env);
  const { access, close } = await options.open(deployment);
  try {
    const outcome = await attempt(access, target, options.prompt);
    const parts = withPlaces(asked, target, replyOf(outcome));
    const read = firstTarget(parts, options.env).target;
    return {
      parts,
      ...reported(outcome),
      ...where(access.baseUrl, target, options.prompt),
      answer: outcome.kind === "ok" ? answerOf(read, outcome) : null,
    };
  } finally {
    await close();
  }
}

async function attempt(access: Access, target: Target, prompt: string): Promise<Outcome> {
  await using client = createClient({ ...access, connections: 1, userAgent: `tandem/${version}` });
  const request = httpRequest(target, { input_prompt: prompt });
  return await client.attempt({ ...request, endpoint: target.endpoint, timeoutMs: longestMs });
}

function where(baseUrl: string, target: Target, prompt: string): Pick<FirstCall, "method" | "url"> {
  const { method, path } = httpRequest(target, { input_prompt: prompt });
  const { call } = endpointOf(target.endpoint);
  return { method, url: baseUrl + call.below(new URL(baseUrl).pathname.replace(/\/+$/, "")) + path };
}

function reported({
  kind,
  status,
  error,
  timing,
  record,
  bodyStart,
}: Outcome): Omit<FirstCall, "parts" | "method" | "url" | "answer"> {
  const reply = record === null || record.body === null ? bodyStart : textOfRecord(record).slice(0, mostShown);
  return {
    outcome: kind,
    status,
    error,
    milliseconds: attemptMs(timing.sentAt, timing.doneAt),
    reply,
  };
}

/** The reply as JSON; undefined when there is none. */
function replyOf({ kind, record }: Outcome): JsonValue | undefined {
  return kind !== "ok" || record === null || record.body === null ? undefined : parsedText(textOfRecord(record));
}

/** The parts with where the reply has its answer and id, for an endpoint that is described. */
function withPlaces(parts: FirstParts, target: Target, reply: JsonValue | undefined): FirstParts {
  if (!isDescribed(target.endpoint) || typeof reply !== "object" || reply === null) return parts;
  const { answer, id } = placesIn(reply);
  const found: JsonObject = { ...(answer !== null && { answer }), ...(id !== null && { id }) };
  const targets = Object.entries(parts.targets).map(([name, entry]) => {
    if (!isJsonObject(entry) || !isJsonObject(entry["endpoint"])) return [name, entry];
    return [name, { ...entry, endpoint: { ...entry["endpoint"], ...found } }];
  });
  return { ...parts, targets: Object.fromEntries(targets) };
}

function answerOf({ endpoint }: Target, { record }: Outcome): string | null {
  if (record === null || record.body === null) return null;
  const text = textOfRecord(record);
  const { call, textOf } = endpointOf(endpoint);
  const output = call.outputOf({ json: parsedText(text), text: () => text });
  return output === null ? null : textOf(output);
}

/** Names that a member with an answer often has, the likeliest first. */
const answerNames = ["answer", "reply", "response", "output", "text", "content", "message", "result", "completion"];
const idNames = new Set(["id", "run_id", "request_id", "trace_id", "message_id"]);

/** A text in a reply, with the JSONPath to it. */
interface Leaf {
  path: string;
  names: string[];
  text: string;
}

/** Where a reply may hold its answer and its id: JSONPaths; null: nothing there looks like one. */
function placesIn(reply: JsonValue): { answer: string | null; id: string | null } {
  const leaves = leavesOf(reply, "$", []);
  const texts = leaves.filter(({ text, names }) => text.trim() !== "" && !idNames.has(names.at(-1) ?? ""));
  const [answer] = texts.toSorted((a, b) => rank(a) - rank(b) || b.text.length - a.text.length);
  const id = leaves.find(({ names }) => names.length === 1 && idNames.has(names[0] ?? ""));
  return { answer: answer?.path ?? null, id: id?.path ?? null };
}

/** The lower, the likelier: by the last of its names that is known. */
function rank({ names }: Leaf): number {
  const places = names.map((name) => answerNames.indexOf(name.toLowerCase())).filter((place) => place !== -1);
  return places.length === 0 ? answerNames.length : Math.min(...places);
}

/** Levels that are looked into, and entries of a list: an answer stands near the top. */
const deepest = 6;
const mostEntries = 3;

function leavesOf(value: JsonValue, path: string, names: string[]): Leaf[] {
  if (typeof value === "string") return [{ path, names, text: value }];
  if (names.length >= deepest) return [];
  if (Array.isArray(value)) {
    return value.slice(0, mostEntries).flatMap((entry, index) => leavesOf(entry, `${path}[${index}]`, names));
  }
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const step = /^[A-Za-z_]\w*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
    return leavesOf(inner, path + step, [...names, name]);
  });
}
