import type { BotSettings } from "./bot-settings.ts";

/** One answer in the forms in which the output carries it. */
export interface ShapedAnswer {
  /** The answer for a reader: with citations as configured, thoughts and buttons. */
  shown: string;
  /** The answer as the bot said it, before post-processing. */
  raw: string;
  /** The answer for speech: without marks. */
  spoken: string;
  finish: "stop" | "length";
}

export interface Marks {
  citations: BotSettings["citations"];
  /** The number of the reference, from 1; null without one. */
  reference: number | null;
  /** The bot's thoughts; null when it does not tell them. */
  thought: string | null;
  buttons: string[];
  /** Text heard in the audio; it stands before the answer. */
  transcript: string | null;
  maxChars: number | null;
}

/** Adds the marks to the plain text of an answer, cut to the length allowed. */
export function shapeAnswer(text: string, marks: Marks): ShapedAnswer {
  const spoken = marks.maxChars === null ? text : firstCharacters(text, marks.maxChars);
  const isCut = spoken.length < text.length;
  const cites = marks.citations !== "none" && marks.reference !== null && !isCut;
  const thought = marks.thought === null ? "" : `<think>\n${marks.thought}\n</think>\n\n`;
  const heard = marks.transcript === null || marks.transcript === "" ? "" : `🎧: "${marks.transcript}"\n\n`;
  const citation = `[${marks.reference}]`;
  const raw = `${thought}${spoken}${cites ? ` ${citation}` : ""}`;
  const mark = !cites ? "" : marks.citations === "sup" ? ` <sup>${citation}</sup>` : ` ${citation}`;
  const buttons = marks.buttons.map((title) => ` <button gui-target="input_prompt">${escapeHtml(title)}</button>`);
  return {
    shown: `${thought}${heard}${spoken}${mark}${buttons.join("")}`,
    raw,
    spoken,
    finish: isCut ? "length" : "stop",
  };
}

const graphemes = new Intl.Segmenter("und", { granularity: "grapheme" });

/** The first `max` characters as a reader counts them, so that no letter is cut from its marks. */
function firstCharacters(text: string, max: number): string {
  if (text.length <= max) return text;
  let count = 0;
  for (const { index } of graphemes.segment(text)) {
    if (count === max) return text.slice(0, index);
    count += 1;
  }
  return text;
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
