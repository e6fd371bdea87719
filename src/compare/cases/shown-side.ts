import type { Side } from "./case-side.ts";

/** Enough of a side to show it; an answer is cut after its first 2,000 code units. */
export type ShownSide = Pick<Side, "outcome" | "answer" | "expectedFound" | "url" | "error">;

const longestShown = 2000;

export function shownSide({ outcome, answer, expectedFound, url, error }: Side): ShownSide {
  return { outcome, answer: cut(answer), expectedFound, url, error: cut(error) };
}

function cut(text: string | null): string | null {
  if (text === null || text.length <= longestShown) return text;
  // A copy through bytes: a slice of the text would keep the whole answer alive, which may be many megabytes.
  return `${Buffer.from(text.slice(0, longestShown)).toString()}…`;
}
