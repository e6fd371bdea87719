import { shownIn } from "../lib/hidden-characters.ts";
import { isJsonObject, type JsonValue } from "../lib/json.ts";

/**
 * A value as an agent is told it: results, errors, and what stands as JSON in a text. Characters that no person sees, by
 * which a text may tell an agent more than it shows, become signs, in names of members too.
 */
export function forAgent(value: object | JsonValue): JsonValue {
  // Plain JSON by its definition.
  const plain: JsonValue = JSON.parse(JSON.stringify(value));
  return withSigns(plain);
}

function withSigns(value: JsonValue): JsonValue {
  if (typeof value === "string") return shownIn("agent", value);
  if (Array.isArray(value)) return value.map(withSigns);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [shownIn("agent", name), withSigns(inner)]));
}
