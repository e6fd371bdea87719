import { useRef, useState } from "preact/hooks";
import { useAuthor } from "./author.ts";
import { useDraft } from "./drafts.ts";
import type { Judged, JudgedSide } from "./judging.ts";
import { type Judge, useJudge, useJudgeKeys } from "./use-judge.ts";

interface Given extends Judged {
  sides: readonly JudgedSide[];
  /** All answers to the row, by which its note is found again: rows of several reports have the same key. */
  answers: string;
  /** Null: there are no two answers to choose from. */
  setBlind: ((isBlind: boolean) => void) | null;
}

/** Judges the open row, by keys or by buttons. */
export function JudgeBar(given: Given) {
  const { sides, blind, setBlind } = given;
  const [place, setPlace] = useState(sides.length - 1);
  const { note, setNote, onKept: onNoteKept } = useDraft(given.answers);
  const [author, setAuthor] = useAuthor();
  const noteField = useRef<HTMLInputElement>(null);
  const side = sides[place];
  const [said, judge] = useJudge({ ...given, side, note: note.trim(), author: author.trim(), onNoteKept });
  const keys: Record<string, () => void> = {
    n: () => noteField.current?.focus(),
    u: judge.undo,
    l: judge.next,
    ...(blind === null ? { s: () => setPlace((place + 1) % sides.length) } : {}),
    ...wordsOf(judge, blind !== null),
  };
  useJudgeKeys(keys);
  const shown = blind === null ? [...(sides.length > 1 ? ["s"] : []), "g", "b"] : ["a", "b", "t"];
  const texts = blind === null ? { ...namedTexts, s: `Judge ${side?.name ?? ""}` } : blindTexts;
  const buttons = (names: readonly string[]) =>
    names.map((key) => <KeyButton key={key} name={key} text={texts[key] ?? ""} press={keys[key]} />);
  return (
    <section class="judge" aria-label="Judge this row">
      {buttons(shown)}
      <NoteField field={noteField} note={note} setNote={setNote} onEnter={judge.note} />
      <label>
        <span>By</span>
        <input class="short" dir="auto" value={author} onInput={(event) => setAuthor(event.currentTarget.value)} />
      </label>
      {buttons(["u", "l"])}
      {setBlind !== null && <BlindChoice isBlind={blind !== null} setBlind={setBlind} />}
      <p role="status" class="quiet">
        {[said, blind?.told ?? ""].filter((text) => text !== "").join(" ")}
      </p>
    </section>
  );
}

const everyText = { u: "Undo", l: "Next unlabelled" };
const namedTexts: Record<string, string> = { ...everyText, g: "✓ Good", b: "✗ Bad" };
const blindTexts: Record<string, string> = { ...everyText, a: "A is better", b: "B is better", t: "Neither" };

/** The keys that say a word about an answer, or about two. */
function wordsOf({ label, vote }: Judge, isBlind: boolean): Record<string, () => void> {
  return isBlind
    ? { a: () => vote("A"), b: () => vote("B"), t: () => vote("neither") }
    : { g: () => label("good"), b: () => label("bad") };
}

function KeyButton({ name, text, press }: { name: string; text: string; press: (() => void) | undefined }) {
  return (
    <button type="button" class="plain" onClick={press} aria-keyshortcuts={name}>
      {text} <kbd aria-hidden="true">{name}</kbd>
    </button>
  );
}

function NoteField(given: {
  field: { current: HTMLInputElement | null };
  note: string;
  setNote: (note: string) => void;
  onEnter: () => void;
}) {
  const { field, note, setNote, onEnter } = given;
  return (
    <label>
      <span>Note</span> <kbd aria-hidden="true">n</kbd>
      <input
        ref={field}
        dir="auto"
        value={note}
        placeholder="then Enter"
        onInput={(event) => setNote(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" && event.key !== "Escape") return;
          event.stopPropagation();
          event.currentTarget.blur();
          if (event.key === "Enter") onEnter();
        }}
      />
    </label>
  );
}

function BlindChoice({ isBlind, setBlind }: { isBlind: boolean; setBlind: (isBlind: boolean) => void }) {
  return (
    <label title="Answers A and B without names, in an order by chance">
      <input type="checkbox" checked={isBlind} onChange={(event) => setBlind(event.currentTarget.checked)} />
      <span>Blind</span>
    </label>
  );
}
