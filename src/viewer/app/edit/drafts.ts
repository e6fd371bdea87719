import { useState } from "preact/hooks";

/** Notes that were begun and are not kept yet, each with the row that it is about. */
export function noteDrafts() {
  const drafts = new Map<string, string>();
  return {
    of: (about: string): string => drafts.get(about) ?? "",
    write(about: string, note: string): void {
      if (note === "") drafts.delete(about);
      else drafts.set(about, note);
    },
    /** Forgets a note that is kept now; one that was changed meanwhile stays. */
    kept(about: string, note: string): void {
      if (drafts.get(about) === note) drafts.delete(about);
    },
  };
}

const drafts = noteDrafts();

/** The note that was begun about a row or an answer: it is there again when somebody comes back to it. */
export function useDraft(about: string): {
  note: string;
  setNote: (note: string) => void;
  onKept: () => void;
} {
  const [, draw] = useState(0);
  const redraw = (): void => draw((times) => times + 1);
  const note = drafts.of(about);
  return {
    note,
    setNote(next) {
      drafts.write(about, next);
      redraw();
    },
    onKept() {
      drafts.kept(about, note);
      redraw();
    },
  };
}
