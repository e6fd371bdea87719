import { randomBytes } from "node:crypto";
import { type Endpoint, videoBotsMembers } from "../../api/api.ts";
import { now } from "../../lib/clock.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../lib/json.ts";
import { mergedFields } from "./merge.ts";
import type { RecordStyle } from "./record-style.ts";

/** Keys that find a run: on its page, and in a record that has no id. */
export interface RunIdentity {
  id: string;
  url: string;
  createdAt: string;
}

/** The first part of the address of a run's page. */
export const slugs = { "video-bots": "agent", functions: "functions" } as const satisfies Record<Endpoint, string>;

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
export function newRun(origin: string, endpoint: Endpoint, uid: string): RunIdentity {
  const id = newRunId();
  return { id, url: `${origin}/${slugs[endpoint]}/?run_id=${id}&uid=${uid}`, createdAt: serviceTime(now()) };
}

/** The record of a run in the style that the deployment and the configuration ask for. */
export function styledRecord(
  run: RunIdentity,
  endpoint: Endpoint,
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

function styledOutput(endpoint: Endpoint, request: JsonObject, output: JsonObject, style: RecordStyle): JsonObject {
  const members = endpoint === "video-bots" ? botMembers(output, style) : Object.entries(output);
  if (!style.wide) return Object.fromEntries(members);
  const echoed = endpoint === "video-bots" ? mergedFields.map((name) => [name, request[name] ?? null]) : [];
  const variables: JsonValue = request.variables ?? null;
  const given = members.filter(([, value]) => value !== null);
  return Object.fromEntries([...(endpoint === "video-bots" ? echoed : [["variables", variables]]), ...given]);
}

/** All known members in the service's order, null where the bot gave nothing, then any others. */
function botMembers(output: JsonObject, style: RecordStyle): [string, JsonValue][] {
  const known = style.members === 13 ? videoBotsMembers.filter((name) => name !== "metrics") : videoBotsMembers;
  const others = Object.entries(output).filter(([name]) => !videoBotsMembers.includes(name));
  return [...known.map((name): [string, JsonValue] => [name, output[name] ?? null]), ...others];
}
