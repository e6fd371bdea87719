import { z } from "zod";
import { AppError } from "../../errors.ts";
import { parseAddress } from "../../lib/address.ts";
import { jsonOf, needSafeWay, type PostAddress, postJson } from "./posting.ts";

/** Where spans go, and grades. */
export interface Collector {
  spans: PostAddress;
  /** Null: the address is one of traces alone. */
  events: PostAddress | null;
  /** Attributes of the resource of every span and event. */
  resource: Record<string, string>;
  /** Grades explain themselves, by texts that may quote answers. */
  reasons: boolean;
}

/**
 * The collector that is named, or that of OpenTelemetry's own variables. Keys and other headers come from the environment
 * alone. Throws USAGE without an address, and KEY_INSECURE where a key would be readable on its way.
 */
export function collectorOf(address: string, env: NodeJS.ProcessEnv): Collector {
  const spans = addressFrom(address, env, "TRACES");
  if (spans === null) {
    throw new AppError("USAGE", "--otel needs the address of a collector.", {
      hint: "For example: --otel http://127.0.0.1:4318, or OTEL_EXPORTER_OTLP_ENDPOINT in the environment.",
    });
  }
  const name = env["OTEL_SERVICE_NAME"] ?? "";
  const resource = { ...pairsOf(env["OTEL_RESOURCE_ATTRIBUTES"]), ...(name !== "" && { "service.name": name }) };
  const contents = env["OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"] ?? "";
  const reasons = /^(?:true|event_only|span_and_event)$/i.test(contents.trim());
  return { spans, events: addressFrom(address, env, "LOGS"), resource, reasons };
}

const paths = { TRACES: "/v1/traces", LOGS: "/v1/logs" };

/**
 * The address of a signal, by the name that it has in variables: below the collector that is named, or its own as it stands.
 * Null: no collector is named for it.
 */
function addressFrom(address: string, env: NodeJS.ProcessEnv, signal: keyof typeof paths): PostAddress | null {
  const whole = address === "" ? (env[`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`] ?? "") : "";
  const base = address === "" ? (env["OTEL_EXPORTER_OTLP_ENDPOINT"] ?? "") : address;
  const text = whole === "" ? base : whole;
  if (text === "") return null;
  const { url, fault } = parseAddress(text);
  if (url === null) {
    const from =
      address !== "" ? "What --otel was given" : `OTEL_EXPORTER_OTLP_${whole === "" ? "" : `${signal}_`}ENDPOINT`;
    throw new AppError("USAGE", `${from} ${fault}.`, { hint: "For example: --otel http://127.0.0.1:4318." });
  }
  if (whole === "") url.pathname = url.pathname.replace(/(?:\/v1\/traces)?\/*$/, paths[signal]);
  const headers = {
    ...pairsOf(env["OTEL_EXPORTER_OTLP_HEADERS"]),
    ...pairsOf(env[`OTEL_EXPORTER_OTLP_${signal}_HEADERS`]),
  };
  needSafeWay({ url, headers }, "The headers of OTEL_EXPORTER_OTLP_HEADERS");
  return { url, headers };
}

/** `name=value,name=value`, percent-encoded, as OpenTelemetry writes lists. */
function pairsOf(text: string | undefined): Record<string, string> {
  const pairs = (text ?? "").split(",").flatMap((pair) => {
    const at = pair.indexOf("=");
    return at < 1 ? [] : [[pair.slice(0, at).trim(), decoded(pair.slice(at + 1).trim())] as const];
  });
  return Object.fromEntries(pairs);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The end of a page of spans or events: how many the collector did not take, and why. */
export interface Sent {
  rejected: number;
  reason: string | null;
  /** It knows nothing of such an address, and never will. */
  unknown?: true;
}

/** The answers of who has no such address: many stores of traces take no events. */
const unknownThere = new Set([404, 405, 501]);

/** Sends a page of spans or events. */
export async function sendPage(
  address: PostAddress,
  body: string,
  { entries, until }: { entries: number; until: number },
): Promise<Sent> {
  const { ok, status, text, reason } = await postJson(address, body, until);
  if (ok) return partOf(text);
  const isUnknown = status !== null && unknownThere.has(status);
  return { rejected: entries, reason, ...(isUnknown && { unknown: true }) };
}

const partial = z.object({
  partialSuccess: z.object({
    rejectedSpans: z.coerce.number().default(0),
    rejectedLogRecords: z.coerce.number().default(0),
    errorMessage: z.string().default(""),
  }),
});

/** A collector may take a part, and says so in an answer that is fine. */
function partOf(text: string): Sent {
  const read = partial.safeParse(jsonOf(text));
  if (!read.success) return { rejected: 0, reason: null };
  const { rejectedSpans, rejectedLogRecords, errorMessage } = read.data.partialSuccess;
  const rejected = rejectedSpans + rejectedLogRecords;
  if (rejected === 0) return { rejected, reason: null };
  return { rejected, reason: errorMessage === "" ? "it refused them" : errorMessage.slice(0, 200) };
}
