import type { Random } from "../../lib/random.ts";
import { bestSentences } from "./passage.ts";
import { openings } from "./phrases.ts";
import type { BotRequest } from "./bot-request.ts";
import type { Hit } from "./search.ts";

/** One answer out of the articles found: its text and which of them it is from. */
export interface BotText {
  text: string;
  /** Index into the hits. */
  source: number;
}

/**
 * Makes an answer of the best sentences of the best article. Above temperature 0 it may begin with a phrase, turn the
 * sentences round, tell one more or one less, or take the second-best article. Always draws five numbers.
 */
export function foundText(request: BotRequest, hits: Hit[], sentences: number, random: Random): BotText {
  const [open, phrase, turn, length, second] = [random(), random(), random(), random(), random()];
  const heat = Math.min(1, request.temperature);
  const source = second < 0.1 * request.temperature && hits.length > 1 ? 1 : 0;
  const hit = hits[source];
  if (hit === undefined) return { text: "", source };
  const more = length < 0.15 * heat ? -1 : length > 1 - 0.15 * heat ? 1 : 0;
  const told = bestSentences(hit, request.prompt, Math.max(1, sentences + more));
  const ordered = turn < 0.4 * heat ? told.toReversed() : told;
  const choices = openings[hit.article.article.language ?? "en"] ?? openings["en"] ?? [];
  const opening = open < 0.8 * heat ? (choices[Math.floor(phrase * choices.length)] ?? "") : "";
  return { text: [opening, ...ordered].filter((part) => part !== "").join(" "), source };
}
