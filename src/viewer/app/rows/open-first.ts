import { useEffect, useState } from "preact/hooks";

/** Keys that judge a row that is open. */
const judging = new Set(["g", "b", "n", "1", "2", "0"]);

/** A word to who judges a row that is marked in the list but not open; empty: nobody does. */
export function useOpenFirst(canJudge: boolean, openRow: string | null): string {
  const [said, say] = useState("");
  useEffect(() => {
    say("");
    if (!canJudge || openRow !== null) return;
    const press = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): void => {
      if (ctrlKey || metaKey || altKey) return;
      const isMarked = document.activeElement?.matches("[data-row]") === true;
      say(isMarked && judging.has(key) ? "Open the row first: Enter" : "");
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [canJudge, openRow]);
  return said;
}
