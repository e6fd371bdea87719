import { standInJudge } from "../../suite/stand-in.ts";
import type { JsonObject, JsonValue } from "../../lib/json.ts";
import { configurationsIn, embeddedFolder } from "../init.ts";
import type { OwnBot } from "../conversion.ts";
import { neededIn } from "../../suite/environment.ts";
import type { AskedProvider, EchoProvider, ProviderReading } from "./provider.ts";
import { askedOf, judgeOf } from "./providers.ts";
import { LeftOut } from "./left-out.ts";
import type { Placed } from "./place.ts";
import type { RubricScorer } from "./rows.ts";
import type { UsablePrompt } from "./prompts.ts";
import type { PromptfooRunning } from "./config.ts";

/** Who is asked: the user's own bot, saved configurations of a folder, or the providers that can be. */
export type WhoIsAsked =
  | { own: OwnBot }
  | { folder: string; exampleIds: readonly string[] }
  | { providers: readonly (AskedProvider | EchoProvider)[] };

/** Everything that says who is asked. */
interface AskedOptions {
  /** Makes the deployment and the target of the user's own bot, by a first call; undefined: none is named. */
  botFor: (() => Promise<OwnBot | undefined>) | undefined;
  /** A bot is named beside the file. */
  isNamed: boolean;
  bots: string | undefined;
  to: string;
  providers: readonly Placed[];
  reading: ProviderReading;
}

/** Who is asked: whom a person names, else the providers that can be; where none can, a person is asked for a bot. */
export async function whoIsAsked({ botFor, isNamed, bots, to, providers, reading }: AskedOptions): Promise<WhoIsAsked> {
  const { left } = reading;
  const asked = isNamed || bots !== undefined ? [] : askedOf(providers, reading);
  const own = asked.length === 0 && bots === undefined ? await botFor?.() : undefined;
  if ((own !== undefined || bots !== undefined) && providers.length > 0)
    left.note("its providers", "the bot that is named beside it is asked instead", providers[0]?.place ?? null);
  if (own !== undefined) return { own };
  if (bots !== undefined) return { folder: embeddedFolder(to, bots), exampleIds: configurationsIn(bots) };
  return { providers: asked };
}

/** The parts of a suite that say who is asked and who judges. */
export interface AskedParts {
  deployments: JsonObject;
  targets: JsonObject;
  judges: JsonObject;
  judgeOf: (scorer: string) => string;
  isStandIn: boolean;
  /** The variables that it needs: keys, and others of addresses and headers. */
  keys: string[];
  /** A judge of this machine is asked. */
  hasStandInJudge: boolean;
}

/** A prompt as the keys of a target; null: it cannot be asked with it. */
export type PromptKeys = (prompt: UsablePrompt, provider: AskedProvider) => JsonObject | null;

interface PartsOptions {
  prompts: readonly UsablePrompt[];
  /** Columns with the answers of an echo, by the names of prompts. */
  echoes: ReadonlyMap<string, string>;
  promptKeys: PromptKeys;
  rubrics: readonly RubricScorer[];
  running: PromptfooRunning;
  /** The column with answers that every test brings; null: they are asked for. */
  stored: string | null;
  reading: ProviderReading;
}

/** Writes deployments, targets and judges. */
export function askedParts(asked: WhoIsAsked, options: PartsOptions): AskedParts {
  const places = new Deployments(options.running);
  const targets: JsonObject = {};
  let isStandIn = false;
  if (options.stored !== null) {
    targets["stored"] = { answers: options.stored };
    if (!("providers" in asked))
      options.reading.left.note("the bot that is named beside it", "every test brings its answer; nobody is asked");
    else if (asked.providers.length > 0)
      options.reading.left.note("its providers", "every test brings its answer; nobody is asked");
  } else if ("own" in asked) {
    Object.assign(places.entries, asked.own.deployments);
    Object.assign(targets, asked.own.targets);
  } else if ("folder" in asked) {
    places.entries["local"] = { base_url: `local:${asked.folder}` };
    for (const id of asked.exampleIds) targets[id] = { deployment: "local", endpoint: "video-bots", example_id: id };
  } else {
    Object.assign(targets, targetsOf(asked.providers, places, options));
    isStandIn = Object.keys(targets).length === 0;
    if (isStandIn) {
      places.entries["local"] = { base_url: "local:./bots" };
      targets["assistant"] = { deployment: "local", endpoint: "video-bots", example_id: "assistant" };
    }
  }
  const judged = judgesOf(asked, places, { ...options, isStandIn });
  const needed = { deployments: places.entries, targets, judges: judged.judges };
  const keys = variablesOf(needed);
  return { deployments: places.entries, targets, isStandIn, keys, ...judged };
}

