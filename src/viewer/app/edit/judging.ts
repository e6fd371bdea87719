import type { NewLabel, NewVote } from "../../api.ts";
import type { SetAddress } from "../data/address.ts";
import type { Actions, ListQuery } from "../data/source.ts";
import { type Judgements, judgements } from "./judgements.ts";

/** One answer that is judged. */
export interface JudgedSide {
  name: string;
  jobId: number;
}

export type VoteChoice = "A" | "B" | "neither";

/** Two answers without names, of which one is called better. */
interface BlindPair {
  vote: (choice: VoteChoice) => Omit<NewVote, "note" | "author">;
  told: string | null;
}

export interface Judged {
  actions: Actions;
  query: ListQuery;
  rowKey: string;
  /** Null: answers are judged one by one, by their names. */
  blind: BlindPair | null;
  onVote: (choice: VoteChoice | null) => void;
  onChange: () => void;
  setAddress: SetAddress;
}

export interface JudgedBy extends Judged {
  side: JudgedSide | undefined;
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

/** The calls that judging one answer or two makes. */
type JudgeActions = Pick<Actions, "judged" | "label" | "takeBack" | "vote" | "takeBackVote">;

type Labelling = Pick<JudgedBy, "rowKey" | "side" | "note" | "author"> & { actions: JudgeActions };

let isNameAsked = false;

/** Asks the one who judges for a name, at the first judgement without one. */
function nameAsked(author: string): string {
  if (author !== "" || isNameAsked) return "";
  isNameAsked = true;
  return " Write your name once under By: it is remembered here, and your judgements say whose they are.";
}

/** Calls an answer good or bad; its note stays where no new one is given. */
export async function labelAnswer(given: Labelling, verdict: "good" | "bad"): Promise<JudgeOutcome> {
  const { actions, rowKey, side, note, author } = given;
  if (side === undefined) return { text: "There is no answer to judge.", isNoteKept: false };
  const { name, jobId } = side;
  const label = { jobId, scorer: "", label: verdict, note: noteOf(note), author };
  const kept = await judgedWith(actions).label(actions, label, { what: `${verdict} of ${name}`, row: rowKey });
  const told = kept === null ? `Kept: ${name} is ${verdict}.` : `Kept: ${name} is ${verdict}, with the note “${kept}”.`;
  return { text: told + nameAsked(author), isNoteKept: true };
}

/** Says which of two answers is better. */
export async function voteOn(given: JudgedBy, choice: VoteChoice): Promise<JudgeOutcome> {
  const { actions, rowKey, blind, note, author, onVote } = given;
  if (blind === null) return { text: "", isNoteKept: false };
  const vote = { ...blind.vote(choice), note: noteOf(note), author };
  await judgedWith(actions).vote(actions, vote, { what: "the vote", row: rowKey });
  onVote(choice);
  return { text: nameAsked(author).trim(), isNoteKept: true };
}

/** Puts a note to what was judged already; where nothing was, says what to do first. */
export async function addNote(given: Labelling & Pick<JudgedBy, "blind">): Promise<JudgeOutcome> {
  const { actions, rowKey, blind, side, note } = given;
  const about = { what: blind === null ? `the note on ${side?.name ?? ""}` : "the note", row: rowKey };
  const kept =
    blind === null
      ? await judgedWith(actions).labelFound(actions, () => labelWithNote(given), about)
      : await judgedWith(actions).voteFound(actions, () => voteWithNote(given, blind), about);
  if (kept !== null) return { text: `Note kept: ${note}`, isNoteKept: true };
  const keys = blind === null ? "g or b" : "a, b or t";
  return { text: `Judge first: ${keys}; the note goes with it.`, isNoteKept: false };
}

/** The label of the one who writes, else one without a name. */
async function labelWithNote({ actions, rowKey, side, note, author }: Labelling): Promise<NewLabel | null> {
  if (side === undefined) return null;
  const { labels } = await actions.judged(rowKey);
  const ofAnswer = (labels[side.jobId] ?? []).filter(({ scorer }) => scorer === "");
  const own = ofAnswer.find((each) => each.author === author) ?? ofAnswer.find((each) => each.author === "");
  return own === undefined ? null : { jobId: side.jobId, scorer: "", label: own.label, note, author: own.author };
}

async function voteWithNote(given: Labelling, blind: BlindPair): Promise<NewVote | null> {
  const { actions, rowKey, note, author } = given;
  const { baselineJob, candidateJob } = blind.vote("neither");
  const { votes } = await actions.judged(rowKey);
  const ofPair = votes.filter((each) => each.baselineJob === baselineJob && each.candidateJob === candidateJob);
  const own = ofPair.find((each) => each.author === author) ?? ofPair.find((each) => each.author === "");
  if (own === undefined) return null;
  return { baselineJob, candidateJob, better: own.better, blind: own.blind, note, author: own.author };
}

const noteOf = (note: string): string | null => (note === "" ? null : note);
