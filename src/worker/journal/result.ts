import type { Settlement } from "../../runner/journal.ts";
import type { SettledAttempt } from "../postgres/settle.ts";

/** The result of an attempt on its way into the database, with the id of the worker that sent it. */
export interface SentResult extends SettledAttempt {
  worker: string;
}

/** A settlement as text, without the body of its record, which goes beside it. */
export function settlementText(entry: Settlement): string {
  const { outcome } = entry;
  if (outcome.record === null) return JSON.stringify(entry);
  return JSON.stringify({ ...entry, outcome: { ...outcome, record: { ...outcome.record, body: null } } });
}
