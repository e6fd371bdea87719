import type { DriveOptions } from "../../runner/drive.ts";
import type { PendingJob } from "../../runner/journal.ts";
import { atWorkers, planOf } from "../../store/at-workers.ts";
import type { Connection } from "../../store/connection.ts";
import { caseKeys } from "../../store/plan/case-keys.ts";
import { type JobIdentity, type Places, type PlanThere, placesOf } from "./places.ts";

/** The places of the jobs of a load, by the plan as it was when its batch went to the workers. */
export function placesHere(db: Connection, batchId: number, options: DriveOptions): Places {
  return placesOf(knownPlan(db, batchId), identities(db, options));
}

/** The plan as the workers know it: that of the time when the batch went there. */
export function knownPlan(db: Connection, batchId: number): PlanThere {
  const plan = planOf(db, batchId);
  return { ...plan, planned: atWorkers(db, batchId)?.planned ?? plan.planned };
}

/** Names the jobs beyond the plan, so that each can be found by its name there. */
export function nameOthers(
  db: Connection,
  batchId: number,
  { options: { load }, places }: { options: DriveOptions; places: Places },
): void {
  const ids = load.targets.map(({ id }) => id);
  const { firstJob, planned } = knownPlan(db, batchId);
  let after = load.role === "judge" ? 0 : firstJob + planned - 1;
  for (;;) {
    const page = load.journal.pending(ids, after, 1_000);
    for (const job of page) places.there(job);
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}

function identities(db: Connection, { load }: DriveOptions): (job: PendingJob) => JobIdentity {
  const keyOf = caseKeys(db);
  const names = new Map(load.targets.map(({ id, name }) => [id, name]));
  return (job) => ({
    role: load.role,
    target: names.get(job.targetId) ?? "",
    caseKey: keyOf(job.caseId),
    repeat: job.repeat,
    question: load.role === "judge" ? job.input : "",
  });
}
