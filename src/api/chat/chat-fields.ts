import { isJsonObject, type JsonObject, type JsonValue } from "../../lib/json.ts";
import { type FieldKind, requestFields } from "../request-fields.ts";

/** The fields of a case that become messages. */
const saidFields = ["system_prompt", "messages", "input_prompt", "input_images"] as const;

/** The fields of a chat's request that columns of the same name fill. */
export const chatFields: ReadonlyMap<string, FieldKind> = new Map<string, FieldKind>([
  ["input_prompt", "text"],
  ["messages", "messages"],
  ["system_prompt", "text"],
  ["input_images", "list"],
  ["temperature", "number"],
  ["top_p", "number"],
  ["max_tokens", "number"],
  ["max_completion_tokens", "number"],
  ["seed", "number"],
  ["tools", "json"],
  ["response_format", "json"],
]);

/** True for a field that the service knows and a chat does not: a case that goes to both leaves it out here. */
export function isServiceField(field: string): boolean {
  const [name = ""] = field.split(".");
  return requestFields.has(name) && !chatFields.has(name);
}

/** The body of a chat's request: what a case says becomes messages, what a chat does not know is left out, the rest stays. */
export function chatBody(input: JsonObject, model: string): JsonObject {
  const rest = Object.entries(input).filter(
    ([name]) => !saidFields.some((field) => field === name) && !isServiceField(name),
  );
  return { ...Object.fromEntries(rest), model, messages: messagesOf(input) };
}

function messagesOf(input: JsonObject): JsonValue[] {
  const { system_prompt: system, messages, input_prompt: prompt, input_images: images } = input;
  const before = Array.isArray(messages) ? messages : [];
  const said = saying(typeof prompt === "string" ? prompt : "", Array.isArray(images) ? images : []);
  const hasSystem = before.some((entry) => isJsonObject(entry) && entry["role"] === "system");
  return [
    // A conversation carries its own from turn to turn.
    ...(typeof system === "string" && system.trim() !== "" && !hasSystem ? [{ role: "system", content: system }] : []),
    ...before,
    ...(said === null ? [] : [{ role: "user", content: said }]),
  ];
}

/** The content of what the user says now; null: nothing, the history ends with it. */
function saying(prompt: string, images: readonly JsonValue[]): JsonValue | null {
  if (images.length === 0) return prompt.trim() === "" ? null : prompt;
  const pictures = images.map((url): JsonValue => ({ type: "image_url", image_url: { url } }));
  return prompt.trim() === "" ? pictures : [{ type: "text", text: prompt }, ...pictures];
}
