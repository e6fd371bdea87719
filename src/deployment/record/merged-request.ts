import type { ServiceEndpoint } from "../../api/endpoint-name.ts";
import { type JsonObject, isJsonObject } from "../../lib/json.ts";
import { servedEndpoints } from "../endpoints/served-endpoints.ts";

/**
 * The request that really runs: every field present in the body replaces the saved one, `variables` merge key by
 * key. A bot's request keeps only fields the service knows; a function reads any field of its body by name.
 */
export function mergeRequest(endpoint: ServiceEndpoint, saved: JsonObject, body: JsonObject): JsonObject {
  const fields = Object.entries(body).filter(([name]) => servedEndpoints[endpoint].keepsField(name));
  const merged: JsonObject = { ...saved, ...Object.fromEntries(fields) };
  const variables = { ...membersOf(saved.variables), ...membersOf(body.variables) };
  return { ...merged, variables };
}

function membersOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}
