import { normalise } from "./normalise.ts";

/**
 * The words of a bot, normalised and without the marks around them: `<think>` blocks, the transcript of the audio,
 * `<button>` elements and citation marks (which stay in an answer that is JSON). Every step takes time in proportion to
 * the length of the text.
 */
export function cleanAnswer(text: string): string {
  const known = lately.find((each) => each.text === text);
  if (known !== undefined) return known.cleaned;
  const cleaned = withoutMarks(text);
  lately[next] = { text, cleaned };
  next = (next + 1) % mostLately;
  return cleaned;
}

/** The texts of one case are asked for several times: for what is expected in them, and for their distances. */
const lately: { text: string; cleaned: string }[] = [];
const mostLately = 8;
let next = 0;

function withoutMarks(text: string): string {
  const spoken = withoutTranscript(withoutElement(text, "think").trimStart());
  const squeezed = normalise(withoutElement(spoken, "button"));
  return squeezed.includes("[") && !isJson(squeezed) ? squeezed.replaceAll(citation, "").trim() : squeezed;
}

/** True for an answer that is JSON: there `[1, 2]` is a list; `[1]` by itself is a citation. */
function isJson(text: string): boolean {
  if (!/^[[{].*[\]}]$/su.test(text) || /^\[\d+\]$/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** ` [1]`, `[1, 2]`, `<sup>[1]</sup>` and `[1](https://...)`; a superscript without brackets may be a power. */
const citation =
  / ?(?:<sup> ?)?\[\d{1,3}(?:(?:, ?|; ?|[-\u2013])\d{1,3}){0,20}\](?:\(https?:\/\/[^\s()]{1,2000}\))?(?: ?<\/sup>)?/giu;

/** Removes every element of a name with its content; one that is not closed stays. */
function withoutElement(text: string, name: string): string {
  if (!text.includes("</")) return text;
  const searched = inLowerCase(text);
  const open = `<${name}`;
  const close = `</${name}>`;
  let kept = "";
  let from = 0;
  for (;;) {
    const start = searched.indexOf(open, from);
    if (start === -1) break;
    const end = searched.indexOf(close, start);
    if (end === -1) break;
    const isElement = /^[\s>]/.test(searched.charAt(start + open.length));
    kept += isElement ? text.slice(from, start) : text.slice(from, end + close.length);
    from = end + close.length;
  }
  return from === 0 ? text : kept + text.slice(from);
}

/** A text in small letters with every character at its place: one that would change its length stays as it is. */
function inLowerCase(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text;
}

/** A reply without what its writer only thought: `<think>` and `<thinking>` blocks; one that is not closed has no reply after it. */
export function withoutThoughts(text: string): string {
  const searched = inLowerCase(text);
  let kept = "";
  let from = 0;
  for (;;) {
    const start = searched.indexOf("<think", from);
    if (start === -1) return kept + text.slice(from);
    kept += text.slice(from, start);
    const tag = searched.startsWith("<thinking", start) ? "</thinking>" : "</think>";
    const end = searched.indexOf(tag, start);
    if (end === -1) return kept;
    from = end + tag.length;
  }
}

/** Removes what was heard in an audio file: a first paragraph that begins with an ear or headphones. */
function withoutTranscript(text: string): string {
  if (!/^(?:\u{1f3a7}|\u{1f442})/u.test(text)) return text;
  const blank = /\r?\n\r?\n/.exec(text);
  return blank === null ? text : text.slice(blank.index);
}
