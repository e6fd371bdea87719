import type { JsonObject } from "../../lib/json.ts";
import { textIn } from "./guessed-language.ts";
import { tones } from "./phrases.ts";
import type { BotSettings, TextByLanguage } from "./bot-settings.ts";
import { type Filled, parseTemplate } from "./filled-template.ts";

/** Says an answer in a tone: what stands before and after it, in a language, filled with variables. */
export type Tone = (text: string, language: string | null, variables: JsonObject) => string;

/** Parses the templates of a configured tone; without one, the script of each request decides by `toneOfScript`. */
export function parseTone(tone: NonNullable<BotSettings["tone"]>): Tone {
  const { prefix, suffix } = typeof tone === "string" ? tones[tone] : tone;
  const before = parseTexts(prefix);
  const after = parseTexts(suffix);
  return (text, language, variables) =>
    [before(language)(variables), text, after(language)(variables)].filter((part) => part !== "").join(" ");
}

/** The tone that the instructions of a bot ask for, by the words formal and friendly. */
export function toneOfScript(script: string): "plain" | "formal" | "friendly" {
  if (/\bformal(?:ly)?\b/i.test(script)) return "formal";
  return /\bfriendly\b/i.test(script) ? "friendly" : "plain";
}

function parseTexts(texts: TextByLanguage): (language: string | null) => Filled {
  const all = typeof texts === "string" ? [texts] : Object.values(texts);
  const parsed = new Map(all.map((text) => [text, parseTemplate(text)]));
  return (language) => parsed.get(textIn(texts, language)) ?? (() => "");
}
