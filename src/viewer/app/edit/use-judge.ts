import { useEffect, useRef } from "preact/hooks";
import { addNote, type VoteChoice, judged, type JudgedBy, labelAnswer, type JudgeOutcome, voteOn } from "./judging.ts";
import { shared } from "./shared.ts";

export interface Judge {
  label: (verdict: "good" | "bad") => void;
  vote: (choice: VoteChoice) => void;
  /** Puts the note that was written to what was judged. */
  note: () => void;
  undo: () => void;
  next: () => void;
}

/** The last word on a judgement: it stays while rows follow one another. */
const lastWord = shared<{ text: string; row: string; isBlind: boolean } | null>(null);

/** Keeps judgements, takes them back, and tells what became of the last one. */
export function useJudge(given: JudgedBy & { onNoteKept: () => void }): [said: string, judge: Judge] {
  const { actions, query, rowKey, blind, onVote, onChange, setAddress } = given;
  const isBlind = blind !== null;
  const word = lastWord.use();
  const say = (text: string): void => lastWord.set({ text, row: rowKey, isBlind });
  const fail = (error: unknown): void => say(error instanceof Error ? error.message : String(error));
  const then = (work: Promise<string>): void => void work.then(say, fail).then(onChange);
  const kept = async (work: Promise<JudgeOutcome>): Promise<string> => {
    const { text, isNoteKept } = await work;
    if (isNoteKept) given.onNoteKept();
    return text;
  };
  const undo = async (): Promise<string> => {
    const undone = await judged.undo();
    if (undone === null) return "There is nothing to undo.";
    if (undone.row === rowKey) onVote(null);
    return isBlind ? "Undone." : `Undone: ${undone.what}${undone.row === rowKey ? "" : ` in ${undone.row}`}.`;
  };
  const next = async (): Promise<void> => {
    const key = await actions.nextUnlabelled(query, rowKey);
    if (key === null) say("Every row of the list is labelled.");
    else setAddress({ row: key });
  };
  const judge: Judge = {
    label: (verdict) => then(kept(labelAnswer(given, verdict))),
    vote: (choice) => then(kept(voteOn(given, choice))),
    note: () => {
      if (given.note !== "") then(kept(addNote(given)));
    },
    undo: () => then(undo()),
    next: () => void next().catch(fail),
  };
  // A word that names a target would tell who is A.
  return [word === null || word.isBlind !== isBlind ? "" : wordsIn(word, rowKey), judge];
}

/** The last word; of another row with its key. */
function wordsIn({ text, row }: { text: string; row: string }, rowKey: string): string {
  return row === rowKey || text === "" ? text : `${row}: ${text}`;
}

/** Does what a key stands for, wherever somebody is on the page but in a field. */
export function useJudgeKeys(keys: Record<string, () => void>): void {
  const now = useRef(keys);
  now.current = keys;
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || event.repeat) return;
      const target = event.target instanceof HTMLElement ? event.target : null;
      if (target?.closest("input, select, textarea, dialog") !== null && target !== null) return;
      const act = now.current[event.key];
      if (act === undefined) return;
      event.preventDefault();
      act();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}
