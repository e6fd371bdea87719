import type { MessageEntry } from "../../api/messages.ts";
import type { VideoBotsBody } from "../../api/video-bots-schema.ts";
import { type JsonObject, isJsonObject } from "../../lib/json.ts";
import { filesIn } from "../data-url.ts";
import type { BotSettings } from "./bot-settings.ts";

/** A merged request with every setting that it may replace. */
export interface BotRequest {
  prompt: string;
  /** The files that came with it, in words; empty where there is none. */
  received: string;
  messages: MessageEntry[];
  variables: JsonObject;
  script: string;
  model: string | null;
  userLanguage: string | null;
  temperature: number;
  outputs: number;
  maxReferences: number;
}

/**
 * Reads a merged request; null when it is blank: no prompt, audio, image or document. The saved values are in it
 * already: a field that is null was set to nothing by the caller.
 */
export function readRequest(body: VideoBotsBody, settings: BotSettings): BotRequest | null {
  const audio = body.input_audio ?? "";
  const media = audio !== "" || (body.input_images ?? []).length > 0 || (body.input_documents ?? []).length > 0;
  const typed = body.input_prompt ?? "";
  if (typed.trim() === "" && !media) return null;
  return {
    prompt: typed,
    received: receivedText(body),
    messages: body.messages ?? [],
    variables: isJsonObject(body.variables) ? body.variables : {},
    script: body.bot_script ?? "",
    model: body.selected_model ?? null,
    userLanguage: body.user_language ?? null,
    temperature: Math.max(0, body.sampling_temperature ?? 0),
    outputs: Math.min(16, Math.max(1, body.num_outputs ?? 1)),
    maxReferences: Math.max(0, body.max_references ?? settings.retrieval.max_references),
  };
}

/** `Received: image/png of 68 bytes.` */
function receivedText({ input_images: images, input_audio: audio, input_documents: documents }: VideoBotsBody): string {
  const files = filesIn([...(images ?? []), audio ?? "", ...(documents ?? [])]);
  const texts = files.map(({ type, bytes }) => `${type} of ${bytes} bytes`);
  return texts.length === 0 ? "" : `Received: ${texts.join(", ")}.`;
}
