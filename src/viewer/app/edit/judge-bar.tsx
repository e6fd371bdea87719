import { useRef, useState } from "preact/hooks";
import type { JudgedRow } from "../data/source.ts";
import { useAuthor } from "./author.ts";
import { AuthorField } from "./author-field.tsx";
import { useDraft } from "./drafts.ts";
import { type Judged, type JudgedSide, labelBy } from "./judging.ts";
import { useJudge, useJudgeKeys } from "./use-judge.ts";

interface Props extends Judged {
  sides: readonly JudgedSide[];
  /** All answers to the row, by which its note is found again: rows of several reports have the same key. */
  answers: string;
  /** Answers of several targets can be judged without their names. */
  canHide: boolean;
  setBlind: (isBlind: boolean) => void;
  /** Null: not known yet. */
  judged: JudgedRow | null;
}

/** Judges the open row, by keys or by buttons, and shows how it was judged. */
export function JudgeBar(props: Props) {
  const { sides, blind, canHide, setBlind, judged } = props;
  const [chosen, choose] = useState<string | null>(null);
  const { note, setNote, onKept: onNoteKept } = useDraft(props.answers);
  const [author] = useAuthor();
  const noteField = useRef<HTMLInputElement>(null);
  // By its name: another number of targets may stand beside each other by then.
  const side = sides.find(({ name }) => name === chosen) ?? sides.at(-1);
  const next = side === undefined ? undefined : sides[(sides.indexOf(side) + 1) % sides.length];
  const by = author.trim();
  const [said, judge] = useJudge({ ...props, side, note: note.trim(), author: by, onNoteKept });
  const isBlind = blind !== null;
  const keys: Record<string, () => void> = {
    n: () => noteField.current?.focus(),
    u: judge.undo,
    l: judge.next,
    s: () => choose(next?.name ?? null),
    g: () => judge.label("good"),
    b: () => judge.label("bad"),
  };
  useJudgeKeys(keys);
  const words = labelButtons(side, judged, by);
  const button = (key: string, text: string, isPressed?: boolean) => (
    <KeyButton key={key} name={key} text={text} press={keys[key]} isPressed={isPressed} />
  );
  const reported = [said, blind?.told ?? ""].filter((text) => text !== "");
  return (
    <section class={isBlind ? "judge blind" : "judge"} aria-label="Judge this row">
      {sides.length > 1 && button("s", `Judging ${side?.name ?? ""}`)}
      {words.map(([key, text, isPressed]) => button(key, text, isPressed))}
      <NoteField field={noteField} note={note} setNote={setNote} onEnter={judge.note} />
      <AuthorField />
      {button("u", "Undo")}
      {button("l", "Next unlabelled")}
      {(isBlind || canHide) && <BlindChoice isBlind={isBlind} setBlind={setBlind} />}
      {judged !== null && blind?.isHidden !== true && <SaidOfRow sides={sides} judged={judged} />}
      <p role="status" class="quiet">
        {Array.from(new Set(reported)).join(" ")}
      </p>
    </section>
  );
}

type WordButton = [key: string, text: string, isPressed: boolean];

function labelButtons(side: JudgedSide | undefined, judged: JudgedRow | null, author: string): WordButton[] {
  // The words of others stand beside, each with who said it.
  const label = side === undefined ? undefined : labelBy(judged?.labels[side.jobId] ?? [], author)?.label;
  return [
    ["g", "✓ Good", label === "good"],
    ["b", "✗ Bad", label === "bad"],
  ];
}

function KeyButton(props: {
  name: string;
  text: string;
  press: (() => void) | undefined;
  isPressed: boolean | undefined;
}) {
  const { name, text, press, isPressed } = props;
  return (
    <button type="button" class="plain" onClick={press} aria-keyshortcuts={name} aria-pressed={isPressed}>
      {text} <kbd aria-hidden="true">{name}</kbd>
    </button>
  );
}

function NoteField(props: {
  field: { current: HTMLInputElement | null };
  note: string;
  setNote: (note: string) => void;
  onEnter: () => void;
}) {
  const { field, note, setNote, onEnter } = props;
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
          // The Enter that ends a word of an input method is not one that keeps the note.
          if (event.isComposing || (event.key !== "Enter" && event.key !== "Escape")) return;
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
    <label title="Answers A and B without names, in an order by chance, until each has a label of yours">
      <input type="checkbox" checked={isBlind} onChange={(event) => setBlind(event.currentTarget.checked)} />
      <span>Blind</span>
    </label>
  );
}

/** The labels of the answers that are shown, each with who gave it. */
function SaidOfRow({ sides, judged }: { sides: readonly JudgedSide[]; judged: JudgedRow }) {
  const labels = sides.flatMap(({ name, jobId }) =>
    (judged.labels[jobId] ?? []).flatMap(({ scorer, label, author }) =>
      scorer === "" ? [{ name, word: ` is ${signs[label] ?? ""}${label}`, author }] : [],
    ),
  );
  if (labels.length === 0) return null;
  return (
    <ul class="said-of-row" aria-label="Judged">
      {labels.map(({ name, word, author }) => (
        <li key={`${name}${word} ${author}`}>
          <bdi>{author === "" ? "somebody" : author}</bdi>:{" "}
          <b>
            <bdi>{name}</bdi>
            {word}
          </b>
        </li>
      ))}
    </ul>
  );
}

const signs: Record<string, string> = { good: "✓ ", bad: "✗ " };
