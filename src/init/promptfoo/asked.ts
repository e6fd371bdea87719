import { standInBot, standInJudge } from "../../suite/stand-in.ts";
import { isJsonObject, type JsonObject } from "../../lib/json.ts";
import type { OwnBot } from "../conversion.ts";
import { neededIn } from "../../suite/environment.ts";
import type { AskedProvider, ProviderReading } from "./provider.ts";
import { judgeOf } from "./providers.ts";
import { LeftOut } from "./left-out.ts";
import type { Placed } from "./place.ts";
import type { RubricScorer } from "./rows.ts";
import type { UsablePrompt } from "./prompts.ts";
import type { PromptfooRunning } from "./config.ts";

/** The providers that are asked: those of the file, or the bot that stands beside it. */
export interface WhoIsAsked {
  providers: readonly AskedProvider[];
  /** Deployments that the targets of a bot name. */
  deployments: JsonObject;
  /** No provider of the file can be asked: a bot stands in. */
  isStandIn: boolean;
}

/** The targets of a bot as providers. */
export function providersOfBot({ deployments, targets }: OwnBot): WhoIsAsked {
  const providers = Object.entries(targets).map(([name, target]): AskedProvider => {
    const own = isJsonObject(target) ? target : {};
    return {
      name,
      kind: "described",
      service: name,
      deployment: null,
      target: own,
      prompts: null,
      variables: [],
      transform: null,
    };
  });
  return { providers, deployments, isStandIn: false };
}

const local = { base_url: "local:./bots" };

/** The bot that stands in where no provider of the file can be asked. */
export const standInBots: WhoIsAsked = {
  ...providersOfBot({
    deployments: { local },
    targets: { [standInBot]: { deployment: "local", endpoint: "video-bots", example_id: standInBot } },
  }),
  isStandIn: true,
};

/** The parts of a suite that say who is asked and who judges. */
export interface AskedParts {
  deployments: JsonObject;
  targets: JsonObject;
  judges: JsonObject;
  /** Judges by the names of the scorers that ask them. */
  judgeOf: ReadonlyMap<string, string>;
  /** The variables that it needs: keys, and others of addresses and headers. */
  keys: string[];
  /** A judge of this machine is asked. */
  hasStandInJudge: boolean;
}

interface PartsOptions {
  prompts: readonly UsablePrompt[];
  /** Columns with the answers of an echo, by the names of prompts. */
  echoes: ReadonlyMap<string, string>;
  /** Makes the keys of a target with a prompt. */
  promptKeys: (prompt: UsablePrompt, provider: AskedProvider) => JsonObject | null;
  rubrics: readonly RubricScorer[];
  running: PromptfooRunning;
  /** The column with answers that every test brings; null: they are asked for. */
  stored: string | null;
  reading: ProviderReading;
}

/** Writes deployments, targets and judges. */
export function askedParts(asked: WhoIsAsked, options: PartsOptions): AskedParts {
  const { stored, reading } = options;
  const places = new Deployments(stored === null ? asked.deployments : {}, options.running);
  const targets = stored === null ? targetsOf(asked.providers, places, options) : { stored: { answers: stored } };
  if (stored !== null && !asked.isStandIn)
    reading.left.note("its providers", "every test brings its answer, so that none is asked");
  const judged = judgesOf(asked, places, options);
  const keys = variablesOf({ deployments: places.entries, targets, judges: judged.judges });
  return { deployments: places.entries, targets, keys, ...judged };
}

const membersOf = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});

/** The variables without which these parts cannot be run: keys of deployments, and what their addresses and headers name. */
function variablesOf({
  deployments,
  targets,
  judges,
}: Pick<AskedParts, "deployments" | "targets" | "judges">): string[] {
  const keys = Object.values(deployments).flatMap((entry) => {
    const { api_key_env: key } = membersOf(entry);
    return typeof key === "string" ? [key] : [];
  });
  const entries = Object.values({ ...targets, ...judges });
  const headers = entries.map((entry) => membersOf(membersOf(entry)["endpoint"])["headers"] ?? null);
  return [...new Set([...keys, ...neededIn(JSON.stringify([deployments, headers]))])];
}

function targetsOf(
  providers: WhoIsAsked["providers"],
  places: Deployments,
  { prompts, echoes, promptKeys, reading }: PartsOptions,
): JsonObject {
  const targets: JsonObject = {};
  for (const provider of providers) {
    const wanted = provider.prompts;
    const own = prompts.filter(({ source }) => wanted?.some((name) => source.names.includes(name)) ?? true);
    if (own.length === 0)
      reading.left.note(`the provider ${provider.name}`, "none of the prompts that it is asked with is in the suite");
    for (const prompt of own) {
      // A target is named by what differs.
      const both = providers.length === 1 ? prompt.name : `${provider.name}:${prompt.name}`;
      const name = prompts.length === 1 ? provider.name : both;
      if (provider.kind === "echo") {
        targets[name] = { answers: echoes.get(prompt.name) ?? "" };
        continue;
      }
      const keys = promptKeys(prompt, provider);
      if (keys !== null) targets[name] = { ...places.keyOf(provider), ...merged(provider.target, keys) };
    }
  }
  return targets;
}

