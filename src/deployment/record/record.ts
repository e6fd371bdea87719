import { randomBytes } from "node:crypto";
import type { ServiceEndpoint } from "../../api/endpoint-name.ts";
import { now } from "../../lib/clock.ts";
import { type JsonObject, isJsonObject } from "../../lib/json.ts";
import { servedEndpoints } from "../endpoints/served-endpoints.ts";
import type { RecordStyle } from "./record-style.ts";

/** Keys that find a run: on its page, and in a record that has no id. */
export interface RunIdentity {
  id: string;
  url: string;
  createdAt: string;
}

const alphabet = "abcdefghijklmnopqrstuvwxyz0123456789";
/** Bytes from here on would make some letters more likely than others. */
const fairBytes = 256 - (256 % alphabet.length);

/** A run id: 12 characters of a-z and 0-9, unguessable. */
export function newRunId(): string {
  let id = "";
  while (id.length < 12) {
    for (const byte of randomBytes(16)) {
      if (byte < fairBytes && id.length < 12) id += alphabet.charAt(byte % alphabet.length);
    }
  }
  return id;
}

/** A time as the service writes it: microseconds and `+00:00`; the fraction is missing when it is zero. */
export function serviceTime(milliseconds: number): string {
  const micros = Math.round(milliseconds * 1000);
  const seconds = new Date(Math.floor(micros / 1e6) * 1000).toISOString().slice(0, 19);
  const fraction = ((micros % 1e6) + 1e6) % 1e6;
  return fraction === 0 ? `${seconds}+00:00` : `${seconds}.${String(fraction).padStart(6, "0")}+00:00`;
}

/** The identity of a run that begins now. `uid` tells whose run it is. */
export function newRun(origin: string, endpoint: ServiceEndpoint, uid: string): RunIdentity {
  const id = newRunId();
  const { slug } = servedEndpoints[endpoint];
  return { id, url: `${origin}/${slug}/?run_id=${id}&uid=${uid}`, createdAt: serviceTime(now()) };
}

/** The record of a run in the style that the deployment and the configuration ask for. */
export function styledRecord(
  run: RunIdentity,
  endpoint: ServiceEndpoint,
  request: JsonObject,
  output: JsonObject,
  style: RecordStyle,
): JsonObject {
  const record: JsonObject = { url: run.url, created_at: run.createdAt, output: {} };
  if (!isDeleted(request)) record.output = styledOutput(endpoint, request, output, style);
  return style.id ? { id: run.id, ...record } : record;
}

/** True when the run must leave nothing behind: `settings.retention_policy` is `delete`. */
export function isDeleted(request: JsonObject): boolean {
  return isJsonObject(request.settings) && request.settings.retention_policy === "delete";
}

function styledOutput(
  endpoint: ServiceEndpoint,
  request: JsonObject,
  output: JsonObject,
  style: RecordStyle,
): JsonObject {
  const { members, echoed } = servedEndpoints[endpoint];
  const written = members(output, style.members);
  if (!style.wide) return Object.fromEntries(written);
  const given = written.filter(([, value]) => value !== null);
  return Object.fromEntries([...echoed.map((name) => [name, request[name] ?? null]), ...given]);
}
