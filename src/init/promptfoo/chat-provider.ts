import { isJsonObject, type JsonObject, type JsonValue } from "../../lib/json.ts";
import { isAuthorization } from "../../suite/check/connection-check.ts";
import type { FileReading } from "./files.ts";
import { type Placed, placedIn } from "./place.ts";
import {
  type AskedProvider,
  bodyWithoutSecrets,
  headersIn,
  type NamedProvider,
  noSecret,
  type ProviderReading,
  withVariables,
} from "./provider.ts";
import { isSecretText } from "../../api/http/secret.ts";
import { withoutLogin, withoutSecretMembers } from "./secret.ts";

/** The services that speak OpenAI's chat completions, by the names of promptfoo's providers: address, and the variable with the key. */
const services: Readonly<Record<string, [baseUrl: string, key: string | null]>> = {
  openai: ["https://api.openai.com/v1", "OPENAI_API_KEY"],
  azure: ["", "AZURE_API_KEY"],
  azureopenai: ["", "AZURE_API_KEY"],
  anthropic: ["https://api.anthropic.com/v1", "ANTHROPIC_API_KEY"],
  google: ["https://generativelanguage.googleapis.com/v1beta/openai", "GOOGLE_API_KEY"],
  openrouter: ["https://openrouter.ai/api/v1", "OPENROUTER_API_KEY"],
  groq: ["https://api.groq.com/openai/v1", "GROQ_API_KEY"],
  mistral: ["https://api.mistral.ai/v1", "MISTRAL_API_KEY"],
  deepseek: ["https://api.deepseek.com/v1", "DEEPSEEK_API_KEY"],
  xai: ["https://api.x.ai/v1", "XAI_API_KEY"],
  togetherai: ["https://api.together.xyz/v1", "TOGETHER_API_KEY"],
  fireworks: ["https://api.fireworks.ai/inference/v1", "FIREWORKS_API_KEY"],
  cerebras: ["https://api.cerebras.ai/v1", "CEREBRAS_API_KEY"],
  cohere: ["https://api.cohere.ai/compatibility/v1", "COHERE_API_KEY"],
  github: ["https://models.github.ai/inference", "GITHUB_TOKEN"],
  hyperbolic: ["https://api.hyperbolic.xyz/v1", "HYPERBOLIC_API_KEY"],
  huggingface: ["https://router.huggingface.co/v1", "HF_TOKEN"],
  alibaba: ["https://dashscope-intl.aliyuncs.com/compatible-mode/v1", "DASHSCOPE_API_KEY"],
  nscale: ["https://inference.api.nscale.com/v1", "NSCALE_SERVICE_TOKEN"],
  moonshot: ["https://api.moonshot.ai/v1", "MOONSHOT_API_KEY"],
  aimlapi: ["https://api.aimlapi.com/v1", "AIML_API_KEY"],
  ollama: ["${OLLAMA_BASE_URL:-http://localhost:11434}/v1", null],
  localai: ["${LOCALAI_BASE_URL:-http://localhost:8080/v1}", null],
  litellm: ["${LITELLM_API_BASE:-http://localhost:4000}", "LITELLM_API_KEY"],
};

/** Words that stand between the name of a service and a model that is asked by chat completions, with what is noted of it. */
const chatKinds: Readonly<Record<string, string | null>> = {
  chat: null,
  messages: null,
  responses: "asked by its chat completions in place of the Responses API",
};
const noChats =
  /^(?:completion|embeddings?|assistant|image|video|realtime|moderation|transcription|speech|agents|codex|chatkit|search|tts|audio|rerank|live|claude-(?:agent-sdk|code)$)\b/;

/** Request fields that promptfoo sends to a model unless it is told otherwise. */
function usualBody(family: string, model: string): JsonObject {
  if (family === "anthropic") return { max_tokens: 1024 };
  const isPlain = family === "openai" && /^(?:gpt-3\.5|gpt-4|chatgpt|ft:gpt-[34])/.test(model);
  return isPlain ? { temperature: 0, max_tokens: 1024 } : {};
}

