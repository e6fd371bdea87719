import type { ReportedLimits } from "../../runner/account-limits.ts";
import type { Rate } from "../../suite/suite.ts";
import type { Postgres } from "./connection.ts";
import { storable } from "./text.ts";

/** A lesson of a service; what is left out stays as it is. */
export interface Lesson {
  pausedMs?: number;
  concurrency?: number;
  ceiling?: number;
  rate?: Rate;
  reason: string;
}

const whole = (number: number | undefined): number | null => (number === undefined ? null : Math.ceil(number));

/** The limits as they are then; whether the service is away is told by those who ask for leave. */
type LearnedLimits = Omit<ReportedLimits, "outage">;

/** Moves what a service has taught, for all workers: a pause never becomes shorter, a cut counts at most once a second, growth is by one. */
export async function learn(db: Postgres, service: number, lesson: Lesson): Promise<LearnedLimits> {
  const { pausedMs, concurrency, ceiling, rate, reason } = lesson;
  const [row] = await db.query<{ learn: LearnedLimits }>("SELECT tandem.learn($1, $2, $3, $4, $5, $6, $7)", [
    service,
    whole(pausedMs) ?? 0,
    whole(concurrency),
    whole(ceiling),
    whole(rate?.count),
    whole(rate?.windowMs),
    storable(reason),
  ]);
  if (row === undefined) throw new Error("tandem.learn returned nothing");
  return row.learn;
}
