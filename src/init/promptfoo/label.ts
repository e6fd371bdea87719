import { freeName } from "../../lib/free-name.ts";

const longest = 60;

/** A label as the name of a target or a file: of letters, digits and few marks, and none of the others. */
export function nameOfLabel(label: string, others: readonly { name: string }[]): string {
  const plain = label
    // Parts of an emoji would be left of it.
    .replaceAll(/\u200d|\ufe0f/g, "")
    .replaceAll(/[^\p{L}\p{M}\p{N}_.:=-]+/gu, "-")
    .replaceAll(/^[-.:=]+|[-.:=]+$/g, "")
    .slice(0, longest);
  return freeName(plain === "" ? "target" : plain, (name) => others.some((other) => other.name === name));
}
