import { AppError } from "../../errors.ts";
import { knownPath } from "../../store/read-only-folder.ts";
import { storeFailure } from "../../store/store-failure.ts";
import { type Batch, batchTargets } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { keepTold, sentMembers, toldAnswers } from "../../store/nights/provider-told.ts";
import { type ToldTally, toldTally } from "./told-tally.ts";

/** Keeps what the answers of a batch tell of the services that gave them; where the disk is full and the like, that is noticed and nothing else is lost. */
export function noteTold(db: Connection, batch: Batch, onNotice: (message: string) => void): void {
  try {
    note(db, batch);
  } catch (cause) {
    const error = storeFailure(knownPath(db.name), cause);
    if (!(error instanceof AppError)) throw cause;
    onNotice(`warning: what services tell of themselves was not kept: ${error.message}`);
  }
}

function note(db: Connection, { id }: Batch): void {
  const sent = new Set(sentMembers(db, id));
  const tallies = new Map<number, ToldTally>(
    batchTargets(db, id).map(({ id: target, endpoint }) => [target, toldTally(endpoint, sent)]),
  );
  for (const answer of toldAnswers(db, id)) tallies.get(answer.target)?.add(answer);
  const told = Array.from(tallies, ([target, tally]) => [target, tally.told()] as const);
  keepTold(db, id, new Map(told.filter(([, own]) => Object.keys(own).length > 0)));
}
