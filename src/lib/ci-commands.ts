import { escapedControls } from "./json.ts";

/** Beginnings of commands that a CI obeys anywhere in a line: `##[...]`, `##vso[...]`, `##teamcity[...]`. */
const anywhere = /##(?=[a-z-]{0,40}\[)/gi;

/** Beginnings of `::command::`, which GitHub obeys as the first thing of a line, after blanks and colours. */
const first = /((?:^|[\r\n])(?:\p{Cc}\[[0-9;]*m|[^\u0021-\u007e\r\n])*)::(?=[a-z])/giu;

/** The whole of a printed text in which no CI finds a command; JSON keeps its meaning, and has no control in it. */
export function withoutCommands(printed: string): string {
  const text = /^\s*[{[]/.test(printed) ? escapedControls(printed) : printed;
  if (!text.includes("##") && !text.includes("::")) return text;
  return defused(text, /^\s*[{[]/.test(text));
}

function defused(text: string, isJson: boolean): string {
  return text.replaceAll(anywhere, isJson ? "#\\u0023" : "# #").replaceAll(first, "$1: :");
}

/** The same for a text that comes in pieces, of which each may end anywhere. */
export interface CommandFilter {
  push: (piece: string | Uint8Array) => Buffer;
  /** The rest, after the last piece. */
  end: () => Buffer;
}

/** A line that is longer is let go in parts. */
const longestKept = 64 * 1024;
/** Characters of a part that may begin a command. */
const tail = 64;

export function commandFilter(): CommandFilter {
  let kept = "";
  let isJson: boolean | null = null;
  let atStart = true;
  const passed = (text: string): Buffer => {
    if (text === "") return Buffer.alloc(0);
    isJson ??= /^\s*[{[]/.test(text);
    // In the middle of a line no command can be the first thing.
    const clean = atStart ? defused(text, isJson) : defused(`.${text}`, isJson).slice(1);
    const from = Math.max(text.lastIndexOf("\n"), text.lastIndexOf("\r")) + 1;
    atStart = (atStart || from > 0) && !/[\u0021-\u007e]/.test(text.slice(from));
    return Buffer.from(clean, "latin1");
  };
  return {
    push: (piece) => {
      // Byte by byte, as characters may be cut in two.
      kept += Buffer.from(piece).toString("latin1");
      const end = Math.max(kept.lastIndexOf("\n") + 1, kept.length > longestKept ? kept.length - tail : 0);
      const whole = kept.slice(0, end);
      kept = kept.slice(end);
      return passed(whole);
    },
    end: () => passed(kept),
  };
}