/** The members of `config` that a chat is sent, by its own names for them; null: it says where and how is asked. */
const fields: Readonly<Record<string, string | null>> = {
  ...Object.fromEntries(
    (
      "temperature max_tokens max_completion_tokens top_p top_k min_p frequency_penalty presence_penalty repetition_penalty seed stop logprobs " +
      "top_logprobs logit_bias response_format tools tool_choice parallel_tool_calls functions function_call reasoning_effort reasoning thinking " +
      "user metadata store service_tier modalities prediction verbosity web_search_options provider models transforms stream system_prompt"
    )
      .split(" ")
      .map((name) => [name, name]),
  ),
  ...Object.fromEntries(
    (
      "apiKey apiKeyEnvar apiKeyRequired apiBaseUrl apiHost baseUrl baseURL organization apiVersion api_version deployment deploymentName headers " +
      "maxRetries passthrough showThinking omitDefaults model generationConfig env"
    )
      .split(" ")
      .map((name) => [name, null]),
  ),
  maxTokens: "max_tokens",
  maxOutputTokens: "max_tokens",
  max_output_tokens: "max_completion_tokens",
  num_predict: "max_tokens",
  topP: "top_p",
  topK: "top_k",
  stopSequences: "stop",
  stop_sequences: "stop",
  systemPrompt: "system_prompt",
  systemInstruction: "system_prompt",
  instructions: "system_prompt",
  system: "system_prompt",
};

