import { z } from "zod";
import { messageEntry } from "./messages.ts";

/** The four spellings of "no value" are: absent, null, `[]` and `""`. */
const textList = z.array(z.string()).nullish();

const reference = z.looseObject({
  url: z.string(),
  title: z.string().nullish(),
  snippet: z.string().nullish(),
  score: z.number().nullish(),
});

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
