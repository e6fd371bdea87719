import { isJsonObject, type JsonObject, type JsonValue } from "../lib/json.ts";
import { liquid } from "../lib/liquid.ts";
import { isTemplate } from "../lib/liquid-name.ts";
import type { EndpointName } from "./endpoint-name.ts";
import { endpointOf } from "./endpoints.ts";

/** A text of a target's body that is a template, with the keys and positions that lead to it. */
export interface BodyText {
  text: string;
  path: (string | number)[];
}

/** The templates in a target's body; `filledBy`: those that we fill from the row, or those that its service fills. */
export function templatesIn(
  { endpoint, body }: { endpoint: EndpointName; body: JsonObject },
  filledBy: "us" | "service",
): BodyText[] {
  const { fillsItself } = endpointOf(endpoint);
  return Object.entries(body)
    .filter(([field]) => fillsItself(field) === (filledBy === "service"))
    .flatMap(([field, value]) => textsIn(value, [field]));
}

/** The templates among the texts of a value. */
function textsIn(value: JsonValue | undefined, path: (string | number)[]): BodyText[] {
  if (typeof value === "string") return isTemplate(value) ? [{ text: value, path }] : [];
  if (Array.isArray(value)) return value.flatMap((each, i) => textsIn(each, [...path, i]));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, each]) => textsIn(each, [...path, name]));
}

/** The names that a template uses: of columns, `row["..."]` among them, and of fields. Raises an Error for a text that is not Liquid. */
export function namesIn(text: string): string[] {
  const engine = liquid();
  const names = engine.variables(engine.parse(text)).flatMap(([first, second]) => {
    const name = first === "row" && typeof second === "string" ? second : first;
    return typeof name === "string" ? [name] : [];
  });
  return [...new Set(names)];
}

/** True for a body whose messages end with a question in a template, which takes the place of the case's own prompt. */
export function asksInMessages({ messages, input_prompt: prompt }: JsonObject): boolean {
  const last = Array.isArray(messages) ? messages.at(-1) : undefined;
  return prompt === undefined && isJsonObject(last) && last["role"] === "user" && textsIn(last, []).length > 0;
}