const texts = (value: JsonValue | undefined): string[] =>
  isObject(value) ? Object.values(value).flatMap((each) => (typeof each === "string" ? [each] : [])) : [];

/** The variables without which these parts cannot be run: keys of deployments, and what their addresses and headers name. */
function variablesOf({
  deployments,
  targets,
  judges,
}: Pick<AskedParts, "deployments" | "targets" | "judges">): string[] {
  const ofDeployments = Object.values(deployments).flatMap((entry) => {
    const { api_key_env: key, base_url: address, headers } = isObject(entry) ? entry : {};
    const written = [...(typeof address === "string" ? [address] : []), ...texts(headers)];
    return [...(typeof key === "string" ? [key] : []), ...written.flatMap(neededIn)];
  });
  const ofEndpoints = Object.values({ ...targets, ...judges }).flatMap((entry) => {
    const endpoint = isObject(entry) ? entry["endpoint"] : undefined;
    return isObject(endpoint) ? texts(endpoint["headers"]).flatMap(neededIn) : [];
  });
  return [...new Set([...ofDeployments, ...ofEndpoints])];
}

function targetsOf(
  providers: readonly (AskedProvider | EchoProvider)[],
  places: Deployments,
  { prompts, echoes, promptKeys, reading }: PartsOptions,
): JsonObject {
  const targets: JsonObject = {};
  for (const provider of providers) {
    const wanted = provider.prompts;
    const own =
      wanted === null ? prompts : prompts.filter(({ source }) => wanted.some((name) => isWanted(name, source.names)));
    if (own.length === 0)
      reading.left.note(`the provider ${provider.name}`, "none of the prompts that it is asked with is in the suite");
    for (const prompt of own) {
      const name = nameOf(provider.name, prompt, { prompts, isAlone: providers.length === 1 });
      if ("echo" in provider) {
        targets[name] = { answers: echoes.get(prompt.name) ?? "" };
        continue;
      }
      const keys = promptKeys(prompt, provider);
      if (keys !== null) targets[name] = { deployment: places.nameOf(provider), ...merged(provider.target, keys) };
    }
  }
  return targets;
}

/** A target is named by what differs. */
function nameOf(
  provider: string,
  prompt: UsablePrompt,
  { prompts, isAlone }: { prompts: readonly UsablePrompt[]; isAlone: boolean },
): string {
  if (prompts.length === 1) return provider;
  return isAlone ? prompt.name : `${provider}:${prompt.name}`;
}

/** A name of promptfoo's, in which a star stands for anything. */
function isWanted(name: string, names: readonly string[]): boolean {
  if (!name.endsWith("*")) return names.includes(name);
  return names.some((each) => each.startsWith(name.slice(0, -1)));
}

function merged(target: JsonObject, keys: JsonObject): JsonObject {
  const { body } = target;
  const { body: more } = keys;
  const both: JsonValue | undefined = isObject(body) && isObject(more) ? { ...body, ...more } : (more ?? body);
  // A service takes one of both.
  if (isObject(both) && isObject(more) && more["max_completion_tokens"] !== undefined) delete both["max_tokens"];
  return { ...target, ...keys, ...(both !== undefined && { body: both }) };
}

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The deployments by their names; alike ones are one. */
class Deployments {
  readonly entries: JsonObject = {};
  readonly #limits: JsonObject;

  constructor({ concurrency, delay, timeout }: PromptfooRunning) {
    this.#limits = {
      ...(concurrency !== null && { concurrency: Math.min(10_000, Math.max(1, Math.floor(concurrency))) }),
      ...(delay !== null && { rate: rateOf(delay) }),
      ...(timeout !== null && { timeout: `${Math.ceil(timeout)}ms` }),
    };
  }

  nameOf({ service, deployment }: AskedProvider): string {
    const entry = { ...deployment, ...this.#limits };
    const text = JSON.stringify(entry);
    for (let i = 1; ; i++) {
      const name = i === 1 ? service : `${service}-${i}`;
      if (this.entries[name] === undefined) this.entries[name] = entry;
      if (JSON.stringify(this.entries[name]) === text) return name;
    }
  }
}

