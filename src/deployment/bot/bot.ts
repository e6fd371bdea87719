import type { VideoBotsBody } from "../../api/video-bots-schema.ts";
import type { JsonValue } from "../../lib/json.ts";
import type { Random } from "../../lib/random.ts";
import { guardedPattern } from "../../text/pattern.ts";
import { loadKnowledge } from "./knowledge.ts";
import { drawLatency } from "./drawn-latency.ts";
import { openLibrary } from "./article-library.ts";
import { type Reply, replier } from "./reply.ts";
import { textOf } from "./question.ts";
import { type BotRequest, readRequest } from "./bot-request.ts";
import { type BotSettings, savedRequest } from "./bot-settings.ts";
import { runStreams } from "./streams.ts";
import { parseTemplate } from "./filled-template.ts";

/** A loaded bot: settings, articles and templates, ready to answer. */
export interface Bot {
  /** The saved settings that a request is merged over. */
  saved: VideoBotsBody;
  /** The stream of random numbers for the next run of this request: seeded, and another one for every run. */
  randomOf(request: VideoBotsBody): Random;
  /** Answers a merged request. Everything random is drawn from `random`. */
  answer(request: VideoBotsBody, random: Random): Promise<BotAnswer>;
}

export interface BotAnswer {
  /** The 14 members of `videoBotsOutput` in order. */
  output: BotOutput;
  /** Time that the run should take. */
  latencyMs: number;
  /** The error text of a run that fails (an unknown model, a broken template in the request); null otherwise. */
  error: string | null;
}

type BotOutput = Record<
  | "final_prompt"
  | "output_text"
  | "output_audio"
  | "output_video"
  | "raw_input_text"
  | "raw_tts_text"
  | "raw_output_text"
  | "references"
  | "final_search_query"
  | "final_keyword_query"
  | "output_documents"
  | "reply_buttons"
  | "finish_reason"
  | "metrics",
  JsonValue
>;

const noOutput: BotOutput = {
  final_prompt: null,
  output_text: null,
  output_audio: null,
  output_video: null,
  raw_input_text: null,
  raw_tts_text: null,
  raw_output_text: null,
  references: null,
  final_search_query: null,
  final_keyword_query: null,
  output_documents: null,
  reply_buttons: null,
  finish_reason: null,
  metrics: null,
};

/** Reads the knowledge of a bot (paths are relative to `folder`, the served directory) and makes it ready to answer. */
export async function loadBot(settings: BotSettings, folder: string): Promise<Bot> {
  const articles = await loadKnowledge(settings.knowledge, settings.exclude, folder);
  const reply = replier(settings, openLibrary(articles, settings.retrieval));
  const written = Object.entries(settings.answers).map(([source, output]) => ({
    pattern: guardedPattern(source, "i"),
    output,
  }));
  const streamOf = runStreams(settings.seed);
  return {
    saved: savedRequest(settings),
    randomOf: (request) => streamOf(JSON.stringify([request.input_prompt, request.messages, request.variables])),
    async answer(body, random) {
      const latencyMs = drawLatency(settings.latency, random);
      const request = readRequest(body, settings);
      if (request === null) return { output: { ...noOutput }, latencyMs, error: null };
      const error = mistakeIn(request, settings);
      if (error !== null) return { output: { ...noOutput }, latencyMs, error };
      const found = written.find(({ pattern }) => typeof pattern.find(request.prompt) === "string");
      if (found !== undefined) return { output: { ...noOutput, ...found.output }, latencyMs, error: null };
      try {
        return { output: outputOf(request, reply(request, random), settings), latencyMs, error: null };
      } catch (cause) {
        const text = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
        return { output: { ...noOutput }, latencyMs, error: text };
      }
    },
  };
}

/** A mistake of the caller that only the run itself finds. */
function mistakeIn({ model }: BotRequest, { models }: BotSettings): string | null {
  if (model === null || models === null || models.includes(model)) return null;
  return `Model ${model} not found. Should be one of: ${models.join(", ")}`;
}

function outputOf(request: BotRequest, reply: Reply, settings: BotSettings): BotOutput {
  const { answers, question } = reply;
  return {
    ...noOutput,
    final_prompt: settings.show_prompt ? conversation(request) : null,
    output_text: answers,
    raw_input_text: request.prompt,
    raw_output_text: answers,
    references: question === null ? null : reply.references.map((reference) => ({ ...reference })),
    final_search_query: question?.searchText ?? null,
    final_keyword_query: question === null ? null : [...question.query.keys()],
    finish_reason: answers.map(() => "stop"),
    metrics: metricsOf(request, reply),
  };
}

/** The conversation as the bot saw it: its script with the variables filled in, the history, the prompt. */
function conversation(request: BotRequest): JsonValue {
  const script = parseTemplate(request.script)(request.variables);
  const system = script === "" ? [] : [{ role: "system", content: script }];
  const history = request.messages.map((message) => ({ role: message.role, content: textOf(message) }));
  return [...system, ...history, { role: "user", content: request.prompt }];
}

function metricsOf(request: BotRequest, reply: Reply): JsonValue {
  return {
    prompt_chars: request.prompt.length,
    output_chars: reply.answers.reduce((sum, answer) => sum + answer.length, 0),
    references: reply.references.length,
  };
}
