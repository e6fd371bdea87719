import { useRef, useState } from "preact/hooks";
import { momentLabel } from "../../../report/say/night-names.ts";
import type { Label } from "../../api.ts";
import type { JudgedRow } from "../data/source.ts";
import { useReport } from "../parts/report.tsx";
import { useAuthor } from "./author.ts";
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

/** Judges the answers of the open row or edits one of their scores, by keys or by buttons, and shows how they were judged. */
export function JudgeBar(props: Props) {
  const { sides, blind, canHide, setBlind, judged, actions } = props;
  const { summary } = useReport();
  const [chosen, choose] = useState<string | null>(null);
  const [scorer, setScorer] = useState("");
  const { note, setNote, onKept: onNoteKept } = useDraft(props.answers);
  const [author] = useAuthor();
  const noteField = useRef<HTMLInputElement>(null);
  const isBlind = blind !== null;
  // By its name: another number of targets may stand beside each other by then.
  const side = sides.find(({ name }) => name === chosen) ?? sides.at(-1);
  const next = side === undefined ? undefined : sides[(sides.indexOf(side) + 1) % sides.length];
  const by = author.trim();
  // A score tells whose answer it is of.
  const about = isBlind ? "" : scorer;
  const { said, isEdited, judge } = useJudge({
    ...props,
    side,
    scorer: about,
    note: note.trim(),
    author: by,
    onNoteKept,
  });
  const keys: Record<string, () => void> = {
    n: () => noteField.current?.focus(),
    u: judge.undo,
    l: judge.next,
    s: () => choose(next?.name ?? null),
    g: () => judge.label("good"),
    b: () => judge.label("bad"),
  };
  useJudgeKeys(keys);
  const own = side === undefined ? undefined : labelBy(judged?.labels[side.jobId] ?? [], { scorer: about, author: by });
  const button = (key: string, text: string, isPressed?: boolean) => (
    <button type="button" class="plain" onClick={keys[key]} aria-keyshortcuts={key} aria-pressed={isPressed}>
      {text} <kbd aria-hidden="true">{key}</kbd>
    </button>
  );
  const reported = [said, blind?.told ?? ""].filter((text) => text !== "");
  const scorers = Array.from(new Set(summary.metrics.map((metric) => metric.scorer)));
  return (
    <section class={isBlind ? "judge blind" : "judge"} aria-label="Judge this row">
      {sides.length > 1 && button("s", `Judging ${side?.name ?? ""}`)}
      {!isBlind && <About scorers={scorers} scorer={scorer} choose={setScorer} />}
      {button("g", "✓ Good", own?.label === "good")}
      {button("b", "✗ Bad", own?.label === "bad")}
      {about !== "" && <NumberField key={about} keep={judge.label} />}
      <NoteField field={noteField} note={note} setNote={setNote} onEnter={judge.note} />
      <AuthorField />
      {button("u", "Undo")}
      {button("l", "Next unlabelled")}
      {(isBlind || canHide) && <BlindChoice isBlind={isBlind} setBlind={setBlind} />}
      {judged !== null && blind?.isHidden !== true && (
        <SaidOfRow sides={sides} judged={judged} takeBack={judge.takeBack} />
      )}
      <p role="status" class="quiet">
        {Array.from(new Set(reported)).join(" ")}
      </p>
      {isEdited && (
        <button type="button" class="plain" onClick={actions.compareAgain}>
          Compare again with the edited scores
        </button>
      )}
    </section>
  );
}

/** Chooses what is judged: the answer, or one of its scores, which the judgement takes the place of. */
function About(props: { scorers: readonly string[]; scorer: string; choose: (scorer: string) => void }) {
  const { scorers, scorer, choose } = props;
  if (scorers.length === 0) return null;
  return (
    <label>
      <span class="unseen">About</span>
      <select value={scorer} onChange={(event) => choose(event.currentTarget.value)}>
        <option value="">the answer</option>
        {scorers.map((each) => (
          <option key={each} value={each}>
            edit the score {each}
          </option>
        ))}
      </select>
    </label>
  );
}

/** True for the keys that end a field; the Enter that ends a word of an input method ends no field. */
function endsField(event: KeyboardEvent): boolean {
  if (event.isComposing || (event.key !== "Enter" && event.key !== "Escape")) return false;
  event.stopPropagation();
  event.preventDefault();
  return true;
}

function NumberField({ keep }: { keep: (value: string) => void }) {
  return (
    <label>
      <span>or a number</span>
      <input
        class="short"
        inputMode="decimal"
        placeholder="then Enter"
        onKeyDown={(event) => {
          if (!endsField(event)) return;
          const { value } = event.currentTarget;
          event.currentTarget.blur();
          if (event.key === "Enter" && value.trim() !== "") keep(value.trim());
        }}
      />
    </label>
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
          if (!endsField(event)) return;
          event.currentTarget.blur();
          if (event.key === "Enter") onEnter();
        }}
      />
    </label>
  );
}

/** The name of the one who judges. Enter leaves the field, so that the keys that follow judge. */
function AuthorField() {
  const [author, setAuthor] = useAuthor();
  return (
    <label>
      <span>By</span>
      <input
        class="short"
        dir="auto"
        value={author}
        onInput={(event) => setAuthor(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (endsField(event)) event.currentTarget.blur();
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
function SaidOfRow(props: {
  sides: readonly JudgedSide[];
  judged: JudgedRow;
  takeBack: (side: JudgedSide, label: Label) => void;
}) {
  const { sides, judged, takeBack } = props;
  const labels = sides.flatMap((side) => (judged.labels[side.jobId] ?? []).map((label) => ({ side, label })));
  if (labels.length === 0) return null;
  return (
    <ul class="said-of-row" aria-label="Judged">
      {labels.map(({ side, label }) => {
        const { scorer, label: word, note, author, at, edits = false } = label;
        return (
          <li key={`${side.jobId} ${scorer} ${author}`}>
            <bdi>{author === "" ? "somebody" : author}</bdi>:{" "}
            <b>
              <bdi>{side.name}</bdi>
              {scorer !== "" && (
                <>
                  , <bdi>{scorer}</bdi> {edits && "edited"}
                </>
              )}{" "}
              is {signs[word] ?? ""}
              {word}
            </b>{" "}
            <span dir="auto">{note}</span> <span class="quiet">{momentLabel(at)}</span>{" "}
            <button type="button" class="link" onClick={() => takeBack(side, label)}>
              Take back
            </button>
          </li>
        );
      })}
    </ul>
  );
}

const signs: Record<string, string> = { good: "✓ ", bad: "✗ " };
