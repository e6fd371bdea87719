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
