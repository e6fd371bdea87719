import { isJsonObject, type JsonObject, type JsonValue } from "../../lib/json.ts";
import { isAuthorization } from "../../suite/check/connection-check.ts";
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

/** A service that speaks OpenAI's chat completions. */
interface ChatService {
  baseUrl: string;
  /** The variable with its key; null: it needs none. */
  key: string | null;
  /** Words that may stand between its name and the model. */
  kinds?: readonly string[];
  /** Kinds that are no chat, where the model may follow the name at once. */
  noChats?: RegExp;
  /** Request fields that promptfoo sends unless it is told otherwise. */
  usual?: (model: string) => JsonObject;
}

const openaiKinds = ["chat", "responses"];
const noChats =
  /^(?:completion|embeddings?|assistant|image|video|realtime|moderation|transcription|speech|agents|codex|chatkit|search|tts|audio|rerank|live)\b/;

/** promptfoo sends a temperature of 0 and at most 1,024 tokens to a model that does not reason. */
const openaiUsual = (model: string): JsonObject =>
  /^(?:gpt-3\.5|gpt-4|chatgpt|ft:gpt-[34])/.test(model) ? { temperature: 0, max_tokens: 1024 } : {};

/** The services by the names of promptfoo's providers. */
const services: Record<string, ChatService> = {
  openai: {
    baseUrl: "https://api.openai.com/v1",
    key: "OPENAI_API_KEY",
    kinds: openaiKinds,
    noChats,
    usual: openaiUsual,
  },
  azure: { baseUrl: "", key: "AZURE_API_KEY", kinds: openaiKinds, noChats },
  azureopenai: { baseUrl: "", key: "AZURE_API_KEY", kinds: openaiKinds, noChats },
  anthropic: {
    baseUrl: "https://api.anthropic.com/v1",
    key: "ANTHROPIC_API_KEY",
    kinds: ["messages"],
    noChats: /^(?:completion|claude-(?:agent-sdk|code)$)/,
    usual: () => ({ max_tokens: 1024 }),
  },
  google: { baseUrl: "https://generativelanguage.googleapis.com/v1beta/openai", key: "GOOGLE_API_KEY", noChats },
  openrouter: { baseUrl: "https://openrouter.ai/api/v1", key: "OPENROUTER_API_KEY" },
  groq: { baseUrl: "https://api.groq.com/openai/v1", key: "GROQ_API_KEY", kinds: ["responses"], noChats },
  mistral: { baseUrl: "https://api.mistral.ai/v1", key: "MISTRAL_API_KEY", noChats },
  deepseek: { baseUrl: "https://api.deepseek.com/v1", key: "DEEPSEEK_API_KEY" },
  xai: { baseUrl: "https://api.x.ai/v1", key: "XAI_API_KEY", kinds: ["responses"], noChats },
  togetherai: { baseUrl: "https://api.together.xyz/v1", key: "TOGETHER_API_KEY", kinds: ["chat"], noChats },
  fireworks: { baseUrl: "https://api.fireworks.ai/inference/v1", key: "FIREWORKS_API_KEY", kinds: ["chat"], noChats },
  cerebras: { baseUrl: "https://api.cerebras.ai/v1", key: "CEREBRAS_API_KEY", kinds: ["chat"] },
  cohere: { baseUrl: "https://api.cohere.ai/compatibility/v1", key: "COHERE_API_KEY", kinds: ["chat"], noChats },
  github: { baseUrl: "https://models.github.ai/inference", key: "GITHUB_TOKEN" },
  hyperbolic: { baseUrl: "https://api.hyperbolic.xyz/v1", key: "HYPERBOLIC_API_KEY", kinds: ["chat"], noChats },
  huggingface: { baseUrl: "https://router.huggingface.co/v1", key: "HF_TOKEN", kinds: ["chat"], noChats: /^(?!chat:)/ },
  alibaba: { baseUrl: "https://dashscope-intl.aliyuncs.com/compatible-mode/v1", key: "DASHSCOPE_API_KEY", noChats },
  nscale: { baseUrl: "https://inference.api.nscale.com/v1", key: "NSCALE_SERVICE_TOKEN", kinds: ["chat"], noChats },
  moonshot: { baseUrl: "https://api.moonshot.ai/v1", key: "MOONSHOT_API_KEY" },
  aimlapi: { baseUrl: "https://api.aimlapi.com/v1", key: "AIML_API_KEY", kinds: ["chat"], noChats },
  ollama: {
    baseUrl: "${OLLAMA_BASE_URL:-http://localhost:11434}/v1",
    key: null,
    kinds: ["chat", "completion"],
    noChats: /^embeddings?\b/,
  },
  localai: { baseUrl: "${LOCALAI_BASE_URL:-http://localhost:8080/v1}", key: null, kinds: ["chat"], noChats },
  litellm: { baseUrl: "${LITELLM_API_BASE:-http://localhost:4000}", key: "LITELLM_API_KEY", kinds: ["chat"], noChats },
};

