import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import type { HttpAnswer } from "./http-answer.ts";
import { notFound } from "./refusal.ts";

const audioTypes: Record<string, string> = {
  ".wav": "audio/wav",
  ".mp3": "audio/mpeg",
  ".ogg": "audio/ogg",
  ".oga": "audio/ogg",
  ".opus": "audio/ogg",
  ".m4a": "audio/mp4",
  ".aac": "audio/aac",
  ".flac": "audio/flac",
  ".webm": "audio/webm",
};

/** The endings of the files that can be served. */
export const audioEndings = Object.keys(audioTypes);

/** True when a name is the address of a file elsewhere, which is handed out as it is. */
export function isAddress(name: string): boolean {
  return /^https?:\/\//.test(name);
}

/** True when the served directory has this file to serve. */
export function hasAudio(directory: string, name: string): boolean {
  return typeOf(name) !== null && existsSync(join(directory, "audio", name));
}

/** A file of the served directory's `audio/`, whole: with its type and length, without ranges. */
export async function audioFile(directory: string, name: string): Promise<HttpAnswer> {
  const type = typeOf(name);
  if (type === null) return notFound();
  try {
    const body = await readFile(join(directory, "audio", name));
    const headers = { "content-type": type, "accept-ranges": "none", "x-content-type-options": "nosniff" };
    return { status: 200, headers, body };
  } catch {
    return notFound();
  }
}

/** The type of a file by its name; null for what is no name of an audio file in that folder. */
function typeOf(name: string): string | null {
  if (name !== basename(name) || name.includes("\\") || name.startsWith(".")) return null;
  return audioTypes[extname(name).toLowerCase()] ?? null;
}
