import { hash } from "node:crypto";

/** The first `characters` (at most 64) hexadecimal digits of the SHA-256 of a text. */
export function hashText(text: string, characters = 64): string {
  return hash("sha256", text, "hex").slice(0, characters);
}
