import { useEffect, useRef, useState } from "preact/hooks";
import type { Label, NewVote } from "../../api.ts";
import type { SetAddress } from "../data/address.ts";
import type { Actions, ListQuery } from "../data/source.ts";
import { rememberAuthor } from "./author.ts";

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
  labels: Record<string, Label[]>;
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

/** Does what changes a judgement, after all that was begun before it, and tells what it resolves with. */
type Change = (work: () => Promise<string>) => void;

export interface Judge {
  label: (verdict: "good" | "bad") => void;
  vote: (choice: Choice) => void;
  undo: () => void;
  next: () => void;
}

/** Judgements that can be undone, the last one first, also from the next row. */
const done: { what: string; undo: () => Promise<void> }[] = [];

/** The label that an author gave an answer here last; undefined: it was taken back. */
const kept = new Map<string, Pick<Label, "label" | "note"> | undefined>();

/** The end of all that was begun: keys come faster than answers. */
let begun: Promise<void> = Promise.resolve();

/** Keeps judgements, takes them back, and tells what became of the last one. */
export function useJudge(given: JudgedBy): [said: string, judge: Judge] {
  const { actions, query, rowKey, blind, onVote, onChange, setAddress } = given;
  const [said, say] = useState("");
  const isBlind = blind !== null;
  // The last word names a target: it would tell who is A.
  useEffect(() => say(""), [isBlind]);
  const fail = (error: unknown): void => say(error instanceof Error ? error.message : String(error));
  const change: Change = (work) => {
    const before = begun;
    const inTurn = async (): Promise<void> => {
      await before;
      say(await work());
      onChange();
    };
    begun = inTurn().catch(fail);
  };
  const undo = (): void =>
    change(async () => {
      const last = done.pop();
      if (last === undefined) return "There is nothing to undo.";
      await last.undo();
      onVote(null);
      return isBlind ? "Undone." : `Undone: ${last.what}.`;
    });
  const next = (): void => {
    void actions
      .nextUnlabelled(query, rowKey)
      .then((key) => (key === null ? say("Every row of the list is labelled.") : setAddress({ row: key })), fail);
  };
  return [
    said,
    { label: (verdict) => label(given, verdict, change), vote: (choice) => vote(given, choice, change), undo, next },
  ];
}

function label(
  { actions, rowKey, side, labels, note, author }: JudgedBy,
  verdict: "good" | "bad",
  change: Change,
): void {
  if (side === undefined) return;
  const { name, jobId } = side;
  rememberAuthor(author);
  const place = `${jobId} ${author}`;
  change(async () => {
    const own = labels[String(jobId)]?.find((each) => each.scorer === "" && each.author === author);
    // The page may not have been told yet of what was kept here last.
    const before = kept.has(place) ? kept.get(place) : own;
    const made = { label: verdict, note: noteOf(note) };
    await actions.label({ jobId, scorer: "", ...made, author });
    kept.set(place, made);
    const undo = async (): Promise<void> => {
      if (before === undefined) await actions.takeBack({ jobId, scorer: "", author });
      else await actions.label({ jobId, scorer: "", label: before.label, note: before.note, author });
      kept.set(place, before);
    };
    done.push({ what: `${verdict} of ${name} in ${rowKey}`, undo });
    return `Kept: ${name} is ${verdict}.`;
  });
}

function vote({ actions, rowKey, blind, note, author, onVote }: JudgedBy, choice: Choice, change: Change): void {
  if (blind === null) return;
  const made = { ...blind.vote(choice), note: noteOf(note), author };
  const { baselineJob, candidateJob } = made;
  rememberAuthor(author);
  change(async () => {
    await actions.vote(made);
    done.push({
      what: `the vote in ${rowKey}`,
      undo: () => actions.takeBackVote({ baselineJob, candidateJob, author }),
    });
    onVote(choice);
    return "";
  });
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
