import { z } from "zod";

/**
 * The HTTP API as schemas. The client and the local deployment share this file and nothing else.
 * Objects are open: members that are not named here are kept.
 */

export const endpoints = ["video-bots", "functions"] as const;

/** The last part of the path `/v2/{endpoint}`. */
export type Endpoint = (typeof endpoints)[number];

/** One part of a message's content. */
const messagePart = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("text"), text: z.string() }),
  z.looseObject({ type: z.literal("image_url"), image_url: z.looseObject({ url: z.string() }) }),
  z.looseObject({ type: z.literal("input_audio") }),
]);

/** One entry of a conversation's history. */
export const messageEntry = z.looseObject({
  role: z.enum(["user", "assistant", "system", "tool"]),
  content: z.union([z.string(), z.array(messagePart)]),
});
export type MessageEntry = z.infer<typeof messageEntry>;

/** Body of `POST /v2/video-bots`: what is present replaces the saved value, `variables` merge key by key. */
export const videoBotsBody = z.looseObject({
  input_prompt: z.string().nullish(),
  messages: z.array(messageEntry).nullish(),
  input_audio: z.string().nullish(),
  input_images: z.array(z.string()).nullish(),
  input_documents: z.array(z.string()).nullish(),
  variables: z.record(z.string(), z.json()).nullish(),
  bot_script: z.string().nullish(),
  selected_model: z.string().nullish(),
  documents: z.array(z.string()).nullish(),
  user_language: z.string().nullish(),
  sampling_temperature: z.number().nullish(),
  num_outputs: z.number().int().nullish(),
  max_references: z.number().int().nullish(),
});
export type VideoBotsBody = z.infer<typeof videoBotsBody>;

/** Body of `POST /v2/functions`: values reach the function through `variables` or by name. */
export const functionsBody = z.looseObject({
  variables: z.record(z.string(), z.json()).nullish(),
});

/** The four spellings of "no value" are: absent, null, `[]` and `""`. */
const textList = z.array(z.string()).nullish();

const reference = z.looseObject({
  url: z.string(),
  title: z.string().nullish(),
  snippet: z.string().nullish(),
  score: z.number().nullish(),
});

/** Output of a conversational bot: 14 known members, 13 on a deployment without `metrics`, an open set. */
export const videoBotsOutput = z.looseObject({
  final_prompt: z.union([z.string(), z.array(z.looseObject({}))]).nullish(),
  output_text: textList,
  output_audio: textList,
  output_video: textList,
  raw_input_text: z.string().nullish(),
  raw_tts_text: textList,
  raw_output_text: textList,
  references: z.array(reference).nullish(),
  final_search_query: z.string().nullish(),
  final_keyword_query: z.union([z.string(), z.array(z.string())]).nullish(),
  output_documents: textList,
  reply_buttons: z.array(z.looseObject({ id: z.string(), title: z.string() })).nullish(),
  finish_reason: textList,
  metrics: z.looseObject({}).nullish(),
});

/** The 14 known members in the order in which the service writes them; an older deployment leaves out the last. */
export const videoBotsMembers = Object.keys(videoBotsOutput.shape);

/** The members of a bot's output of which at least one has a value when the bot replied. */
export const replyMembers = [
  "output_text",
  "output_audio",
  "output_video",
  "output_documents",
  "raw_output_text",
] as const;

const logEntry = z.looseObject({
  level: z.enum(["log", "warn", "error", "info", "debug", "trace"]),
  message: z.string(),
});
export type LogEntry = z.infer<typeof logEntry>;

/** Output of a function: its return value of any type, an error slot and what it logged. */
export const functionsOutput = z.looseObject({
  return_value: z.json().optional(),
  error: z.json().optional(),
  logs: z.array(logEntry).nullish(),
});
export type FunctionsOutput = z.infer<typeof functionsOutput>;

/** The record that every successful run answers. `id` may be absent; it is then the `run_id` of `url`. */
export const runRecord = z.looseObject({
  id: z.string().nullish(),
  url: z.string().nullish(),
  created_at: z.string().nullish(),
  output: z.looseObject({}),
});

/** `{detail:{id?,url?,created_at?,error}}`: an error that may belong to a run. */
export const errorWithRun = z.looseObject({
  detail: z.looseObject({
    id: z.string().nullish(),
    url: z.string().nullish(),
    created_at: z.string().nullish(),
    error: z.json().optional(),
  }),
});

/** `{detail:[{type,loc,msg,input}]}`: a body that does not fit the schema. */
export const validationError = z.looseObject({
  detail: z.array(
    z.looseObject({
      type: z.string(),
      loc: z.array(z.union([z.string(), z.number()])),
      msg: z.string(),
      input: z.json().optional(),
    }),
  ),
});

/** `{detail: "..."}`: an error that is only text (404, 405, an unhandled 500). */
export const errorText = z.looseObject({ detail: z.string() });

/** The path of an endpoint below a base URL, with its `example_id`. */
export function endpointPath(endpoint: Endpoint, exampleId: string): string {
  return `/v2/${endpoint}?example_id=${encodeURIComponent(exampleId)}`;
}

/** The run id in the query of a run's page (`.../?run_id=ID&uid=UID`), or null. */
export function runIdOfUrl(url: string): string | null {
  return /[?&]run_id=([^&#\s"]+)/.exec(url)?.[1] ?? null;
}
