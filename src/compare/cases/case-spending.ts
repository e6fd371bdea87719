import { costOf, type Price } from "../../api/price.ts";
import type { JobResult } from "../../store/results/case-result.ts";
import { latencyOf, usageOf } from "./case-side.ts";

/** Mean cost of the answered runs of a case whose cost is known, in the owner's unit; null of none. */
export function costOfCase(jobs: readonly JobResult[], price: Price | null): number | null {
  return meanOf(jobs.flatMap((job) => (job.outcome === "ok" ? (costOf(price, usageOf(job)) ?? []) : [])));
}

/** Mean time of the answered runs of a case, in milliseconds; null of none, and where the answers are stored ones. */
export function timeOfCase(jobs: readonly JobResult[]): number | null {
  return meanOf(jobs.flatMap((job) => (job.outcome === "ok" ? (latencyOf(job) ?? []) : [])));
}

const meanOf = (known: readonly number[]): number | null =>
  known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
