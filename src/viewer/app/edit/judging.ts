import type { Label, NewLabel, NewVote } from "../../api.ts";
import type { SetAddress } from "../data/address.ts";
import type { Actions, ListQuery } from "../data/source.ts";
import { type Judgements, judgements, type Keeping, votesOfPair } from "./judgements.ts";

/** One answer that is judged. */
export interface JudgedSide {
  name: string;
  jobId: number;
}

export type VoteChoice = "A" | "B" | "neither";

/** Two answers without names, of which one is called better. */
export interface BlindPair {
  vote: (choice: VoteChoice) => Omit<NewVote, "note" | "author">;
  /** A vote under this name is kept now: the names may be shown. */
  onKept: (author: string) => void;
  /** The choice that stands; null: none, and the names are hidden. */
  chosen: VoteChoice | null;
  told: string;
}

export interface Judged {
  actions: Actions;
  query: ListQuery;
  rowKey: string;
  /** Null: answers are judged one by one, by their names. */
  blind: BlindPair | null;
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

type Labelling = Pick<JudgedBy, "rowKey" | "side" | "note" | "author"> & { actions: Keeping };

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
  const reported =
    kept === null ? `Kept: ${name} is ${verdict}.` : `Kept: ${name} is ${verdict}, with the note “${kept}”.`;
  return { text: reported + nameAsked(author), isNoteKept: true };
}

type Voting = Omit<Labelling, "side"> & { blind: BlindPair };

/** Says which of two answers is better. The same word again leaves the first one as it was: blind, if it was that. */
export async function voteOn(given: Voting, choice: VoteChoice): Promise<JudgeOutcome> {
  const { actions, rowKey, blind, note, author } = given;
  const vote = { ...blind.vote(choice), note: noteOf(note), author };
  const changed = async (): Promise<NewVote | null> => {
    const own = (await votesOn(given, vote)).find((each) => each.author === author);
    if (own?.better !== vote.better) return vote;
    return vote.note === null ? null : { ...vote, blind: own.blind };
  };
  await judgedWith(actions).voteFound(actions, changed, { what: "the vote", row: rowKey });
  blind.onKept(author);
  return { text: nameAsked(author).trim(), isNoteKept: true };
}

/** Puts a note to what was judged already; where nothing was, says what to do first. */
export async function addNote({ blind, ...given }: Labelling & Pick<JudgedBy, "blind">): Promise<JudgeOutcome> {
  const { actions, rowKey, side, note } = given;
  const about = { what: blind === null ? `the note on ${side?.name ?? ""}` : "the note", row: rowKey };
  const kept =
    blind === null
      ? await judgedWith(actions).labelFound(actions, () => labelWithNote(given), about)
      : await judgedWith(actions).voteFound(actions, () => voteWithNote({ ...given, blind }), about);
  if (kept !== null) return { text: `Note kept: ${note}`, isNoteKept: true };
  const keys = blind === null ? "g or b" : "1, 2 or 0";
  return { text: `Judge first: ${keys}; the note goes with it.`, isNoteKept: false };
}

/** The label of the one who writes, else one without a name. */
async function labelWithNote({ actions, rowKey, side, note, author }: Labelling): Promise<NewLabel | null> {
  if (side === undefined) return null;
  const { labels } = await actions.judged(rowKey);
  const ofAnswer = labels[side.jobId] ?? [];
  const own = labelBy(ofAnswer, author) ?? labelBy(ofAnswer, "");
  return own === undefined ? null : { jobId: side.jobId, scorer: "", label: own.label, note, author: own.author };
}

/** The label that somebody gave to an answer. */
export function labelBy(labels: readonly Label[], author: string): Label | undefined {
  return labels.find((each) => each.scorer === "" && each.author === author);
}

async function votesOn({ actions, rowKey }: Voting, pair: Pick<NewVote, "baselineJob" | "candidateJob">) {
  const { votes } = await actions.judged(rowKey);
  return votesOfPair(votes, pair);
}

async function voteWithNote(given: Voting): Promise<NewVote | null> {
  const { blind, note, author } = given;
  const { baselineJob, candidateJob } = blind.vote("neither");
  const ofPair = await votesOn(given, { baselineJob, candidateJob });
  const own = ofPair.find((each) => each.author === author) ?? ofPair.find((each) => each.author === "");
  if (own === undefined) return null;
  return { baselineJob, candidateJob, better: own.better, blind: own.blind, note, author: own.author };
}

const noteOf = (note: string): string | null => (note === "" ? null : note);
