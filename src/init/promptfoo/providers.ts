import { type EndpointName, serviceEndpoints } from "../../api/endpoint-name.ts";
import { endpointOf } from "../../api/endpoints.ts";
import { isJsonObject, type JsonValue } from "../../lib/json.ts";
import { isAuthorization } from "../../suite/check/connection-check.ts";
import { chatOf } from "./chat-provider.ts";
import { freeName } from "./free-name.ts";
import { httpOf } from "./http-provider.ts";
import { LeftOut } from "./left-out.ts";
import { type Placed, placedIn } from "./place.ts";
import {
  type AskedProvider,
  type EchoProvider,
  headersIn,
  headerVariable,
  type NamedProvider,
  type ProviderReading,
} from "./provider.ts";
import { isSecretHeader } from "./secret.ts";

/** The providers that a suite can ask; the others are left out, each with what to do instead. */
export function askedOf(providers: readonly Placed[], reading: ProviderReading): (AskedProvider | EchoProvider)[] {
  const asked: (AskedProvider | EchoProvider)[] = [];
  for (const named of providers.flatMap((written) => namedIn(written, reading))) {
    const made = askedBy(named, reading);
    if (made === null) continue;
    asked.push({ ...made, name: freeName(named.label ?? made.name, asked) });
  }
  return asked;
}

/** A provider that grades, as a judge asks it; null: it cannot be asked. */
export function judgeOf(written: Placed, reading: ProviderReading): AskedProvider | null {
  const { value } = written;
  // `{text: ..., embedding: ...}` names one for each errand.
  const isByErrand = isJsonObject(value) && value["id"] === undefined && value["text"] !== undefined;
  const [named] = namedIn(isByErrand ? written.member("text") : written, reading);
  const made = named === undefined ? null : askedBy(named, reading);
  return made === null || "echo" in made || !made.isChat ? null : made;
}

function askedBy(named: NamedProvider, reading: ProviderReading): AskedProvider | EchoProvider | null {
  const { left } = reading;
  const { id, place, config, prompts } = named;
  if (id === "") return null;
  if (id === "echo") return { name: "echo", echo: true, prompts };
  const { value: url } = config.member("url");
  const address = typeof url === "string" ? url : /^https?:\/\//i.test(id) ? id : null;
  const bot = address === null || !/^https?(?::|$)/i.test(id) ? null : botAt(address, named, reading);
  if (bot !== null) return bot;
  if (/^https?(?::|$)/i.test(id)) return httpOf(named, address, reading);
  if (id.startsWith("webhook:")) return httpOf(webhook(named), id.slice("webhook:".length), reading);
  const chat = chatOf(named, reading);
  if (chat !== null) return chat;
  left.note(`the provider ${id}`, wayOut(id), place);
  return null;
}

/** The request that promptfoo's webhook provider makes. */
function webhook(named: NamedProvider): NamedProvider {
  const body = { prompt: "{{prompt}}", config: named.config.value };
  return { ...named, config: named.config.as({ method: "POST", body, transformResponse: "json.output" }) };
}

function wayOut(id: string): string {
  if (/^(?:exec|python|ruby|golang|package):|^file:|\.(?:py|[cm]?js|ts|rb|go)(?::\w+)?$/.test(id))
    return "it is code, which tandem does not run; let it answer over HTTP (`endpoint: { path: ... }`), or give its answers in a column (`targets: { before: { answers: COLUMN } }`)";
  if (id.startsWith("promptfoo:")) return "it is a service of promptfoo's own";
  if (/^(?:bedrock|sagemaker|vertex|watsonx|replicate|cloudflare|databricks|snowflake|bam|huggingface|hf)\b/.test(id))
    return "its address speaks no chat completions of OpenAI's form; put a gateway such as LiteLLM before it, which is a target by its `base_url`";
  if (
    /^(?:wss?|mcp|a2a|slack|browser|anthropic:claude-(?:agent|code)|openai:(?:codex|agents|chatkit|realtime|assistant))/.test(
      id,
    )
  )
    return "it is no request with one answer; let a small server of yours ask it, and describe that (`endpoint: { path, body, answer }`)";
  return "describe it as a target: `endpoint: chat-completions` with its `base_url` and `model`, or `endpoint: { path, body, answer }`; `tandem check --url URL` makes the lines";
}

