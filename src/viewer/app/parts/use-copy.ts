import { useState } from "preact/hooks";

/** Time for which a button says that it copied. */
const saidMs = 2500;

/** Said where a browser lets nobody write to the clipboard. */
export const byHandWords = "Chosen: press Ctrl+C";

/** Copies a text and says so for a moment; where nobody may, the element that shows it is chosen, so that two keys do. */
export function useCopy(text: string): { said: string; copy: (shown: Element | null) => Promise<void> } {
  const [said, say] = useState("");
  return {
    said,
    async copy(shown) {
      try {
        await navigator.clipboard.writeText(text);
        say("Copied");
      } catch {
        if (shown !== null) getSelection()?.selectAllChildren(shown);
        say(byHandWords);
      }
      setTimeout(() => say(""), saidMs);
    },
  };
}
