import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Label } from "../../api.ts";
import {
  addNote,
  judgedWith,
  type JudgedBy,
  type JudgedSide,
  type JudgeOutcome,
  labelAnswer,
  takeLabelBack,
} from "./judging.ts";
import { readJudged } from "./judged.ts";
import type { Actions } from "../data/source.ts";
import { shared } from "./shared.ts";
import { holdKeys, isField } from "./typed-ahead.ts";

interface Judge {
  /** `good`, `bad`, or the number that takes the place of a score. */
  label: (verdict: string) => void;
  /** Puts the note that was written to what was judged. */
  note: () => void;
  takeBack: (side: JudgedSide, label: Label) => void;
  undo: () => void;
  next: () => void;
}

interface Word {
  text: string;
  row: string;
  /** The report that it is about. */
  actions: Actions;
  isBlind: boolean;
  isFailure: boolean;
}

/** The last word on a judgement: a failure stays while rows follow one another, as keys are faster than answers. */
const lastWord = shared<Word | null>(null);

/** Keeps judgements, takes them back, and tells what became of the last one; `isEdited`: scores of the row are others now. */
export function useJudge(given: JudgedBy & { onNoteKept: () => void }): {
  said: string;
  isEdited: boolean;
  judge: Judge;
} {
  const [isEdited, setEdited] = useState(false);
  const { actions, query, rowKey, blind, setAddress } = given;
  const isBlind = blind !== null;
  const word = lastWord.use();
  const say = (text: string, isFailure = false): void =>
    lastWord.set({ text, row: rowKey, actions, isBlind, isFailure });
  const fail = (error: unknown): void => say(error instanceof Error ? error.message : String(error), true);
  // Also where another row is open by then, as the list shows both.
  const readAgain = (row: string): Promise<void> => readJudged(actions, row).catch(() => {});
  const then = (work: Promise<string>): void => void work.then((text) => say(text), fail).then(() => readAgain(rowKey));
  const kept = async (work: Promise<JudgeOutcome>): Promise<string> => {
    const { text, isNoteKept } = await work;
    if (isNoteKept) given.onNoteKept();
    return text;
  };
  const undo = async (): Promise<string> => {
    const undone = await judgedWith(actions).undo();
    if (undone === null) return "There is nothing to undo.";
    const place = undone.row === rowKey ? "" : ` in ${undone.row}`;
    if (place !== "") void readAgain(undone.row);
    if (!undone.isUndone) return `Nothing is undone: this was changed elsewhere since${place}.`;
    return isBlind ? `Undone${place}.` : `Undone: ${undone.what}${place}.`;
  };
  const next = async (): Promise<void> => {
    // A key that follows is meant for the next row.
    const held = holdKeys();
    try {
      const key = await actions.nextUnlabelled(query, rowKey);
      if (key === null) return say("Every row of the list is labelled.");
      setAddress({ row: key });
      held.release();
    } finally {
      held.forget();
    }
  };
  const judge: Judge = {
    label: (verdict) =>
      then(
        kept(
          labelAnswer(given, verdict).then((outcome) => {
            if (given.side !== undefined) blind?.onKept(given.side.jobId, given.author);
            if (given.scorer !== "" && outcome.isNoteKept) setEdited(true);
            return outcome;
          }),
        ),
      ),
    note: () => {
      if (given.note !== "") then(kept(addNote(given)));
    },
    takeBack: (side, label) => {
      then(takeLabelBack(given, side, label));
      if (label.edits === true) setEdited(true);
    },
    undo: () => then(undo()),
    next: () => void next().catch(fail),
  };
  // A word that names a target would tell who is A.
  const isOfHere = word?.actions === actions && word.isBlind === isBlind;
  return { said: isOfHere ? wordsOn(word, rowKey) : "", isEdited, judge };
}

/** The last word on a row; of another row only what failed there, with its key. */
function wordsOn({ text, row, isFailure }: Word, rowKey: string): string {
  if (row === rowKey) return text;
  return isFailure ? `${row}: ${text}` : "";
}

/** Does what a key stands for, wherever somebody is on the page but in a field. */
export function useJudgeKeys(keys: Record<string, () => void>): void {
  const now = useRef(keys);
  now.current = keys;
  // At once, not after the next paint: a key that follows j never judges the row before.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || event.repeat) return;
      const target = event.target instanceof HTMLElement ? event.target : null;
      if (target !== null && isField(target)) return;
      const act = now.current[event.key];
      if (act === undefined) return;
      event.preventDefault();
      act();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}