/** The providers of an entry; a file of providers has several. */
function namedIn(written: Placed, { folder, left }: ProviderReading, depth = 0): NamedProvider[] {
  const { value } = written;
  if (typeof value === "string") {
    if (/^file:\/\/.*\.(?:ya?ml|json)$/i.test(value) && depth === 0) {
      const found = folder.filesOf(value).flatMap((file) => {
        const text = folder.textOf(file);
        return text === null
          ? []
          : placedIn(text, file).entries.flatMap((entry) => namedIn(entry, { folder, left, env: {} }, 1));
      });
      if (found.length === 0) left.note(`the providers ${value}`, folder.whyNone(value), written.place);
      return found;
    }
    return [{ id: value, label: null, config: written.as(null), prompts: null, place: written.place }];
  }
  if (!isJsonObject(value)) return [];
  const [name = ""] = Object.keys(value);
  const isById = typeof value["id"] === "string";
  const entry = isById ? written : written.member(name);
  const inner: JsonValue = entry.value;
  const members = isJsonObject(inner) ? inner : {};
  const { id = name, label, prompts } = members;
  if (typeof id !== "string") return [];
  for (const key of Object.keys(members)) {
    const way = members[key] === null ? undefined : ways[key];
    if (way !== undefined) left.note(`\`${key}\` of the provider ${id}`, way, entry.member(key).place);
  }
  return [
    {
      id,
      label: typeof label === "string" ? label : null,
      config: entry.member("config"),
      prompts: Array.isArray(prompts) ? prompts.flatMap((each) => (typeof each === "string" ? [each] : [])) : null,
      place: written.place,
    },
  ];
}

const ways: Record<string, string> = {
  transform: "it is code that changes every answer; grade what it makes with a scorer of the type module",
  delay: "write a `rate` for its deployment, such as 30/m",
  env: "set the variables in the environment",
  inputs: "a suite has nothing like it",
};

/** The variable of a header for such a target: that of its key, or one by its name. */
const botVariable = (name: string): string => (isAuthorization(name) ? "TANDEM_PROD_API_KEY" : headerVariable(name));

/**
 * `https://host/v2/video-bots?example_id=x` as a target; null for any other address. Where the file has no key for it, it is
 * asked by the request of the file, which needs none.
 */
function botAt(address: string, named: NamedProvider, reading: ProviderReading): AskedProvider | null {
  const { config, id, place } = named;
  const { left } = reading;
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null) return null;
  const endpoint: EndpointName | undefined = serviceEndpoints.find((each) =>
    url.pathname.replace(/\/$/, "").endsWith(endpointOf(each).call.path),
  );
  const exampleId = url.searchParams.get("example_id") ?? "";
  if (endpoint === undefined || exampleId === "") return null;
  const before = url.pathname.slice(0, url.pathname.lastIndexOf(endpointOf(endpoint).call.path));
  const written = config.member("headers").value;
  const hasKey =
    isJsonObject(written) &&
    Object.entries(written).some(
      ([name, value]) => isAuthorization(name) || isSecretHeader(name, JSON.stringify(value)),
    );
  if (!hasKey && httpOf(named, address, { ...reading, left: new LeftOut() }) !== null)
    return httpOf(named, address, reading);
  for (const key of ["body", "transformResponse", "responseParser", "queryParams"]) {
    if (config.member(key).value === null) continue;
    const way = `${endpoint} makes its own request and finds the answer; fields beside the prompt go into \`body\` of the target`;
    left.note(`\`config.${key}\` of ${id}`, way, config.member(key).place);
  }
  if (url.username !== "" || url.password !== "")
    left.note(`the user and the password of ${id}`, "a key stands in the environment, TANDEM_PROD_API_KEY", place);
  const headers = headersIn(written, named, reading, botVariable);
  const [authorization = "", value = ""] = Object.entries(headers).find(([name]) => isAuthorization(name)) ?? [];
  const [, keyName] = /^Bearer \$\{(\w+)\}$/i.exec(value) ?? [];
  if (keyName !== undefined) delete headers[authorization];
  return {
    name: "prod",
    service: "prod",
    deployment: {
      base_url: `${url.origin}${before}`,
      ...(keyName !== undefined && { api_key_env: keyName }),
      ...(Object.keys(headers).length > 0 && { headers }),
    },
    target: { endpoint, example_id: exampleId },
    isChat: false,
    prompts: null,
    variables: [],
  };
}
