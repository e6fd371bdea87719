import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { counted, number } from "../../../report/words/quantity.ts";
import type { CaseToLabel, DrawnLabelKept, DrawToLabel } from "../../api.ts";
import { ask, tell } from "../data/server-calls.ts";
import { LongText } from "../parts/long-text.tsx";
import { useAuthor } from "./author.ts";
import { AuthorField } from "./author-field.tsx";
import { useJudgeKeys } from "./use-judge.ts";

interface Of {
  batch: string;
  /** Name of the target that was drawn for; null: of the latest draw. */
  candidate: string | null;
}

/** A word that was kept, and the one before it. */
interface Kept {
  task: string;
  answer: string;
  mark: string;
  before: DrawnLabelKept["before"];
}

/** Labels the cases that were drawn of a batch, one after the other: both answers without names, without grades, by keys. */
export function DrawLabelling(of: Of) {
  const [author] = useAuthor();
  const by = author.trim();
  const [draw, setDraw] = useState<DrawToLabel | null>(null);
  const [at, setAt] = useState(0);
  const [said, say] = useState("");
  useEffect(() => {
    let isWanted = true;
    const load = async (): Promise<void> => {
      const found = await ask<DrawToLabel>("draw", query(of, by));
      if (!isWanted) return;
      setDraw(found);
      setAt(nextOpen(found.cases, -1) ?? 0);
    };
    load().catch((error: unknown) => isWanted && say(wordsOf(error)));
    return () => {
      isWanted = false;
    };
  }, [of.batch, of.candidate, by]);
  useEffect(() => {
    document.title = "Label drawn cases · tandem";
  }, []);
  const done = draw?.cases.filter(({ isDone }) => isDone).length ?? 0;
  const total = draw?.cases.length ?? 0;
  const current = draw?.cases[at];
  return (
    <main class="label-draw">
      <p class="facts">
        <a href="#">Home</a>
        {draw !== null && (
          <>
            <bdi>{draw.suite}</bdi>
            <a href={`#batch=${encodeURIComponent(draw.batch)}`}>To the result</a>
          </>
        )}
      </p>
      <h1>Label drawn cases</h1>
      {draw !== null && total > 0 && (
        <p>
          <progress max={total} value={done} aria-label="Cases labelled" />{" "}
          <span class="done">
            {number(done)} of {number(total)} drawn labelled
          </span>
        </p>
      )}
      {draw !== null && current !== undefined ? (
        <OneCase
          key={`${current.id} ${by}`}
          {...{ of, draw, by, said, say, at }}
          task={current.id}
          step={(by_) => setAt(Math.min(total - 1, Math.max(0, at + by_)))}
          onDone={(task, { isDone, leadsOn }) => {
            const cases = draw.cases.map((each) => (each.id === task ? { ...each, isDone } : each));
            setDraw({ ...draw, cases });
            const here = cases.findIndex(({ id }) => id === task);
            const next = leadsOn ? nextOpen(cases, here) : here;
            if (next === null) say("All drawn cases are labelled. Thank you: the result counts them.");
            else setAt(Math.max(0, next));
          }}
          toOpen={() => {
            const next = nextOpen(draw.cases, at);
            if (next === null) say("All drawn cases are labelled.");
            else setAt(next);
          }}
        />
      ) : (
        <div class="label-bar">
          <AuthorField />
          <p role="status">{said === "" ? emptyWords(draw) : said}</p>
        </div>
      )}
    </main>
  );
}

function emptyWords(draw: DrawToLabel | null): string {
  if (draw === null) return "Opening ...";
  const names = draw.labellers.join(", ");
  return names === ""
    ? "Nothing is drawn."
    : `These cases are shared among ${names}: write one of these names under By. Others are asked where they do not agree.`;
}

/** Place of the next case that is open, from the beginning again behind the last; null: none is. */
function nextOpen(cases: DrawToLabel["cases"], from: number): number | null {
  const order = [...cases.keys()].toSorted((one, other) => Number(one <= from) - Number(other <= from) || one - other);
  return order.find((place) => cases[place]?.isDone === false) ?? null;
}

