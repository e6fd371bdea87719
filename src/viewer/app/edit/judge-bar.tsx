import { useEffect, useRef, useState } from "preact/hooks";
import type { Label, NewVote } from "../../api.ts";
import type { SetAddress } from "../data/address.ts";
import type { Actions, ListQuery } from "../data/source.ts";
import { knownAuthor, rememberAuthor } from "./author.ts";

/** One answer that is judged. */
export interface JudgedSide {
  name: string;
  jobId: number;
}

interface Given {
  actions: Actions;
  query: ListQuery;
  rowKey: string;
  sides: readonly JudgedSide[];
  labels: Record<string, Label[]>;
  /** Two answers without names, of which one is called better; null: they are judged one by one, by their names. */
  blind: { vote: (choice: "A" | "B" | "neither") => Omit<NewVote, "note" | "author">; told: string | null } | null;
  /** Null: there are no two answers to choose from. */
  setBlind: ((isBlind: boolean) => void) | null;
  onVote: (choice: "A" | "B" | "neither" | null) => void;
  onChange: () => void;
  setAddress: SetAddress;
}

/** Judgements that can be undone, the last one first, also from the next row. */
const done: { what: string; undo: () => Promise<void> }[] = [];

/** Judges the open row, by keys or by buttons. */
export function JudgeBar(given: Given) {
  const { sides, blind, setBlind } = given;
  const [place, setPlace] = useState(sides.length - 1);
  const [note, setNote] = useState("");
  const [author, setAuthor] = useState(knownAuthor);
  const noteField = useRef<HTMLInputElement>(null);
  const [said, judge] = useJudge({ ...given, side: sides[place], note: note.trim(), author: author.trim() });
  // A note that is written afterwards goes with the last word.
  const last = useRef("");
  const act = (key: string, work: () => void): (() => void) => {
    return () => {
      last.current = key;
      work();
    };
  };
  const keys: Record<string, () => void> = {
    n: () => noteField.current?.focus(),
    u: judge.undo,
    l: judge.next,
    ...(blind === null
      ? {
          g: act("g", () => judge.label("good")),
          b: act("b", () => judge.label("bad")),
          s: () => setPlace((place + 1) % sides.length),
        }
      : {
          a: act("a", () => judge.vote("A")),
          b: act("b", () => judge.vote("B")),
          t: act("t", () => judge.vote("neither")),
        }),
  };
  useJudgeKeys(keys);
  const button = (key: string, text: string) => (
    <button type="button" class="plain" onClick={keys[key]} aria-keyshortcuts={key}>
      {text} <kbd aria-hidden="true">{key}</kbd>
    </button>
  );
  return (
    <section class="judge" aria-label="Judge this row">
      {blind === null ? (
        <>
          {sides.length > 1 && button("s", `Judge ${sides[place]?.name ?? ""}`)}
          {button("g", "✓ Good")}
          {button("b", "✗ Bad")}
        </>
      ) : (
        <>
          {button("a", "A is better")}
          {button("b", "B is better")}
          {button("t", "Neither")}
        </>
      )}
      <label>
        <span>Note</span> <kbd aria-hidden="true">n</kbd>
        <input
          ref={noteField}
          dir="auto"
          value={note}
          placeholder="then Enter"
          onInput={(event) => setNote(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter" && event.key !== "Escape") return;
            event.stopPropagation();
            event.currentTarget.blur();
            if (event.key === "Enter") keys[last.current]?.();
          }}
        />
      </label>
      <label>
        <span>By</span>
        <input class="short" dir="auto" value={author} onInput={(event) => setAuthor(event.currentTarget.value)} />
      </label>
      {button("u", "Undo")}
      {button("l", "Next unlabelled")}
      {setBlind !== null && (
        <label title="Answers A and B without names, in an order by chance">
          <input type="checkbox" checked={blind !== null} onChange={(event) => setBlind(event.currentTarget.checked)} />
          <span>Blind</span>
        </label>
      )}
      <p role="status" class="quiet">
        {said === "" ? blind?.told : said}
      </p>
    </section>
  );
}

function useJudge(given: Given & { side: JudgedSide | undefined; note: string; author: string }) {
  const { actions, query, rowKey, side, labels, blind, author, onVote, onChange, setAddress } = given;
  const note = given.note === "" ? null : given.note;
  const [said, say] = useState("");
  const change = async (work: () => Promise<void>, told: string): Promise<void> => {
    try {
      await work();
      say(told);
      onChange();
    } catch (error) {
      say(error instanceof Error ? error.message : String(error));
    }
  };
  const label = (verdict: "good" | "bad"): void => {
    if (side === undefined) return;
    const { name, jobId } = side;
    const before = labels[String(jobId)]?.find((each) => each.scorer === "" && each.author === author);
    rememberAuthor(author);
    const undo = (): Promise<void> =>
      before === undefined
        ? actions.takeBack({ jobId, scorer: "", author })
        : actions.label({ jobId, scorer: "", label: before.label, note: before.note, author });
    void change(async () => {
      await actions.label({ jobId, scorer: "", label: verdict, note, author });
      done.push({ what: `${verdict} of ${name} in ${rowKey}`, undo });
    }, `Kept: ${name} is ${verdict}.`);
  };
  const vote = (choice: "A" | "B" | "neither"): void => {
    if (blind === null) return;
    const made = { ...blind.vote(choice), note, author };
    rememberAuthor(author);
    void change(async () => {
      await actions.vote(made);
      done.push({ what: `the vote in ${rowKey}`, undo: () => actions.takeBackVote(withoutVote(made)) });
      onVote(choice);
    }, "");
  };
  const undo = (): void => {
    const last = done.pop();
    if (last === undefined) return say("There is nothing to undo.");
    void change(async () => {
      await last.undo();
      onVote(null);
    }, `Undone: ${last.what}.`);
  };
  const next = (): void => {
    void actions.nextUnlabelled(query, rowKey).then(
      (key) => (key === null ? say("Every row of the list is labelled.") : setAddress({ row: key })),
      (error: unknown) => say(error instanceof Error ? error.message : String(error)),
    );
  };
  return [said, { label, vote, undo, next }] as const;
}

const withoutVote = ({ baselineJob, candidateJob, author }: NewVote) => ({ baselineJob, candidateJob, author });

function useJudgeKeys(keys: Record<string, () => void>): void {
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
