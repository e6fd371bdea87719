import { type EndpointName, endpointWord } from "../../api/endpoint-name.ts";
import { endpointOf } from "../../api/endpoints.ts";
import { chatMessages } from "../../api/prompt-messages.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../lib/json.ts";
import { isTemplate } from "../../lib/liquid-name.ts";
import { showText } from "../../lib/show.ts";
import { bodySteps, withValueAt } from "../body-path.ts";

/** A body with a prompt in it, or what is wrong. */
type WithPrompt = { body: JsonObject; wrong?: undefined } | { wrong: string; hint: string | null };

/**
 * The body of a target with a prompt in its place: the field that is named, else the one that the endpoint has for it. With
 * places for columns a prompt is what is asked, without it is the instructions; a chat in JSON is both.
 */
export function bodyWithPrompt(
  { endpoint, body, field }: { endpoint: EndpointName; body: JsonObject; field: string | undefined },
  text: string,
): WithPrompt {
  const messages = field === undefined ? chatMessages(text) : null;
  if (messages === null) {
    const kind = isTemplate(text) ? "question" : "instructions";
    const place = field ?? endpointOf(endpoint).promptField(kind);
    return place === null ? noPlace(endpoint, kind) : put(body, place, text);
  }
  const last = messages.length - 1;
  if (messages[last]?.role !== "user")
    return {
      wrong: `ends with a message of the role ${showText(messages[last]?.role ?? "")}, and a chat is asked by its last message`,
      hint: "End it with a message of the role user.",
    };
  const asked = endpointOf(endpoint).promptField("question");
  if (asked === null || !endpointOf(endpoint).fields.has("messages")) return noPlace(endpoint, "question");
  const before = messages.slice(0, last).map(({ role, content }) => ({ role, content }));
  const withAsked = put(body, asked, messages[last]?.content ?? "");
  return before.length === 0 || withAsked.wrong !== undefined ? withAsked : put(withAsked.body, "messages", before);
}

function put(body: JsonObject, field: string, value: JsonValue): WithPrompt {
  const steps = bodySteps(field);
  if (typeof steps === "string")
    return { wrong: `becomes the field ${JSON.stringify(field)}, which ${steps}`, hint: null };
  const made = withValueAt(body, steps, value);
  if (typeof made === "string") return { wrong: `becomes the field ${field}, which ${made}`, hint: null };
  return hasAt(body, steps)
    ? { wrong: `becomes ${field}, which body sets too`, hint: "Keep one of them." }
    : { body: made };
}

function hasAt(body: JsonObject, [step = "", ...rest]: readonly string[]): boolean {
  if (!Object.hasOwn(body, step)) return false;
  const inner = body[step];
  return rest.length === 0 || (isJsonObject(inner) && hasAt(inner, rest));
}

function noPlace(endpoint: EndpointName, kind: "question" | "instructions"): WithPrompt {
  const example = kind === "question" ? "{{ input_prompt }}" : "{{ system_prompt }}";
  return {
    wrong: `is for an endpoint that has no place for it: ${endpointWord(endpoint)}`,
    hint: `Write ${example} where it belongs in the endpoint, or name the field with prompt_field.`,
  };
}