function merged(target: JsonObject, keys: JsonObject): JsonObject {
  const [own, more] = [membersOf(target["body"]), membersOf(keys["body"])];
  const body: JsonObject = { ...own, ...more };
  // A service takes one of both.
  if (more["max_completion_tokens"] !== undefined) delete body["max_tokens"];
  return { ...target, ...keys, ...(Object.keys(body).length > 0 && { body }) };
}

/** The deployments by their names; alike ones are one. */
class Deployments {
  readonly entries: JsonObject;
  readonly #limits: JsonObject;

  constructor(entries: JsonObject, { concurrency, delay, timeout }: PromptfooRunning) {
    this.entries = { ...entries };
    this.#limits = {
      ...(concurrency !== null && { concurrency: Math.min(10_000, Math.max(1, Math.floor(concurrency))) }),
      ...(delay !== null && { rate: rateOf(delay) }),
      ...(timeout !== null && { timeout: `${Math.ceil(timeout)}ms` }),
    };
  }

  /** The key of a target that names its deployment; none where it has one already. */
  keyOf({ service, deployment }: AskedProvider): JsonObject {
    if (deployment === null) return {};
    const entry = { ...deployment, ...this.#limits };
    const text = JSON.stringify(entry);
    for (let i = 1; ; i++) {
      const name = i === 1 ? service : `${service}-${i}`;
      if (this.entries[name] === undefined) this.entries[name] = entry;
      if (JSON.stringify(this.entries[name]) === text) return { deployment: name };
    }
  }
}

/** A pause between requests as the most of them in a time. */
const rateOf = (delayMs: number): string =>
  delayMs <= 60_000
    ? `${Math.max(1, Math.floor(60_000 / delayMs))}/m`
    : `${Math.max(1, Math.floor(3_600_000 / delayMs))}/h`;

function judgesOf(
  asked: WhoIsAsked,
  places: Deployments,
  { rubrics, reading }: PartsOptions,
): Pick<AskedParts, "judges" | "judgeOf" | "hasStandInJudge"> {
  const { left } = reading;
  const judges: JsonObject = {};
  const byProvider = new Map<string, string>();
  const names = new Map<string, string>();
  let hasStandInJudge = false;
  for (const { name, judge, by } of rubrics) {
    const key = JSON.stringify([by, judge?.value ?? null]);
    const known = byProvider.get(key);
    const word = by === "embeddings" ? "embedder" : "grader";
    const before = Object.keys(judges).filter((each) => each.startsWith(word)).length;
    const made = known ?? `${word}${before === 0 ? "" : `-${before + 1}`}`;
    names.set(name, made);
    byProvider.set(key, made);
    if (known !== undefined) continue;
    const named = judge === null ? null : judgeOf(judge, reading);
    const judging = by === "embeddings" ? embedderOf(judge, asked, reading) : (named ?? firstChat(asked));
    if (judging !== null) {
      judges[made] = judgeEntry(judging, places);
      if (judge === null && by === "judge")
        left.note("who judges", `the file names no grader; ${judging.name} of its own providers judges. ${writeJudge}`);
      continue;
    }
    hasStandInJudge = true;
    const deployment = asked.isStandIn ? "local" : "stand_in";
    places.entries[deployment] = local;
    left.note("who judges", `no provider of the file can; one that counts shared words stands in. ${writeOwnJudge}`);
    judges[made] = { deployment, endpoint: "video-bots", example_id: standInJudge };
  }
  return { judges, judgeOf: names, hasStandInJudge };
}

const writeJudge = "Write another model into `judges`";
const writeOwnJudge = "Write your own into `judges`";

/** The model that makes promptfoo's embeddings where none is named. */
const usualEmbeddings = "text-embedding-3-large";

/** The provider that makes embeddings: OpenAI's, where one of its chats is asked or judges. */
export function embedderOf(judge: Placed | null, asked: WhoIsAsked, reading: ProviderReading): AskedProvider | null {
  const ofJudge = judge === null ? null : judgeOf(judge, { ...reading, left: new LeftOut() });
  const found = [...asked.providers, ...(ofJudge === null ? [] : [ofJudge])].find(
    ({ service }) => service === "openai",
  );
  return found === undefined ? null : { ...found, target: { endpoint: "embeddings", model: usualEmbeddings } };
}

const firstChat = ({ providers }: WhoIsAsked): AskedProvider | null =>
  providers.find(({ kind }) => kind === "chat") ?? null;

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

function judgeEntry(provider: AskedProvider, places: Deployments): JsonObject {
  const { body, ...target } = provider.target;
  const kept = Object.entries(membersOf(body)).filter(([field]) => !notOfJudges.has(field));
  return {
    ...places.keyOf(provider),
    ...target,
    ...(kept.length > 0 && { body: Object.fromEntries(kept) }),
  };
}
