import { isJsonObject, type JsonValue } from "../../lib/json.ts";
import { looseName } from "./column.ts";

/** Speakers as far as a conversation needs them; `other` is a tool, a function or a note. */
type Speaker = "user" | "assistant" | "system" | "other";

const names: [Speaker, string][] = [
  ["user", "user, human, customer, client, visitor, end user, you, person, guest, caller"],
  ["assistant", "assistant, bot, ai, agent, gpt, chatgpt, model, chatbot, ai assistant, support"],
  ["system", "system, developer"],
  ["other", "tool, function, note, event, internal, function call, tool call, tool result"],
];
const speakers = new Map(
  names.flatMap(([speaker, words]) => words.split(", ").map((word) => [word, speaker] as const)),
);

/** The speaker that a cell or member names; null when it is not known. */
export function speakerOf(role: string): Speaker | null {
  return speakers.get(looseName(role).replaceAll(/[_-]/g, " ")) ?? null;
}

/** A message, with whatever says where it stands. */
export interface Message<Place> {
  speaker: Speaker;
  text: string;
  place: Place;
}

/** One turn of a conversation: the texts of the user up to an answer, and the last answer to them. */
interface ChatTurn<Place> {
  prompt: string;
  /** Empty without an answer. */
  answer: string;
  /** The places of the first message of the user, and of the answer. */
  place: Place;
  answeredAt: Place | null;
}

/** A conversation as its turns. */
interface Chat<Place> {
  turns: ChatTurn<Place>[];
  /** JSON of the messages before the first of the user, such as those of the system; empty when there are none. */
  opening: string;
}

/**
 * The turns of a conversation. Messages of the user that follow each other are one prompt, each on a line of its own;
 * of several answers the last one counts. Blank messages and those of tools are passed over.
 */
export function turnsOfMessages<Place>(messages: readonly Message<Place>[]): Chat<Place> {
  const turns: ChatTurn<Place>[] = [];
  const opening: { role: Speaker; content: string }[] = [];
  let asking = false;
  for (const { speaker, text, place } of messages) {
    if (text.trim() === "" || speaker === "other") continue;
    const current = turns.at(-1);
    if (speaker === "user") {
      if (asking && current !== undefined) current.prompt += `\n${text}`;
      else turns.push({ prompt: text, answer: "", place, answeredAt: null });
      asking = true;
    } else if (current === undefined) opening.push({ role: speaker, content: text });
    else if (speaker === "assistant") {
      current.answer = text;
      current.answeredAt = place;
      asking = false;
    }
  }
  return { turns, opening: opening.length === 0 ? "" : JSON.stringify(opening) };
}

/**
 * The messages in a value such as `[{role: user, content: ...}]` `[{from: human, value: ...}]` or `[{type: human, content: ...}]`; null when it is none
 * of these, and a sentence when one of its messages cannot be read.
 */
export function messagesIn(value: JsonValue): Message<null>[] | string | null {
  if (!Array.isArray(value) || value.length === 0 || !value.every((entry) => isJsonObject(entry))) return null;
  const messages: Message<null>[] = [];
  for (const [i, entry] of value.entries()) {
    if (!isJsonObject(entry)) return null;
    const role = entry["role"] ?? entry["from"] ?? entry["type"];
    if (typeof role !== "string") return `has a message without a role: entry ${i + 1}`;
    const speaker = speakerOf(role);
    if (speaker === null) return `has a message of the role "${role}", which is not known: entry ${i + 1}`;
    messages.push({ speaker, text: textOf(entry["content"] ?? entry["value"] ?? null), place: null });
  }
  return messages;
}

/** The text of a message: its content, or the texts of its parts. */
function textOf(content: JsonValue): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  const texts = content.flatMap((part) => {
    const text = isJsonObject(part) ? part["text"] : part;
    return typeof text === "string" ? [text] : [];
  });
  return texts.join("\n");
}