function query({ batch, candidate }: Of, author: string): URLSearchParams {
  return new URLSearchParams({ batch, ...(candidate !== null && { candidate }), author });
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

interface CaseProps {
  of: Of;
  draw: DrawToLabel;
  task: string;
  at: number;
  by: string;
  said: string;
  say: (text: string) => void;
  step: (by: 1 | -1) => void;
  /** A case has all its words, or lacks one again; `leadsOn`: the next open one is shown then, and else it. */
  onDone: (task: string, how: { isDone: boolean; leadsOn: boolean }) => void;
  toOpen: () => void;
}

/** Words that were kept in this page, the last one first to be undone. */
const kept: Kept[] = [];

function OneCase({ of, draw, task, at, by, said, say, step, onDone, toOpen }: CaseProps) {
  const [found, setFound] = useState<CaseToLabel | null>(null);
  const [side, setSide] = useState(0);
  const [note, setNote] = useState("");
  const noteField = useRef<HTMLInputElement>(null);
  const isBusy = useRef(false);
  useEffect(() => {
    let isWanted = true;
    const asked = query(of, by);
    asked.set("case", task);
    const load = async (): Promise<void> => {
      const answer = await ask<CaseToLabel>("drawn", asked);
      if (!isWanted) return;
      setFound(answer);
      const open = answer.answers.findIndex(({ label }) => label === null);
      setSide(Math.max(0, open));
    };
    load().catch((error: unknown) => isWanted && say(wordsOf(error)));
    return () => {
      isWanted = false;
    };
  }, [task, by]);
  const answers = found?.answers ?? [];
  const current = answers[side];
  const about = { batch: of.batch, candidate: of.candidate, author: by };
  const busy = async (work: () => Promise<void>): Promise<void> => {
    if (isBusy.current) return;
    isBusy.current = true;
    try {
      await work();
    } catch (error) {
      say(wordsOf(error));
    } finally {
      isBusy.current = false;
    }
  };
  const label = (word: string): Promise<void> =>
    busy(async () => {
      if (current === undefined) return;
      const { id: answer, mark } = current;
      const given = {
        ...about,
        task,
        answer,
        mark,
        label: word,
        note: note.trim() === "" ? current.note : note.trim(),
      };
      const { before } = await tell<DrawnLabelKept>("drawn", given);
      kept.push({ task, answer, mark, before });
      const now = answers.map((each) => (each.id === answer ? { ...each, label: word, note: given.note } : each));
      setFound(found === null ? null : { ...found, answers: now });
      setNote("");
      say(`Kept: ${letters[side] ?? ""} is ${word}.`);
      const open = now.findIndex((each) => each.label === null);
      if (open !== -1) setSide(open);
      // Where everything was labelled before, who changes a word stays to see it.
      else onDone(task, { isDone: true, leadsOn: before === null });
    });
  const undo = (): Promise<void> =>
    busy(async () => {
      const last = kept.at(-1);
      if (last === undefined) return say("There is nothing to undo.");
      const { before, ...rest } = last;
      const { mark, ...old } = { ...about, ...rest };
      if (before === null) await tell("drawn", old, "DELETE");
      else await tell("drawn", { ...old, mark, ...before });
      kept.pop();
      say("Undone.");
      if (last.task !== task) return onDone(last.task, { isDone: before !== null, leadsOn: false });
      const now = answers.map((each) => {
        return each.id === last.answer ? { ...each, label: before?.label ?? null, note: before?.note ?? null } : each;
      });
      setFound(found === null ? null : { ...found, answers: now });
      setSide(answers.findIndex(({ id }) => id === last.answer));
      onDone(task, { isDone: now.every((each) => each.label !== null), leadsOn: false });
    });
  const numberField = useRef<HTMLInputElement>(null);
  const digits = draw.scale === null ? [] : digitsOf(draw.scale);
  const typed = (sign: string): void => {
    const field = numberField.current;
    if (field === null) return;
    field.value += sign;
    field.focus();
  };
  const keys: Record<string, () => void> = {
    ...(draw.scale === null && { g: () => void label("good"), b: () => void label("bad") }),
    ...(draw.scale !== null &&
      Object.fromEntries(
        numberSigns.map((sign) => [sign, () => (digits.includes(sign) ? void label(sign) : typed(sign))]),
      )),
    s: () => setSide((side + 1) % Math.max(1, answers.length)),
    n: () => noteField.current?.focus(),
    u: () => void undo(),
    l: toOpen,
    j: () => step(1),
    k: () => step(-1),
  };
  useJudgeKeys(keys);
  if (found === null) return <p role="status">{said === "" ? "Opening ..." : said}</p>;
  const button = (key: string, text: string, isPressed?: boolean) => (
    <button type="button" class="plain" onClick={keys[key]} aria-keyshortcuts={key} aria-pressed={isPressed}>
      {text} <kbd aria-hidden="true">{key}</kbd>
    </button>
  );
  return (
    <>
      <section class="asked" aria-label={`Case ${number(at + 1)} of ${number(draw.cases.length)}`}>
        <p class="prompt text" dir="auto">
          <LongText text={found.question} />
        </p>
        {found.expected !== null && (
          <div class="expected">
            <h3>Expected</h3>
            <p class="text" dir="auto">
              <LongText text={found.expected} />
            </p>
          </div>
        )}
      </section>
      <div class="answers">
        {answers.map(({ id, text, earlier, label: own }, place) => (
          <section key={id} aria-label={`Answer ${letters[place] ?? ""}`} aria-current={place === side}>
            <h2>
              <button type="button" class="link" onClick={() => setSide(place)}>
                Answer {letters[place]}
              </button>{" "}
              {own !== null && (
                <span class="quiet">
                  {signs[own] ?? ""}
                  {own}
                </span>
              )}
            </h2>
            <EarlierTurns turns={earlier} />
            <div class="said text" dir="auto">
              <LongText text={text} />
            </div>
          </section>
        ))}
      </div>
      {answers.length < 2 && (
        <p class="quiet">The other side gave no answer: {counted(answers.length, "answer")} to label.</p>
      )}
      <div class="label-bar" role="group" aria-label="Label the answer">
        {button("s", `Labelling ${letters[side] ?? ""}`)}
        {draw.scale === null ? (
          <>
            {button("g", "✓ Good", current?.label === "good")}
            {button("b", "✗ Bad", current?.label === "bad")}
          </>
        ) : (
          <>
            {digits.map((digit) => (
              <button
                key={digit}
                type="button"
                class="plain"
                onClick={keys[digit]}
                aria-keyshortcuts={digit}
                aria-pressed={current?.label === digit}
              >
                {digit}
              </button>
            ))}
            <NumberField field={numberField} scale={draw.scale} say={say} label={(word) => void label(word)} />
          </>
        )}
        <label>
          <span>Note</span> <kbd aria-hidden="true">n</kbd>
          <input
            ref={noteField}
            dir="auto"
            value={note}
            placeholder={current?.note ?? "kept with your label"}
            onInput={(event) => setNote(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.isComposing || (event.key !== "Enter" && event.key !== "Escape")) return;
              event.currentTarget.blur();
            }}
          />
        </label>
        <AuthorField />
        {button("u", "Undo")}
        {button("k", "Previous")}
        {button("j", "Next")}
        {button("l", "Next unlabelled")}
        <p role="status" class="quiet">
          {said}
          {by === "" ? " Write your name once under By: it is kept with your labels." : ""}
        </p>
      </div>
    </>
  );
}

