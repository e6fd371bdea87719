import type { DatabaseLink } from "../journal/database-link.ts";
import type { Postgres } from "../postgres/connection.ts";

/**
 * A database that is waited for while it is away. A statement of which the answer was lost is sent again: only those go
 * through it that change nothing the second time.
 */
export function patientDatabase(db: Postgres, link: DatabaseLink): Postgres {
  return {
    shown: db.shown,
    query: (sql, values, name) => link.patiently(() => db.query(sql, values, name)),
    transaction: (work) => link.patiently(() => db.transaction(work)),
    listen: (channel, heard) => db.listen(channel, heard),
    close: () => db.close(),
  };
}
