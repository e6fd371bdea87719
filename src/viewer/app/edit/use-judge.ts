import { useEffect, useRef } from "preact/hooks";
import type { NewVote } from "../../api.ts";
import type { SetAddress } from "../data/address.ts";
import type { Actions, ListQuery } from "../data/source.ts";
import { judgements } from "./judgements.ts";
import { shared } from "./shared.ts";

/** One answer that is judged. */
export interface JudgedSide {
  name: string;
  jobId: number;
}

type Choice = "A" | "B" | "neither";

/** Two answers without names, of which one is called better. */
interface BlindPair {
  vote: (choice: Choice) => Omit<NewVote, "note" | "author">;
  told: string | null;
}

export interface Judged {
  actions: Actions;
  query: ListQuery;
  rowKey: string;
  /** Null: answers are judged one by one, by their names. */
  blind: BlindPair | null;
  onVote: (choice: Choice | null) => void;
  onChange: () => void;
  setAddress: SetAddress;
}

interface JudgedBy extends Judged {
  side: JudgedSide | undefined;
  note: string;
  author: string;
}

export interface Judge {
  label: (verdict: "good" | "bad") => void;
  vote: (choice: Choice) => void;
  undo: () => void;
  next: () => void;
}

/** All that was judged on this page. */
export const judged = judgements();

/** The last word on a judgement: it stays while rows follow one another. */
const lastWord = shared<{ text: string; row: string; isBlind: boolean } | null>(null);

/** Keeps judgements, takes them back, and tells what became of the last one. */
export function useJudge(given: JudgedBy): [said: string, judge: Judge] {
  const { actions, query, rowKey, blind, onVote, onChange, setAddress } = given;
  const isBlind = blind !== null;
  const word = lastWord.use();
  const say = (text: string): void => lastWord.set({ text, row: rowKey, isBlind });
  const fail = (error: unknown): void => say(error instanceof Error ? error.message : String(error));
  const then = (work: Promise<string>): void => void work.then(say, fail).then(onChange);
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
    label: (verdict) => then(label(given, verdict)),
    vote: (choice) => then(vote(given, choice)),
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

async function label({ actions, rowKey, side, note, author }: JudgedBy, verdict: "good" | "bad"): Promise<string> {
  if (side === undefined) return "There is no answer to judge.";
  const { name, jobId } = side;
  const given = { jobId, scorer: "", label: verdict, note: noteOf(note), author };
  await judged.label(actions, given, { what: `${verdict} of ${name}`, row: rowKey });
  return `Kept: ${name} is ${verdict}.`;
}

async function vote({ actions, rowKey, blind, note, author, onVote }: JudgedBy, choice: Choice): Promise<string> {
  if (blind === null) return "";
  const given = { ...blind.vote(choice), note: noteOf(note), author };
  await judged.vote(actions, given, { what: "the vote", row: rowKey });
  onVote(choice);
  return "";
}

const noteOf = (note: string): string | null => (note === "" ? null : note);

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
