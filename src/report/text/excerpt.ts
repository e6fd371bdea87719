import { graphemes } from "../../text/graphemes.ts";
import { displayWidth, fit } from "./width.ts";

/**
 * Two texts cut to a width so that the place where they begin to differ can be seen in both: what they share before it
 * is left out, from the start of a word, when there is much of it. A text that holds what is wanted is shown there.
 */
export function excerpts(one: string, other: string, width: number, wanted = ""): [string, string] {
  const start = excerptStart(Array.from(graphemes(one)), Array.from(graphemes(other)), Math.floor(width / 3));
  const shown = (text: string): string => excerpt(text, Math.max(start, wantedStart(text, wanted, width)), width);
  return [shown(one), shown(other)];
}

/** Finds a start from which the wanted part of a text is in sight; 0 where it is so from the front, or is not there. */
function wantedStart(text: string, wanted: string, width: number): number {
  const at = wanted === "" ? -1 : text.toLowerCase().indexOf(wanted.toLowerCase());
  if (at === -1 || displayWidth(text.slice(0, at + wanted.length)) < width) return 0;
  const room = width - displayWidth(wanted) - 2;
  let start = at;
  // Words before it are shown as long as they fit.
  for (let space = text.lastIndexOf(" ", at - 2); space > 0; space = text.lastIndexOf(" ", space - 1)) {
    if (displayWidth(text.slice(space, at)) > room / 2) break;
    start = space + 1;
  }
  return start;
}

/** Finds the start of the excerpts, as a place in either text: up to there they are the same. */
function excerptStart(one: readonly string[], other: readonly string[], lead: number): number {
  let same = 0;
  while (same < one.length && one[same] === other[same]) same++;
  if (same === one.length && same === other.length) return 0;
  let start = same;
  let room = lead;
  for (; start > 0; start--) {
    room -= displayWidth(one[start - 1] ?? "");
    if (room < 0) break;
  }
  if (start === 0) return 0;
  const word = one.slice(start, same).indexOf(" ");
  const from = word === -1 ? start : start + word + 1;
  return one.slice(0, from).join("").length;
}

function excerpt(text: string, start: number, width: number): string {
  return fit(start === 0 ? text : `…${text.slice(start)}`, width);
}
