import type { Label, NewLabel, NewVote, OldLabel, OldVote, RowJudged, Vote } from "../../api.ts";
import { Refused } from "../data/server-calls.ts";
import type { Actions } from "../data/source.ts";

/** The calls that judging one answer or two makes. */
export interface Keeping extends Pick<Actions, "label" | "takeBack" | "vote" | "takeBackVote"> {
  judged: (key: string) => Promise<RowJudged>;
}

interface About {
  /** Such as `good of prod`. */
  what: string;
  /** Key of its row. */
  row: string;
}

/** A judgement that was made, or taken back. */
interface Done extends About {
  /** It stands as it was left: no other tab and no sheet has changed it since. */
  stands: () => Promise<boolean>;
  undo: () => Promise<unknown>;
}

/**
 * The judgements of a report, each made when those before it are kept: keys come faster than answers. The last one can
 * be undone, wherever it was made; what stood there before stands there again.
 */
export interface Judgements {
  /** Resolves with the note that stands there now: that of the label before, where there is no new one. */
  label: (actions: Keeping, given: NewLabel, about: About) => Promise<string | null>;
  /** Keeps a label that is found when those before it are kept, and resolves with it; null: there was none. */
  labelFound: (actions: Keeping, find: () => Promise<NewLabel | null>, about: About) => Promise<NewLabel | null>;
  takeBack: (actions: Keeping, given: NewLabel, about: About) => Promise<void>;
  /** The same for a vote. */
  voteFound: (actions: Keeping, find: () => Promise<NewVote | null>, about: About) => Promise<NewVote | null>;
  takeBackVote: (actions: Keeping, given: NewVote, about: About) => Promise<void>;
  /** Resolves with what is undone, or was changed by somebody else since and stays; null: there was nothing. */
  undo: () => Promise<(About & { isUndone: boolean }) | null>;
}

export function judgements(): Judgements {
  const done: Done[] = [];
  let begun: Promise<unknown> = Promise.resolve();
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = begun.then(work);
    begun = result.catch(() => {});
    return result;
  };
  const label: Judgements["label"] = async (actions, given, about) => {
    const { label: kept, before } = await actions.label(given);
    const note = given.note ?? before?.note ?? null;
    // The same word again is nothing to undo.
    if (before?.label !== kept || before.note !== note) {
      const stands = labelStands(actions, given, { row: about.row, label: kept });
      done.push({ ...about, stands, undo: () => restoreLabel(actions, given, before) });
    }
    if (note !== given.note) await actions.label({ ...given, note });
    return note;
  };
  const vote = async (actions: Keeping, given: NewVote, about: About): Promise<void> => {
    const before = await actions.vote(given);
    const stands = voteStands(actions, given, { row: about.row, better: given.better });
    done.push({ ...about, stands, undo: () => restoreVote(actions, given, before) });
    const note = given.note ?? before?.note ?? null;
    if (note !== given.note) await actions.vote({ ...given, note });
  };
  const ifFound = <Props>(find: () => Promise<Props | null>, judge: (given: Props) => Promise<unknown>) =>
    inTurn(async () => {
      const given = await find();
      if (given !== null) await judge(given);
      return given;
    });
  return {
    label: (actions, given, about) => inTurn(() => label(actions, given, about)),
    labelFound: (actions, find, about) => ifFound(find, (given) => label(actions, given, about)),
    takeBack: (actions, given, about) =>
      inTurn(async () => {
        await restoreLabel(actions, given, null);
        const stands = labelStands(actions, given, { row: about.row, label: null });
        done.push({ ...about, stands, undo: () => actions.label(given) });
      }),
    voteFound: (actions, find, about) => ifFound(find, (given) => vote(actions, given, about)),
    takeBackVote: (actions, given, about) =>
      inTurn(async () => {
        await restoreVote(actions, given, null);
        const stands = voteStands(actions, given, { row: about.row, better: null });
        done.push({ ...about, stands, undo: () => actions.vote(given) });
      }),
    undo: () => inTurn(() => undoLast(done)),
  };
}

/** Undoes the last judgement; where nobody answers, it stays to be undone. */
async function undoLast(done: Done[]): ReturnType<Judgements["undo"]> {
  const last = done.at(-1);
  if (last === undefined) return null;
  const { what, row } = last;
  const isUndone = await last.stands();
  try {
    if (isUndone) await last.undo();
  } catch (error) {
    if (error instanceof Refused) done.pop();
    throw error;
  }
  done.pop();
  return { what, row, isUndone };
}

function labelStands(
  actions: Keeping,
  { jobId, scorer, author }: OldLabel,
  left: { row: string; label: string | null },
) {
  return async (): Promise<boolean> => {
    const { labels } = await actions.judged(left.row);
    const now = labels[jobId]?.find((each) => each.scorer === scorer && each.author === author);
    return (now?.label ?? null) === left.label;
  };
}

function voteStands(actions: Keeping, given: OldVote, left: { row: string; better: Vote["better"] | null }) {
  return async (): Promise<boolean> => {
    const { votes } = await actions.judged(left.row);
    const now = votesOfPair(votes, given).find(({ author }) => author === given.author);
    return (now?.better ?? null) === left.better;
  };
}

/** The votes on two answers. */
export function votesOfPair(
  votes: readonly Vote[],
  { baselineJob, candidateJob }: Pick<Vote, "baselineJob" | "candidateJob">,
): Vote[] {
  return votes.filter((vote) => vote.baselineJob === baselineJob && vote.candidateJob === candidateJob);
}

async function restoreLabel(
  actions: Keeping,
  given: NewLabel,
  before: Pick<Label, "label" | "note"> | null,
): Promise<void> {
  const { jobId, scorer, author } = given;
  if (before === null) await actions.takeBack({ jobId, scorer, author });
  else await actions.label({ ...given, ...before });
}

async function restoreVote(
  actions: Keeping,
  given: NewVote,
  before: Pick<Vote, "better" | "blind" | "note"> | null,
): Promise<void> {
  const { baselineJob, candidateJob, author } = given;
  if (before === null) await actions.takeBackVote({ baselineJob, candidateJob, author });
  else await actions.vote({ ...given, ...before });
}
