import { type Batch, batchTargets } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { keepTold, sentMembers, toldAnswers } from "../../store/nights/provider-told.ts";
import { type ToldTally, toldTally } from "./told-tally.ts";

/** Keeps what the answers of a batch tell of the services that gave them. */
export function noteTold(db: Connection, { id }: Batch): void {
  const sent = new Set(sentMembers(db, id));
  const tallies = new Map<number, ToldTally>(
    batchTargets(db, id).map(({ id: target, endpoint }) => [target, toldTally(endpoint, sent)]),
  );
  for (const answer of toldAnswers(db, id)) tallies.get(answer.target)?.add(answer);
  const told = Array.from(tallies, ([target, tally]) => [target, tally.told()] as const);
  keepTold(db, id, new Map(told.filter(([, own]) => Object.keys(own).length > 0)));
}
