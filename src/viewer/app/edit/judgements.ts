import type { Label, NewLabel, OldLabel, RowJudged } from "../../api.ts";
import { Refused } from "../data/server-calls.ts";
import type { Actions } from "../data/source.ts";

/** The calls that judging an answer makes. */
export interface Keeping extends Pick<Actions, "label" | "takeBack"> {
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
  return {
    label: (actions, given, about) => inTurn(() => label(actions, given, about)),
    labelFound: (actions, find, about) =>
      inTurn(async () => {
        const given = await find();
        if (given !== null) await label(actions, given, about);
        return given;
      }),
    takeBack: (actions, given, about) =>
      inTurn(async () => {
        await restoreLabel(actions, given, null);
        const stands = labelStands(actions, given, { row: about.row, label: null });
        done.push({ ...about, stands, undo: () => actions.label(given) });
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

async function restoreLabel(
  actions: Keeping,
  given: NewLabel,
  before: Pick<Label, "label" | "note"> | null,
): Promise<void> {
  const { jobId, scorer, author } = given;
  if (before === null) await actions.takeBack({ jobId, scorer, author });
  else await actions.label({ ...given, ...before });
}