/** Members of `config` that a chat is sent as they are. */
const sent = new Set(
  (
    "temperature max_tokens max_completion_tokens top_p top_k min_p frequency_penalty presence_penalty repetition_penalty seed stop logprobs " +
    "top_logprobs logit_bias response_format tools tool_choice parallel_tool_calls functions function_call reasoning_effort reasoning thinking " +
    "user metadata store service_tier modalities prediction verbosity web_search_options provider models transforms stream"
  ).split(" "),
);

/** Members with another name in a chat. */
const renamed: Record<string, string> = {
  maxTokens: "max_tokens",
  maxOutputTokens: "max_tokens",
  max_output_tokens: "max_completion_tokens",
  num_predict: "max_tokens",
  topP: "top_p",
  topK: "top_k",
  stopSequences: "stop",
  stop_sequences: "stop",
  systemPrompt: "system_prompt",
  system_prompt: "system_prompt",
  systemInstruction: "system_prompt",
  instructions: "system_prompt",
  system: "system_prompt",
};

/** Members that say where and how is asked, and nothing of the request. */
const ofConnection =
  /^(?:apiKey|apiKeyEnvar|apiKeyRequired|apiBaseUrl|apiHost|baseUrl|baseURL|organization|apiVersion|api_version|deployment|deploymentName|headers|cost|inputCost|outputCost|maxRetries|passthrough|showThinking|omitDefaults|model|generationConfig|env)$/;

