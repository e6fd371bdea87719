import type { Connection } from "../connection.ts";
import { execute, selectRows } from "../sqlite.ts";

/** A change of a suite that somebody knows of. */
export interface Acknowledgement {
  /** The first moment that belongs to what is new. */
  since: number;
  note: string;
  author: string;
  /** When it was said. */
  at: number;
}

/** Lists the changes of a suite that are known, in the order in which that was said. */
export function acknowledgements(db: Connection, suite: string): Acknowledgement[] {
  return selectRows<Acknowledgement>(
    db,
    "SELECT since, note, author, at FROM acknowledgement WHERE suite_name = ? ORDER BY id",
    [suite],
  );
}

/** Adds what is known of a change; of the same moment only the note and its author are other ones. */
export function addAcknowledgement(db: Connection, suite: string, { since, note, author, at }: Acknowledgement): void {
  const { changes } = execute(
    db,
    "UPDATE acknowledgement SET note = ?, author = ? WHERE suite_name = ? AND since = ?",
    [note, author, suite, since],
  );
  if (changes > 0) return;
  execute(db, "INSERT INTO acknowledgement (suite_name, since, note, author, at) VALUES (?, ?, ?, ?, ?)", [
    suite,
    since,
    note,
    author,
    at,
  ]);
}

/** False where nothing is acknowledged as of that moment. */
export function removeAcknowledgement(db: Connection, suite: string, since: number): boolean {
  const { changes } = execute(db, "DELETE FROM acknowledgement WHERE suite_name = ? AND since = ?", [suite, since]);
  return changes > 0;
}
