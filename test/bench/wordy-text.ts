import { seededRandom } from "../../src/lib/random.ts";

/** Makes texts of some words that compress like real ones: a large vocabulary in two scripts, some words often. */
export function wordyText(seed: string): (words: number) => string {
  const random = seededRandom(seed);
  const syllables = ["ka", "re", "ti", "mo", "शा", "कि", "मे", "बस", "كت", "اب", "دل", "un", "ver", "so", "lin", "a"];
  const pick = (): string => syllables[Math.floor(random() * syllables.length)] ?? "";
  const word = (): string => Array.from({ length: 1 + Math.floor(random() * 3) }, pick).join("");
  const vocabulary = Array.from({ length: 4000 }, word);
  return (words) =>
    Array.from({ length: words }, () => vocabulary[Math.floor(random() ** 3 * vocabulary.length)]).join(" ");
}
