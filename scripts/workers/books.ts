import { join } from "node:path";
import Database from "better-sqlite3";
import type { RunningDeployment } from "../../src/deployment/deployment.ts";

/** The state of a batch in its database. */
export interface Books {
  jobs: number;
  answered: number;
  /** Rows and targets of requests that nobody knows the end of. */
  held: string[];
  /** Jobs that ended in any other way. */
  failed: number;
  /** Jobs of which nothing is known. */
  lost: number;
}

export function booksIn(folder: string): Books {
  const db = new Database(join(folder, "results/tandem.db"), { readonly: true });
  try {
    const rows = db
      .prepare<[], { outcome: string | null; place: string }>(
        `SELECT job.outcome, "case".key || ' at ' || target.name AS place FROM job
         JOIN "case" ON "case".id = job.case_id JOIN target ON target.id = job.target_id ORDER BY job.id`,
      )
      .all();
    const answered = rows.filter(({ outcome }) => outcome === "ok").length;
    const held = rows.filter(({ outcome }) => outcome === "held").map(({ place }) => place);
    const lost = rows.filter(({ outcome }) => outcome === null).length;
    return { jobs: rows.length, answered, held, lost, failed: rows.length - answered - held.length - lost };
  } finally {
    db.close();
  }
}

/** The requests as the deployments themselves have counted them. */
export function countedBy(deployments: readonly RunningDeployment[]): { requests: number; twice: number } {
  const counts = deployments.flatMap(({ journal }) => journal.counts());
  return {
    requests: counts.reduce((sum, { received }) => sum + received, 0),
    twice: counts.filter(({ received }) => received > 1).length,
  };
}
