import type { MessageEntry } from "../../api/messages.ts";
import { guessLanguage } from "./guessed-language.ts";
import type { SearchQuery } from "./search.ts";
import { stopWords } from "./stop-words.ts";
import { wordsOf } from "./words.ts";

/** The words that a prompt asks for, together with the conversation before it. */
export interface BotQuestion {
  /** A guess; null when nothing tells. */
  language: string | null;
  query: SearchQuery;
  /** The turns that the query was made of, oldest first. */
  searchText: string;
}

/** Number of telling words below which a question leans on the turn before it. */
const enoughWords = 3;
/** Weight of a word of the turn before; one of the turn before that has half as much, and so on. */
const earlierWeight = 0.3;

const followUpStart =
  /^[¿¡\s]*(?:and|what about|how about|or|but|also|y|pero|qué tal|और|तो|लेकिन|و\s?|وماذا عن|ماذا عن|na|vipi kuhusu|je,? na|እና|ስለ)(?![\p{L}\p{M}])|^\s*و(?=\p{L})/iu;

/** Reads a prompt; `messages` is the conversation before it, oldest first. */
export function readQuestion(prompt: string, messages: MessageEntry[]): BotQuestion {
  const words = wordsOf(prompt);
  const language = guessLanguage(prompt, words) ?? earlierLanguage(messages);
  const content = contentWords(words, language);
  const query = new Map<string, number>(content.map((word) => [word, 1]));
  const short = content.length < enoughWords;
  const earlier =
    short && (content.length === 0 || words.length <= 4 || followUpStart.test(prompt)) ? userTurns(messages) : [];
  const used: string[] = [];
  let weight = earlierWeight;
  for (const turn of earlier.toReversed()) {
    const before = contentWords(wordsOf(turn), language);
    for (const word of before) if (!query.has(word)) query.set(word, weight);
    used.unshift(turn.trim());
    if (before.length >= enoughWords) break;
    weight /= 2;
  }
  return { language, query, searchText: [...used, prompt.trim()].join(" ") };
}

/** The words that say something; all words when none does. */
function contentWords(words: string[], language: string | null): string[] {
  const common = stopWords(language);
  return words.filter((word) => !common.has(word));
}

function earlierLanguage(messages: MessageEntry[]): string | null {
  const turn = userTurns(messages).at(-1);
  return turn === undefined ? null : guessLanguage(turn, wordsOf(turn));
}

function userTurns(messages: MessageEntry[]): string[] {
  return messages.filter((message) => message.role === "user").map(textOf);
}

/** The text of a message, with its text parts joined. */
export function textOf({ content }: MessageEntry): string {
  if (typeof content === "string") return content;
  return content
    .map((part) => (part.type === "text" && typeof part["text"] === "string" ? part["text"] : ""))
    .join(" ");
}
