import { createHash } from "node:crypto";
import { isJsonObject, type JsonValue } from "../lib/json.ts";

/** A file that a request holds. */
export type ReceivedFile = {
  /** Where in the body it stands: `input_images[0]`. */
  field: string;
  /** null: it was sent without one. */
  name: string | null;
  type: string;
  bytes: number;
  /** Hexadecimal. */
  sha256: string;
};

/** A file as the text that stands for it wherever an address can. */
export function dataUrl(bytes: Buffer, type: string, name: string): string {
  return `data:${type};name=${encodeURIComponent(name)};base64,${bytes.toString("base64")}`;
}

/** The files in a JSON value: data URLs, and sound as a chat has it. */
export function filesIn(value: JsonValue | undefined, field = ""): ReceivedFile[] {
  if (typeof value === "string") return fileOf(value, field);
  if (Array.isArray(value)) return value.flatMap((entry, index) => filesIn(entry, `${field}[${index}]`));
  if (!isJsonObject(value)) return [];
  const { data, format } = value;
  if (typeof data === "string" && typeof format === "string") return fileOf(soundUrl(data, format), field);
  return Object.entries(value).flatMap(([name, entry]) => filesIn(entry, field === "" ? name : `${field}.${name}`));
}

/** The sound of a chat's message as a data URL. */
export function soundUrl(data: string, format: string): string {
  return `data:audio/${format === "mp3" ? "mpeg" : format};base64,${data}`;
}

function fileOf(text: string, field: string): ReceivedFile[] {
  const [head] = /^data:[^,]{0,1000};base64,/.exec(text.slice(0, 1100)) ?? [];
  if (head === undefined) return [];
  const content = Buffer.from(text.slice(head.length), "base64");
  const [type = ""] = head.slice("data:".length).split(";");
  const sha256 = createHash("sha256").update(content).digest("hex");
  return [{ field, name: nameIn(head), type, bytes: content.length, sha256 }];
}

function nameIn(head: string): string | null {
  const [, name] = /;name=([^;,]*)[;,]/.exec(head) ?? [];
  try {
    return name === undefined ? null : decodeURIComponent(name);
  } catch {
    return name ?? null;
  }
}
