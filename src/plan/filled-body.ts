import { AppError } from "../errors.ts";
import type { EndpointName } from "../api/endpoint-name.ts";
import { endpointOf } from "../api/endpoints.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../lib/json.ts";
import { liquid, type Templates } from "../lib/liquid.ts";
import { isTemplate } from "../lib/liquid-name.ts";
import { asksInMessages, templatesIn } from "../api/body-templates.ts";

/**
 * A target's body for one case: its templates filled from the columns of the row and the fields of the case, but for those
 * that the service fills itself. Messages that end with a question in a template ask it in place of the case's own prompt.
 * Raises an Error where a template cannot be filled.
 */
export function filledBody(
  { endpoint, body }: { endpoint: EndpointName; body: JsonObject },
  { fields, columns }: { fields: JsonObject; columns: JsonObject },
): JsonObject {
  if (templatesIn({ endpoint, body }, "us").length === 0) return body;
  const { fillsItself } = endpointOf(endpoint);
  const scope = { ...fields, ...columns, row: columns };
  const filled = Object.fromEntries(
    Object.entries(body).map(([field, value]) => [field, fillsItself(field) ? value : fill(value, scope)]),
  );
  return asksInMessages(body) ? { ...filled, input_prompt: "" } : filled;
}

function fill(value: JsonValue, scope: object): JsonValue {
  if (typeof value === "string") return isTemplate(value) ? filledText(value, scope) : value;
  if (Array.isArray(value)) return value.map((each) => fill(each, scope));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, fill(each, scope)]));
}

/** Templates that were parsed before: each target's are the same for every case. */
const parsed = new Map<string, ReturnType<Templates["parse"]>>();
const mostParsed = 500;

function filledText(text: string, scope: object): string {
  const engine = liquid();
  let template = parsed.get(text);
  if (template === undefined) {
    if (parsed.size >= mostParsed) parsed.clear();
    template = engine.parse(text);
    parsed.set(text, template);
  }
  try {
    return engine.fill(template, scope);
  } catch (cause) {
    if (!(cause instanceof Error) || cause.name !== "RenderError") throw cause;
    const [reason = ""] = cause.message.split("\n");
    throw new AppError("SUITE_INVALID", `A template of a body or a prompt file cannot be filled: ${reason}.`, {
      cause,
    });
  }
}
