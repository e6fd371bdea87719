import { isJsonObject, type JsonObject, type JsonValue } from "../../lib/json.ts";
import { fileNameOf } from "../files/case-file.ts";
import { usualFileFault } from "../files/file-fault.ts";
import { asBase64, type FileMarks } from "../files/file-marks.ts";
import { type FieldKind, requestFields } from "../request-fields.ts";
import { imageParts, saidContent } from "../said-content.ts";

/** The fields of a case that become messages. */
const saidFields = ["system_prompt", "messages", "input_prompt", "input_images"] as const;

/** The fields of a chat's request that columns of the same name fill. */
export const chatFields: ReadonlyMap<string, FieldKind> = new Map<string, FieldKind>([
  ["input_prompt", "text"],
  ["messages", "messages"],
  ["system_prompt", "text"],
  ["input_images", "list"],
  ["temperature", "number"],
  ["top_p", "number"],
  ["max_tokens", "number"],
  ["max_completion_tokens", "number"],
  ["seed", "number"],
  ["tools", "json"],
  ["response_format", "json"],
]);

/** True for a field that the service knows and a chat does not: a case that goes to both leaves it out here. */
export function isServiceField(field: string): boolean {
  const [name = ""] = field.split(".");
  return requestFields.has(name) && !chatFields.has(name);
}

/** Formats of sound that a chat takes, by their media types. */
const soundFormats: ReadonlyMap<string, string> = new Map([
  ["audio/wav", "wav"],
  ["audio/mpeg", "mp3"],
]);

/** True for a field that a chat takes as a file and not as an address. */
export const isSaidAsFile = (field: string): boolean => field === "input_audio" || field === "input_documents";

/** The reason why a file, or an address (null), cannot stand in a field of a chat. */
export function chatFileFault(field: string, type: string | null): string | null {
  if (type === null) return isSaidAsFile(field) ? "is an address, and a chat takes it as a file only" : null;
  if (field === "input_audio" && !soundFormats.has(type)) return `is ${type}, and a chat takes sound as WAV or MP3`;
  return usualFileFault(field, type);
}

/** The body of a chat's request: what a case says becomes messages, what a chat does not know is left out, the rest stays. */
export function chatBody(input: JsonObject, { model, files }: { model: string; files: FileMarks }): JsonObject {
  const rest = Object.entries(input).filter(
    ([name]) => !saidFields.some((field) => field === name) && !isServiceField(name),
  );
  return { ...Object.fromEntries(rest), model, messages: messagesOf(input, files) };
}

function messagesOf(input: JsonObject, files: FileMarks): JsonValue[] {
  const { system_prompt: system, messages } = input;
  const before = Array.isArray(messages) ? messages : [];
  const said = chatContent(input, files);
  const hasSystem = before.some((entry) => isJsonObject(entry) && entry["role"] === "system");
  return [
    // A conversation carries its own from turn to turn.
    ...(typeof system === "string" && system.trim() !== "" && !hasSystem ? [{ role: "system", content: system }] : []),
    ...before,
    ...(said === null ? [] : [{ role: "user", content: said }]),
  ];
}

/** The content of what the user says in a case; null: nothing, the history ends with it. */
export function chatContent(input: JsonObject, files: FileMarks): JsonValue | null {
  return saidContent(input["input_prompt"], shownParts(input, files));
}

/** Images by their addresses or as files, sound and documents as files. */
function shownParts(input: JsonObject, files: FileMarks): JsonValue[] {
  const { input_images: images, input_audio: audio, input_documents: documents } = input;
  const sound = files.fileOf(audio);
  return [
    ...imageParts(images),
    ...(audio === undefined || sound === null
      ? []
      : [{ type: "input_audio", input_audio: { data: asBase64(audio), format: soundFormats.get(sound.type) ?? "" } }]),
    ...(Array.isArray(documents) ? documents : []).flatMap((mark): JsonValue[] => {
      const file = files.fileOf(mark);
      return file === null ? [] : [{ type: "file", file: { filename: fileNameOf(file), file_data: mark } }];
    }),
  ];
}
