import { isJsonObject } from "../../lib/json.ts";
import { chatOf } from "./chat-provider.ts";
import { nameOfLabel } from "./label.ts";
import { httpOf } from "./http-provider.ts";
import { valuesInFiles } from "./files.ts";
import type { Placed } from "./place.ts";
import type { AskedProvider, NamedProvider, ProviderReading } from "./provider.ts";

/** The providers that a suite can ask; the others are left out, each with what to do instead. */
export function askedOf(providers: readonly Placed[], reading: ProviderReading): AskedProvider[] {
  const asked: AskedProvider[] = [];
  for (const named of providers.flatMap((written) => namedIn(written, reading))) {
    const made = askedBy(named, reading);
    if (made !== null) asked.push({ ...made, name: nameOfLabel(named.label ?? made.name, asked) });
  }
  return asked;
}

/** A provider that grades, as a judge asks it. */
export function judgeOf(written: Placed, reading: ProviderReading): AskedProvider | null {
  // `{text: ..., embedding: ...}` names one for each errand.
  const [named] = namedIn(written.members["text"] === undefined ? written : written.member("text"), reading);
  const made = named === undefined ? null : askedBy(named, reading);
  return made?.kind === "chat" ? made : null;
}

function askedBy(named: NamedProvider, reading: ProviderReading): AskedProvider | null {
  const { id, place, config, prompts } = named;
  if (id === "") return null;
  if (id === "echo") return { ...echo, prompts };
  if (/^https?(?::|$)/i.test(id)) {
    const { value: url } = config.member("url");
    return httpOf(named, typeof url === "string" ? url : id.includes(":") ? id : null, reading);
  }
  const chat = chatOf(named, reading);
  if (chat !== null) return chat;
  const [, way = describeIt] = waysOut.find(([ids]) => ids.test(id)) ?? [];
  reading.left.note(`the provider ${id}`, way, place);
  return null;
}

const echo: AskedProvider = {
  name: "echo",
  kind: "echo",
  service: "echo",
  deployment: null,
  target: {},
  prompts: null,
  variables: [],
  transform: null,
};

const describeIt =
  "describe it as a target: `endpoint: chat-completions` with its `base_url` and `model`, or `endpoint: { path, body, answer }`; `tandem check --url URL` makes the lines";

/** Providers that cannot be asked, with what to do instead. */
const waysOut: [ids: RegExp, way: string][] = [
  [
    /^(?:exec|python|ruby|golang|package):|^file:|\.(?:py|[cm]?js|ts|rb|go)(?::\w+)?$/,
    "it is code, which tandem does not run; let it answer over HTTP (`endpoint: { path: ... }`), or give its answers in a column (`targets: { before: { answers: COLUMN } }`)",
  ],
  [/^promptfoo:/, "it is a service of promptfoo's own"],
  [
    /^(?:bedrock|sagemaker|vertex|watsonx|replicate|cloudflare|databricks|snowflake|bam|huggingface|hf)\b/,
    "its address speaks no chat completions of OpenAI's form; put a gateway such as LiteLLM before it, which is a target by its `base_url`",
  ],
  [
    /^(?:wss?|mcp|a2a|slack|browser|anthropic:claude-(?:agent|code)|openai:(?:codex|agents|chatkit|realtime|assistant))/,
    "it is no request with one answer; let a small server of yours ask it, and describe that (`endpoint: { path, body, answer }`)",
  ],
];

/** The providers of an entry; a file of providers has several. */
function namedIn(written: Placed, { folder, left }: ProviderReading, depth = 0): NamedProvider[] {
  const { value, place } = written;
  if (typeof value === "string") {
    if (!/^file:\/\/.*\.(?:ya?ml|json)$/i.test(value) || depth > 0)
      return [{ id: value, label: null, config: written.as(null), prompts: null, transform: null, place }];
    const found = valuesInFiles(value, "the providers", place, { folder, left });
    return found.flatMap(({ entries }) => entries.flatMap((entry) => namedIn(entry, { folder, left, env: {} }, 1)));
  }
  if (!isJsonObject(value)) return [];
  const [name = ""] = Object.keys(value);
  const entry = typeof value["id"] === "string" ? written : written.member(name);
  const { members } = entry;
  const { id = name, label, prompts, transform } = members;
  if (typeof id !== "string") return [];
  left.keys("provider", entry, (key) => `\`${key}\` of the provider ${id}`);
  return [
    {
      id,
      label: typeof label === "string" ? label : null,
      config: entry.member("config"),
      prompts: Array.isArray(prompts) ? prompts.flatMap((each) => (typeof each === "string" ? [each] : [])) : null,
      transform: typeof transform === "string" ? transform : null,
      place,
    },
  ];
}
