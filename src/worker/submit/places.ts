import { createHash } from "node:crypto";
import type { PendingJob } from "../../runner/journal.ts";

/** Facts that tell a job from all others of its batch, on every machine. */
export interface JobIdentity {
  role: "case" | "judge";
  target: string;
  caseKey: string;
  repeat: number;
  /** The text of a question to a judge; empty otherwise. */
  question: string;
}

/** Names of jobs at the workers and here. */
export interface Places {
  /** The name there of a job that is here; it is known by it from then on. */
  there(job: PendingJob): number;
  /** The id here of a job that is known there; null: it is of another load. */
  here(place: number): number | null;
}

/** Half of the numbers that are safe: the lower half belongs to the plan. */
const beyondPlan = 2 ** 52;

/** A number for an identity, the same on every machine, above all places of a plan. */
function placeOf(identity: JobIdentity): number {
  const { role, target, caseKey, repeat, question } = identity;
  return beyondPlan + numberOf([role, target, caseKey, repeat, question]);
}

/** A number below 2^52 for a text, the same on every machine. */
export function numberOf(parts: readonly (string | number)[]): number {
  const hash = createHash("sha256").update(JSON.stringify(parts)).digest("hex");
  return Number.parseInt(hash.slice(0, 13), 16);
}

export interface PlanThere {
  /** Id here of the first job of the plan. */
  firstJob: number;
  /** Jobs of the plan when it went there, whose ids follow each other. */
  planned: number;
}

/**
 * A job of the plan is known at the workers by its place, which is the same on another machine that has fetched the batch;
 * any other (a question to a judge, a second look) by what it is.
 */
export function placesOf({ firstJob, planned }: PlanThere, identityOf: (job: PendingJob) => JobIdentity): Places {
  const others = new Map<number, number>();
  return {
    there(job) {
      const place = job.id - firstJob + 1;
      if (place >= 1 && place <= planned) return place;
      const other = placeOf(identityOf(job));
      others.set(other, job.id);
      return other;
    },
    here: (place) => (place <= planned ? firstJob + place - 1 : (others.get(place) ?? null)),
  };
}
