import { shownIn } from "../../lib/hidden-characters.ts";

/**
 * A text on one line in which nothing is left for a terminal to obey: control characters become their pictures
 * (escape is ␛), line breaks ↵, and characters that turn the direction of writing are named (⟨RLO⟩).
 */
export function visible(text: string): string {
  return shownIn("line", text.replaceAll(/ ?(?:\r\n|\n|\u2028|\u2029)[ \t\r\n\u2028\u2029]*/g, " ↵ "));
}
