import type { OutcomeKind } from "../../api/outcomes.ts";
import { isDescribed } from "../../api/endpoint-name.ts";
import { endpointOf } from "../../api/endpoints.ts";
import { createClient } from "../../client/client.ts";
import type { Outcome } from "../../client/outcome.ts";
import { textOfRecord } from "../../client/run-record.ts";
import { attemptMs } from "../../lib/duration.ts";
import { isJsonObject, parsedJson, type JsonObject, type JsonValue } from "../../lib/json.ts";
import { version } from "../../lib/version.ts";
import { httpRequest } from "../../plan/body.ts";
import type { Deployment, Target } from "../../suite/suite.ts";
import type { Environment } from "../../suite/environment.ts";
import { type FirstEndpoint, type FirstParts, firstParts, firstTarget } from "./first-suite.ts";
import { placesIn } from "./reply-places.ts";
import type { Access } from "../send/sender.ts";

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
  /** The answer as a suite with these parts reads it. */
  answer: string | null;
  /** The beginning of the reply. */
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
  return kind !== "ok" || record === null || record.body === null ? undefined : parsedJson(textOfRecord(record));
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
  const output = call.outputOf({ json: parsedJson(text), text: () => text });
  return output === null ? null : textOf(output);
}
