import type { Label, NewLabel, NewVote, Vote } from "../../api.ts";
import type { Actions } from "../data/source.ts";

type Keeping = Pick<Actions, "label" | "takeBack" | "vote" | "takeBackVote">;

/** A judgement that was made, or taken back. */
interface Done {
  /** Such as `good of prod`. */
  what: string;
  /** Key of its row. */
  row: string;
  undo: () => Promise<unknown>;
}

type About = Omit<Done, "undo">;

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
  vote: (actions: Keeping, given: NewVote, about: About) => Promise<void>;
  /** The same for a vote. */
  voteFound: (actions: Keeping, find: () => Promise<NewVote | null>, about: About) => Promise<NewVote | null>;
  takeBackVote: (actions: Keeping, given: NewVote, about: About) => Promise<void>;
  /** Resolves with what is undone; null: there was nothing. */
  undo: () => Promise<About | null>;
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
    const before = await actions.label(given);
    done.push({ ...about, undo: () => restoreLabel(actions, given, before) });
    const note = given.note ?? before?.note ?? null;
    if (note !== given.note) await actions.label({ ...given, note });
    return note;
  };
  const vote: Judgements["vote"] = async (actions, given, about) => {
    const before = await actions.vote(given);
    done.push({ ...about, undo: () => restoreVote(actions, given, before) });
    const note = given.note ?? before?.note ?? null;
    if (note !== given.note) await actions.vote({ ...given, note });
  };
  const ifFound = <Given>(find: () => Promise<Given | null>, judge: (given: Given) => Promise<unknown>) =>
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
        done.push({ ...about, undo: () => actions.label(given) });
      }),
    vote: (actions, given, about) => inTurn(() => vote(actions, given, about)),
    voteFound: (actions, find, about) => ifFound(find, (given) => vote(actions, given, about)),
    takeBackVote: (actions, given, about) =>
      inTurn(async () => {
        await restoreVote(actions, given, null);
        done.push({ ...about, undo: () => actions.vote(given) });
      }),
    undo: () =>
      inTurn(async () => {
        const last = done.pop();
        if (last === undefined) return null;
        await last.undo();
        return last;
      }),
  };
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
