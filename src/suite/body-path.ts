import { isJsonObject, type JsonObject, type JsonValue } from "../lib/json.ts";

/** Names that would reach an object's prototype instead of a member. */
const unsafe: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/**
 * The steps of a path into a body: `variables.tone`, `messages.0.content`. A dot that belongs to a key has a backslash
 * before it (`a\.b`). A text says what is wrong with the path.
 */
export function bodySteps(path: string): string[] | string {
  const steps = path.split(/(?<!\\)\./).map((step) => step.replaceAll("\\.", "."));
  if (steps.some((step) => step.trim() === "")) return "has an empty part";
  const found = steps.find((step) => unsafe.has(step));
  return found === undefined ? steps : `must not have a part named ${found}`;
}

/**
 * A copy of a body with a value at a path; undefined takes out what stands there. A step is the position in a list, from 0, where
 * there is a list, and else a key; objects that are not there are made. A text says why the value cannot stand there.
 */
export function withValueAt(
  body: JsonObject,
  steps: readonly string[],
  value: JsonValue | undefined,
): JsonObject | string {
  const made = placed(body, steps, value);
  return typeof made === "string" || isJsonObject(made) ? made : "leads nowhere";
}

/** A text is what is wrong: a value in a path is never a text itself, but at its end. */
function placed(
  at: JsonValue | undefined,
  [step = "", ...rest]: readonly string[],
  value: JsonValue | undefined,
): JsonValue {
  if (Array.isArray(at)) {
    const index = /^\d{1,9}$/.test(step) ? Number(step) : -1;
    if (index < 0) return `leads into a list, where ${JSON.stringify(step)} is no position`;
    if (index >= at.length) return `names the position ${index} of a list of ${at.length} (they count from 0)`;
    const inner = rest.length === 0 ? value : placed(at[index], rest, value);
    if (inner === undefined) return at.toSpliced(index, 1);
    return rest.length > 0 && typeof inner === "string" ? inner : at.with(index, inner);
  }
  if (at !== undefined && !isJsonObject(at)) return `leads into a value that is no object: ${JSON.stringify(at)}`;
  const own = at !== undefined && Object.hasOwn(at, step) ? at[step] : undefined;
  const inner = rest.length === 0 ? value : placed(own, rest, value);
  if (inner === undefined) return Object.fromEntries(Object.entries(at ?? {}).filter(([key]) => key !== step));
  return rest.length > 0 && typeof inner === "string" ? inner : { ...at, [step]: inner };
}

/** The beginning of a dimension that is a value in the body. */
export const bodyPrefix = "body.";

/** The steps into the body of a dimension; null where it is none of the body. */
export function stepsOf(dimension: string): string[] | null {
  if (!dimension.startsWith(bodyPrefix)) return null;
  const steps = bodySteps(dimension.slice(bodyPrefix.length));
  return typeof steps === "string" ? null : steps;
}