const letters = ["A", "B"];
const signs: Record<string, string> = { good: "✓ ", bad: "✗ " };

/** Signs that may begin a number. */
const numberSigns = ["-", ...Array.from({ length: 10 }, (_, digit) => String(digit))];

/** The digits that each are a whole mark of a scale, as of 1 to 5 stars; none where a mark may take two of them. */
function digitsOf({ min = -Infinity, max = Infinity }: NonNullable<DrawToLabel["scale"]>): string[] {
  if (min < 0 || max > 9 || max - min < 2) return [];
  return numberSigns.filter((sign) => sign !== "-" && Number(sign) >= min && Number(sign) <= max);
}

interface NumberFieldProps {
  field: RefObject<HTMLInputElement | null>;
  scale: NonNullable<DrawToLabel["scale"]>;
  say: (text: string) => void;
  label: (word: string) => void;
}

/** A number of any kind, which a digit begins wherever somebody is on the page, and Enter keeps. */
function NumberField({ field, scale, say, label }: NumberFieldProps) {
  const { min = -Infinity, max = Infinity } = scale;
  const ends = Number.isFinite(min) && Number.isFinite(max) ? `${min} to ${max}` : "Number";
  return (
    <label>
      <span>{ends}</span>
      <input
        ref={field}
        inputMode="decimal"
        placeholder="then Enter"
        onKeyDown={(event) => {
          const { value } = event.currentTarget;
          if (event.key === "Escape") event.currentTarget.value = "";
          if (event.key === "Escape" || (event.key === "Enter" && value.trim() === "")) event.currentTarget.blur();
          if (event.key !== "Enter" || value.trim() === "") return;
          const given = Number(value.trim().replace(",", "."));
          if (!(given >= min && given <= max)) return say(`${value} is no mark here: ${ends}.`);
          event.currentTarget.value = "";
          event.currentTarget.blur();
          label(String(given));
        }}
      />
    </label>
  );
}

/** The turns before an answer, with what its side said to each question. */
function EarlierTurns({ turns }: { turns: CaseToLabel["answers"][number]["earlier"] }) {
  if (turns.length === 0) return null;
  return (
    <section class="earlier-turns" aria-label="Earlier in this conversation">
      <ol>
        {turns.map(({ question, answer }, place) => (
          <li key={place}>
            <p class="quiet text" dir="auto">
              <LongText text={question} />
            </p>
            <p class="text" dir="auto">
              <LongText text={answer ?? "(no answer)"} />
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}