/** A provider that speaks OpenAI's chat completions, as a target; null for any other. */
export function chatOf(named: NamedProvider, reading: ProviderReading): AskedProvider | null {
  const [, family = "", rest = ""] = /^([a-z][\w-]*)(?::([^]*))?$/.exec(named.id) ?? [];
  const service = Object.hasOwn(services, family) ? services[family] : undefined;
  if (service === undefined || service.noChats?.test(rest) === true) return null;
  const config = isJsonObject(named.config.value) ? named.config.value : {};
  const [kind = "", ...model] = rest.split(":");
  const isKind = service.kinds?.includes(kind) === true;
  const written = isKind ? model.join(":") : rest;
  const ofConfig = [config["deployment"], config["deploymentName"], config["model"]].find(
    (each) => typeof each === "string",
  );
  const name = written === "" ? ofConfig : written;
  if (typeof name !== "string" || name === "") return null;
  const { left } = reading;
  const address = addressOf(family, service, { config, env: reading.env });
  const baseUrl = withoutLogin(address)
    .replace(/[?#].*$/, "")
    .replace(/\/+$/, "");
  if (baseUrl !== address) {
    left.note(
      `the login or the query of the address of ${named.id}`,
      'an address has none in a suite; a header takes a secret from the environment: `headers: { NAME: "${VARIABLE}" }` of its deployment',
      named.place,
    );
  }
  if (isSecretText(baseUrl)) {
    left.note(`the provider ${named.id}`, "its address has a key in it, which a suite never holds", named.place);
    return null;
  }
  if (kind === "responses") {
    left.note(`the provider ${named.id}`, "asked by its chat completions in place of the Responses API", named.place);
  }
  if (kind === "completion") {
    left.note(`the provider ${named.id}`, "asked by its chat completions in place of its raw completions", named.place);
  }
  if (family === "anthropic" || family === "google" || family === "cohere") {
    left.note(`the provider ${named.id}`, "asked by the address of its service that speaks OpenAI's form", named.place);
  }
  const body: JsonObject = { ...service.usual?.(name), ...bodyOf(named, config, reading) };
  const { headers: given, organization } = config;
  const headers = headersIn(
    {
      ...(isJsonObject(given) ? given : {}),
      ...(typeof organization === "string" && { "OpenAI-Organization": organization }),
    },
    named,
    reading,
  );
  const isAuthorized = Object.keys(headers).some(isAuthorization);
  if (body["max_completion_tokens"] !== undefined) delete body["max_tokens"];
  return {
    name: name.replace(/^.*\//, ""),
    service: family === "azureopenai" ? "azure" : family,
    deployment: {
      base_url: baseUrl,
      ...(isAuthorized ? {} : keyOf(named, service, config, reading)),
      ...(Object.keys(headers).length > 0 && { headers }),
    },
    target: {
      endpoint: "chat-completions",
      model: name,
      ...(Object.keys(body).length > 0 && { body }),
      ...priceOf(config),
    },
    isChat: true,
    prompts: named.prompts,
    variables: [],
    transform: named.transform,
  };
}

/** The address before `/chat/completions`: that of the provider, that of the `env` of the file, or the service's own. */
function addressOf(
  family: string,
  { baseUrl }: ChatService,
  { config, env }: { config: JsonObject; env: JsonObject },
): string {
  const { apiBaseUrl, baseUrl: ofConfig, baseURL, apiHost } = config;
  const ofEnv = (...ends: string[]): JsonValue | undefined =>
    ends.map((end) => env[`${family.toUpperCase()}_${end}`]).find((each) => each !== undefined);
  const given = [apiBaseUrl, ofConfig, baseURL, ofEnv("API_BASE_URL", "BASE_URL", "API_BASE")].find(isFilled);
  if (given !== undefined) return withVariables(given.replace(/\/+$/, ""));
  const named = [apiHost, ofEnv("API_HOST")].find(isFilled);
  const host = named === undefined ? null : withVariables(named.replace(/^https?:\/\//, "").replace(/\/+$/, ""));
  if (!family.startsWith("azure")) return host === null ? baseUrl : `https://${host}/v1`;
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
function keyOf(named: NamedProvider, { key }: ChatService, config: JsonObject, { left }: ProviderReading): JsonObject {
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

function bodyOf(named: NamedProvider, config: JsonObject, reading: ProviderReading): JsonObject {
  const { left } = reading;
  const { passthrough, generationConfig } = config;
  const all: JsonObject = { ...(isJsonObject(generationConfig) ? generationConfig : {}), ...config };
  const body = sentMembers(all, {
    ...reading,
    about: named.id,
    placeOf: (key) => named.config.member(key).place,
    onOther(key) {
      if (ofConnection.test(key)) return;
      left.note(
        `\`config.${key}\` of ${named.id}`,
        "write it into `body` of the target, in the words of its API",
        named.config.member(key).place,
      );
    },
  });
  const kept = bodyWithoutSecrets({ ...body, ...(isJsonObject(passthrough) ? passthrough : {}) }, named, reading);
  return isJsonObject(kept) ? kept : {};
}

/** Makes the members of a chat's request that the `config` of a prompt adds: as that of a provider, without its secrets. */
export function bodyOfPrompt(written: Placed, { folder, left }: Pick<ProviderReading, "folder" | "left">): JsonObject {
  const placeOf = (key: string): string => written.member(key).place;
  const onOther = (key: string): void =>
    left.note(
      `\`config.${key}\` of a prompt`,
      "write it into the `body` of the targets with this prompt",
      placeOf(key),
    );
  const body = sentMembers(written.members, { folder, left, about: "a prompt", placeOf, onOther });
  const kept = withoutSecretMembers(body, (path) =>
    left.note(`\`${path}\` of the body of a prompt`, noSecret, written.place),
  );
  return isJsonObject(kept) ? kept : {};
}

interface MemberReading extends Pick<ProviderReading, "folder" | "left"> {
  /** Whose `config` it is, in words. */
  about: string;
  placeOf: (key: string) => string;
  /** Takes the members that a chat is not sent. */
  onOther: (key: string) => void;
}

/** The members of a `config` that a chat is sent, by their names in it, and with the content of files that they name. */
function sentMembers(config: JsonObject, { folder, left, about, placeOf, onOther }: MemberReading): JsonObject {
  const body: JsonObject = {};
  for (const [key, value] of Object.entries(config)) {
    const field = sent.has(key) ? key : renamed[key];
    if (field === undefined || value === null) {
      onOther(key);
      continue;
    }
    const found = fromFile(value, (file) => folder.textOf(file));
    if (found === null)
      left.note(
        `\`config.${key}\` of ${about}`,
        "there is no such file of JSON or YAML in the folder of the configuration",
        placeOf(key),
      );
    else body[field] = field === "system_prompt" && typeof found !== "string" ? JSON.stringify(found) : found;
  }
  return body;
}

/** A value, or that of the file which it names; null: there is none. */
function fromFile(value: JsonValue, textOf: (file: string) => string | null): JsonValue {
  if (typeof value !== "string" || !value.startsWith("file://")) return value;
  const text = /\.(?:json|ya?ml|txt|md)$/i.test(value) ? textOf(value) : null;
  if (text === null) return null;
  return /\.(?:txt|md)$/i.test(value) ? text.trim() : placedIn(text, value).value;
}

/** promptfoo's price is that of one token. */
function priceOf({ cost, inputCost, outputCost }: JsonObject): JsonObject {
  const input = inputCost ?? cost;
  const output = outputCost ?? cost;
  if (typeof input !== "number" || typeof output !== "number") return {};
  return { price: { input: perMillion(input), output: perMillion(output) } };
}

const perMillion = (price: number): number => Number((price * 1e6).toPrecision(12));