/** A pause between requests as the most of them in a time. */
const rateOf = (delayMs: number): string =>
  delayMs <= 60_000
    ? `${Math.max(1, Math.floor(60_000 / delayMs))}/m`
    : `${Math.max(1, Math.floor(3_600_000 / delayMs))}/h`;

/** Request fields of a provider that a judge has no use for. */
const notOfJudges = new Set([
  "tools",
  "tool_choice",
  "functions",
  "function_call",
  "response_format",
  "stream",
  "system_prompt",
  "parallel_tool_calls",
]);

function judgesOf(
  asked: WhoIsAsked,
  places: Deployments,
  { rubrics, reading, isStandIn }: PartsOptions & { isStandIn: boolean },
): Pick<AskedParts, "judges" | "judgeOf" | "hasStandInJudge"> {
  const judges: JsonObject = {};
  const byProvider = new Map<string, string>();
  const names = new Map<string, string>();
  let hasStandInJudge = false;
  const add = (entry: JsonObject): string => {
    const before = Object.keys(judges).filter((each) => each.startsWith("grader")).length;
    const name = `grader${before === 0 ? "" : `-${before + 1}`}`;
    judges[name] = entry;
    return name;
  };
  for (const { name, judge, by } of rubrics) {
    const key = JSON.stringify([by, judge?.value ?? null]);
    let found = byProvider.get(key);
    const embedder = by === "embeddings" ? embedderOf(judge, asked, reading) : null;
    if (embedder !== null && found === undefined) {
      judges["embedder"] = judgeEntry(embedder, places);
      found = "embedder";
      byProvider.set(key, found);
    }
    if (found === undefined) {
      const named = judge === null ? null : judgeOf(judge, reading);
      const judging = named ?? firstChat(asked);
      if (judge === null && judging !== null) {
        const way = `the file names no grader; ${judging.name} of its own providers judges. Write another model into \`judges\``;
        reading.left.note("who judges", way);
      }
      if (judging === null) {
        hasStandInJudge = true;
        const deployment = isStandIn ? "local" : "stand_in";
        places.entries[deployment] = { base_url: "local:./bots" };
        reading.left.note(
          "who judges",
          "no provider of the file can; one that counts shared words stands in. Write your own into `judges`",
        );
        found = add({ deployment, endpoint: "video-bots", example_id: standInJudge });
      } else found = add(judgeEntry(judging, places));
      byProvider.set(key, found);
    }
    names.set(name, found);
  }
  return { judges, judgeOf: (scorer) => names.get(scorer) ?? "grader", hasStandInJudge };
}

/** The model that makes promptfoo's embeddings where none is named. */
const usualEmbeddings = "text-embedding-3-large";

/** The provider that makes embeddings: the one that is named, else OpenAI's where one of its chats is asked; null: none. */
export function embedderOf(judge: Placed | null, asked: WhoIsAsked, reading: ProviderReading): AskedProvider | null {
  const named = judge === null ? null : judge.member("embedding");
  const id = named === null || typeof named.value === "string" ? named?.value : named.member("id").value;
  const [, model] = typeof id === "string" ? (/^openai:embeddings?:(.+)$/.exec(id) ?? []) : [];
  const providers = "providers" in asked ? asked.providers : [];
  const own = providers.find((each): each is AskedProvider => !("echo" in each) && each.service === "openai");
  const ofJudge = judge === null ? null : judgeOf(judge, { ...reading, left: new LeftOut() });
  const found = own ?? (ofJudge?.service === "openai" ? ofJudge : null);
  return found === null ? null : { ...found, target: { endpoint: "embeddings", model: model ?? usualEmbeddings } };
}

function firstChat(asked: WhoIsAsked): AskedProvider | null {
  if (!("providers" in asked)) return null;
  for (const provider of asked.providers) {
    if (!("echo" in provider) && provider.isChat) return provider;
  }
  return null;
}

function judgeEntry(provider: AskedProvider, places: Deployments): JsonObject {
  const { body, price, ...target } = provider.target;
  const kept = Object.entries(isObject(body) ? body : {}).filter(([field]) => !notOfJudges.has(field));
  return {
    deployment: places.nameOf(provider),
    ...target,
    ...(kept.length > 0 && { body: Object.fromEntries(kept) }),
    ...(price !== undefined && { price }),
  };
}
