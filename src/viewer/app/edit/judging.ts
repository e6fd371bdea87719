import type { Label, NewLabel } from "../../api.ts";
import type { SetAddress } from "../data/address.ts";
import type { Actions, ListQuery } from "../data/source.ts";
import { type Judgements, judgements, type Keeping } from "./judgements.ts";

/** One answer that is judged. */
export interface JudgedSide {
  name: string;
  jobId: number;
}

/** Answers that are judged without names. */
export interface BlindAnswers {
  /** Nothing tells yet whose they are. */
  isHidden: boolean;
  /** A label under this name is kept now. */
  onKept: (jobId: number, author: string) => void;
  told: string;
}

export interface Judged {
  actions: Actions;
  query: ListQuery;
  rowKey: string;
  /** Null: answers are judged by their names. */
  blind: BlindAnswers | null;
  setAddress: SetAddress;
}

export interface JudgedBy extends Judged {
  side: JudgedSide | undefined;
  /** The score that is edited; empty: the answer is judged. */
  scorer: string;
  note: string;
  author: string;
}

/** The words on a judgement, and whether the note that was written is kept with it. */
export interface JudgeOutcome {
  text: string;
  isNoteKept: boolean;
}

const judgedInReports = new WeakMap<object, Judgements>();

/** All that was judged in the report that these actions belong to: undoing never reaches into another one. */
export function judgedWith(actions: object): Judgements {
  const known = judgedInReports.get(actions) ?? judgements();
  judgedInReports.set(actions, known);
  return known;
}

type Labelling = Pick<JudgedBy, "rowKey" | "side" | "scorer" | "note" | "author"> & { actions: Keeping };

let isNameAsked = false;

/** Asks the one who judges for a name, at the first judgement without one. */
function nameAsked(author: string): string {
  if (author !== "" || isNameAsked) return "";
  isNameAsked = true;
  return " Write your name once under By: it is remembered here, and your judgements say whose they are.";
}

/** Calls an answer good or bad, or puts another grade in the place of one of its scores; its note stays where no new one is given. */
export async function labelAnswer(given: Labelling, verdict: string): Promise<JudgeOutcome> {
  const { actions, rowKey, side, scorer, note, author } = given;
  if (side === undefined) return { text: "There is no answer to judge.", isNoteKept: false };
  if (scorer !== "" && (note === "" || author === ""))
    return { text: "A score is edited by somebody, for a reason: fill in Note and By.", isNoteKept: false };
  const { jobId } = side;
  const name = scorer === "" ? side.name : `${scorer} of ${side.name}`;
  const label = { jobId, scorer, label: verdict, note: noteOf(note), author };
  const kept = await judgedWith(actions).label(actions, label, { what: `${verdict} of ${name}`, row: rowKey });
  const reported =
    kept === null ? `Kept: ${name} is ${verdict}.` : `Kept: ${name} is ${verdict}, with the note “${kept}”.`;
  const more = scorer === "" ? nameAsked(author) : countedLater;
  return { text: `${reported}${more}`, isNoteKept: true };
}

const countedLater =
  " What is compared from now on counts it. The files of the batch are of before: tandem report writes them again.";

/** Takes a label back. */
export async function takeLabelBack(
  { actions, rowKey }: Pick<Judged, "actions" | "rowKey">,
  { name, jobId }: JudgedSide,
  { scorer, label, note, author }: Label,
): Promise<string> {
  const about = { what: `${label} of ${scorer === "" ? name : `${scorer} of ${name}`}`, row: rowKey };
  await judgedWith(actions).takeBack(actions, { jobId, scorer, label, note, author }, about);
  return "Taken back.";
}

/** Puts a note to what was judged already; where nothing was, says what to do first. */
export async function addNote(given: Labelling): Promise<JudgeOutcome> {
  const { actions, rowKey, side, note } = given;
  const about = { what: `the note on ${side?.name ?? ""}`, row: rowKey };
  const kept = await judgedWith(actions).labelFound(actions, () => labelWithNote(given), about);
  return kept === null
    ? { text: "Judge first: g or b; the note goes with it.", isNoteKept: false }
    : { text: `Note kept: ${note}`, isNoteKept: true };
}

/** The label of the one who writes, else one without a name. */
async function labelWithNote(given: Labelling): Promise<NewLabel | null> {
  const { actions, rowKey, side, scorer, note, author } = given;
  if (side === undefined) return null;
  const { labels } = await actions.judged(rowKey);
  const ofAnswer = labels[side.jobId] ?? [];
  const own = labelBy(ofAnswer, { scorer, author }) ?? labelBy(ofAnswer, { scorer, author: "" });
  return own === undefined ? null : { jobId: side.jobId, scorer, label: own.label, note, author: own.author };
}

/** The label that somebody gave to an answer, or to one of its scores. */
export function labelBy(labels: readonly Label[], by: Pick<Label, "scorer" | "author">): Label | undefined {
  return labels.find((each) => each.scorer === by.scorer && each.author === by.author);
}

const noteOf = (note: string): string | null => (note === "" ? null : note);
