import { endpointOf } from "../../api/endpoints.ts";
import type { JsonValue } from "../../lib/json.ts";
import type { Target } from "../../suite/suite.ts";

/** Vendors by how the names of their models begin. */
const vendors: readonly [vendor: string, names: RegExp][] = [
  ["OpenAI", /^(?:gpt|chatgpt|o\d|text-davinci)/],
  ["Anthropic", /^claude/],
  ["Google", /^(?:gemini|gemma|palm|bison)/],
  ["Meta", /^(?:llama|meta-llama)/],
  ["Mistral", /^(?:mistral|mixtral|ministral|codestral|magistral)/],
  ["Alibaba", /^(?:qwen|qwq)/],
  ["DeepSeek", /^deepseek/],
  ["Cohere", /^(?:command|aya)/],
  ["xAI", /^grok/],
  ["Microsoft", /^phi/],
];

/** The model that a target says it asks; null: its saved configuration knows. */
function modelOf({ endpoint, exampleId, body }: Pick<Target, "endpoint" | "exampleId" | "body">): string | null {
  const named = [body["selected_model"], body["model"]].find(
    (value): value is string & JsonValue => typeof value === "string",
  );
  const model = named ?? (endpointOf(endpoint).runs?.key === "model" ? exampleId : "");
  return model.trim() === "" ? null : model.trim().toLowerCase();
}

function vendorOf(model: string): string | null {
  // Hubs put the vendor first: openai/gpt-4o.
  const plain = model.split("/").at(-1) ?? model;
  return vendors.find(([, names]) => names.test(plain.replaceAll("_", "-")))?.[0] ?? null;
}

/** The model or the vendor that a judge and a bot share, in words; null: none is known. */
export function sharedFamily(judge: Parameters<typeof modelOf>[0], bot: Parameters<typeof modelOf>[0]): string | null {
  const [one, other] = [modelOf(judge), modelOf(bot)];
  if (one === null || other === null) return null;
  if (one === other) return `both are ${one}`;
  const vendor = vendorOf(one);
  return vendor !== null && vendor === vendorOf(other) ? `both are models of ${vendor}` : null;
}