/** A provider that speaks OpenAI's chat completions, as a target; null for any other. */
export function chatOf(named: NamedProvider, reading: ProviderReading): AskedProvider | null {
  const [, family = "", rest = ""] = /^([a-z][\w-]*)(?::([^]*))?$/.exec(named.id) ?? [];
  const service = Object.hasOwn(services, family) ? services[family] : undefined;
  const [kind = "", ...others] = rest.split(":");
  // Hugging Face has models of all kinds under its name.
  const isOther = noChats.test(rest) || (family === "huggingface" && kind !== "chat");
  if (service === undefined || isOther) return null;
  const [ownAddress, keyName] = service;
  const config = named.config.members;
  const written = Object.hasOwn(chatKinds, kind) ? others.join(":") : rest;
  const { deployment, deploymentName, model } = config;
  const name = written === "" ? [deployment, deploymentName, model].find(isFilled) : written;
  if (name === undefined) return null;
  const { left } = reading;
  const about = `the provider ${named.id}`;
  const address = addressOf(family, ownAddress, { config, env: reading.env });
  const baseUrl = withoutLogin(address)
    .replace(/[?#].*$/, "")
    .replace(/\/+$/, "");
  if (baseUrl !== address)
    left.note(
      `the login or the query of the address of ${named.id}`,
      'an address has none in a suite; a header takes a secret from the environment: `headers: { NAME: "${VARIABLE}" }` of its deployment',
      named.place,
    );
  if (isSecretText(baseUrl)) {
    left.note(about, "its address has a key in it, which a suite never holds", named.place);
    return null;
  }
  const asChat = chatKinds[kind] ?? null;
  if (asChat !== null) left.note(about, asChat, named.place);
  if (["anthropic", "google", "cohere"].includes(family))
    left.note(about, "asked by the address of its service that speaks OpenAI's form", named.place);
  const body: JsonObject = { ...usualBody(family, name), ...bodyOf(named, reading) };
  if (body["max_completion_tokens"] !== undefined) delete body["max_tokens"];
  const { headers: given, organization } = config;
  const ofOrganization = typeof organization === "string" ? { "OpenAI-Organization": organization } : {};
  const headers = headersIn({ ...(isJsonObject(given) ? given : {}), ...ofOrganization }, named, reading);
  const isAuthorized = Object.keys(headers).some(isAuthorization);
  return {
    name: name.replace(/^.*\//, ""),
    kind: "chat",
    service: family === "azureopenai" ? "azure" : family,
    deployment: {
      base_url: baseUrl,
      ...(isAuthorized ? {} : keyOf(named, keyName, config, reading)),
      ...(Object.keys(headers).length > 0 && { headers }),
    },
    target: {
      endpoint: "chat-completions",
      model: name,
      ...(Object.keys(body).length > 0 && { body }),
    },
    prompts: named.prompts,
    variables: [],
    transform: named.transform,
  };
}

/** The address before `/chat/completions`: that of the provider, that of the `env` of the file, or the service's own. */
function addressOf(family: string, usual: string, { config, env }: { config: JsonObject; env: JsonObject }): string {
  const { apiBaseUrl, baseUrl: ofConfig, baseURL, apiHost } = config;
  const ofEnv = (...ends: string[]): JsonValue | undefined =>
    ends.map((end) => env[`${family.toUpperCase()}_${end}`]).find((each) => each !== undefined);
  const given = [apiBaseUrl, ofConfig, baseURL, ofEnv("API_BASE_URL", "BASE_URL", "API_BASE")].find(isFilled);
  if (given !== undefined) return withVariables(given.replace(/\/+$/, ""));
  const named = [apiHost, ofEnv("API_HOST")].find(isFilled);
  const host = named === undefined ? null : withVariables(named.replace(/^https?:\/\//, "").replace(/\/+$/, ""));
  if (!family.startsWith("azure")) return host === null ? usual : `https://${host}/v1`;
  return `https://${host ?? "${AZURE_API_HOST}"}/openai/v1`;
}

const isFilled = (each: JsonValue | undefined): each is string => typeof each === "string" && each !== "";

/** True for a member of `env` that is the address of a service. */
export const namesAddress = (name: string): boolean =>
  Object.keys(services).some((family) =>
    ["API_BASE_URL", "BASE_URL", "API_BASE", "API_HOST"].includes(
      name.startsWith(`${family.toUpperCase()}_`) ? name.slice(family.length + 1) : "",
    ),
  );

/** The variable with the key. A key that stands in the configuration is never taken over. */
function keyOf(named: NamedProvider, key: string | null, config: JsonObject, { left }: ProviderReading): JsonObject {
  const { apiKey, apiKeyEnvar } = config;
  if (typeof apiKeyEnvar === "string" && /^[A-Za-z_]\w*$/.test(apiKeyEnvar)) return { api_key_env: apiKeyEnvar };
  const [, variable] = typeof apiKey === "string" ? (/^\s*\{\{\s*env\.(\w+)\s*\}\}\s*$/.exec(apiKey) ?? []) : [];
  if (variable !== undefined) return { api_key_env: variable };
  if (apiKey !== undefined && key !== null) {
    left.note(
      `the key of ${named.id}`,
      `a key stands in the environment, ${key}, never in the suite`,
      named.config.member("apiKey").place,
    );
  }
  return key === null ? {} : { api_key_env: key };
}

function bodyOf(named: NamedProvider, reading: ProviderReading): JsonObject {
  const { config } = named;
  const { passthrough, generationConfig } = config.members;
  const inner = isJsonObject(generationConfig) ? sentMembers(config.member("generationConfig"), named.id, reading) : {};
  const body = { ...inner, ...sentMembers(config, named.id, reading) };
  const kept = bodyWithoutSecrets({ ...body, ...(isJsonObject(passthrough) ? passthrough : {}) }, named, reading);
  return isJsonObject(kept) ? kept : {};
}

/** Makes the members of a chat's request that the `config` of a prompt adds: as that of a provider, without its secrets. */
export function bodyOfPrompt(written: Placed, reading: FileReading): JsonObject {
  const kept = withoutSecretMembers(sentMembers(written, "a prompt", reading), (path) =>
    reading.left.note(`\`${path}\` of the body of a prompt`, noSecret, written.place),
  );
  return isJsonObject(kept) ? kept : {};
}

/** The members of a `config` that a chat is sent, with the content of files that they name. */
function sentMembers(config: Placed, about: string, { folder, left }: FileReading): JsonObject {
  const body: JsonObject = {};
  for (const [key, value] of Object.entries(config.members)) {
    const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
    const note = (way: string): void => left.note(`\`config.${key}\` of ${about}`, way, config.member(key).place);
    if (field === null) continue;
    if (field === undefined || value === null) {
      note(
        /cost$/i.test(key)
          ? "write `price: { input, output }` for its target, of a million tokens"
          : "write it into `body` of the target, in the words of its API",
      );
      continue;
    }
    const found = fromFile(value, (file) => folder.textOf(file));
    if (found === null) note("there is no such file of JSON or YAML in the folder of the configuration");
    else body[field] = field === "system_prompt" && typeof found !== "string" ? JSON.stringify(found) : found;
  }
  return body;
}

/** A value, or that of the file which it names. */
function fromFile(value: JsonValue, textOf: (file: string) => string | null): JsonValue {
  if (typeof value !== "string" || !value.startsWith("file://")) return value;
  const text = /\.(?:json|ya?ml|txt|md)$/i.test(value) ? textOf(value) : null;
  if (text === null) return null;
  return /\.(?:txt|md)$/i.test(value) ? text.trim() : placedIn(text, value).value;
}
