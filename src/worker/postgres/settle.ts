import type { OutcomeKind } from "../../api/outcomes.ts";
import type { TakenRun } from "../../runner/journal.ts";
import type { Postgres } from "./connection.ts";
import { numberList } from "./number-list.ts";
import { attemptLists, type Granted, type TakeRequest } from "./take.ts";
import { storable } from "./text.ts";

/** The result of an attempt. */
export interface SettledAttempt {
  /** Number of the batch. */
  batch: number;
  job: number;
  number: number;
  kind: OutcomeKind;
  /** It decides the job. */
  final: boolean;
  /** The job ended without an answer: `--max-failures` counts it. */
  failure: boolean;
  /** The request was used up; false: its place in `--budget` is free again. */
  spent: boolean;
  /** It counts against `retries` of the job; left out: the database knows it by the kind, as an earlier tandem kept it. */
  countsAsTry?: boolean;
  /** Who answered: the service itself, or a gateway with this status; null: nobody, or it is not known. Left out: not told. */
  answeredBy?: "service" | { gateway: number } | null;
  /** The cost of the run; null: it cost nothing that is known of. */
  cost: number | null;
  /** The run cost something that is not known: a limit of cost can no longer be kept. */
  costUnknown: boolean;
  /** The settlement as JSON text, without the body. */
  entry: string;
  /** The body of the run record, byte by byte; null: there is none. */
  body: Buffer | null;
}

/**
 * - `landed`: the attempt's result is this one
 * - `known`: the same worker has entered it before
 * - `stray`: somebody has decided otherwise meanwhile; it is kept beside the results
 */
export type Landing = "landed" | "known" | "stray";

/** Enters results, those of a batch in one commit, and frees their slots. Safe to be sent again. */
export async function settle(db: Postgres, worker: string, entries: readonly SettledAttempt[]): Promise<Landing[]> {
  const landings: Landing[] = [];
  for (const [batch, places] of Map.groupBy(entries.keys(), (place) => entries[place]?.batch ?? 0)) {
    const { values, inPlace } = settleValues(places.flatMap((place) => entries[place] ?? []));
    const [row] = await db.query<{ landings: Landing[] }>(settleSql, [worker, batch, ...values], "settle");
    for (const [at, landing] of inPlace(row?.landings ?? []).entries()) landings[places[at] ?? 0] = landing;
  }
  return landings;
}

const settleSql = "SELECT to_jsonb(tandem.settle($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)) AS landings";

/** Enters results of one batch and asks for leave for other attempts of it, in one commit. Safe to be sent again. */
export async function settleAndTake(
  db: Postgres,
  entries: readonly SettledAttempt[],
  { worker, batch, token, service, jobs, until = null }: TakeRequest,
): Promise<{ landings: Landing[]; told: Granted }> {
  const { values, inPlace } = settleValues(entries);
  const [row] = await db.query<{ both: { landings: Landing[]; told: Granted } }>(
    settleAndTakeSql,
    [worker, batch, ...values, token, service, ...attemptLists(jobs), until],
    "settle_and_take",
  );
  if (row === undefined) throw new Error("tandem.settle_and_take returned nothing");
  return { landings: inPlace(row.both.landings), told: row.both.told };
}

const settleAndTakeSql =
  "SELECT tandem.settle_and_take($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16) AS both";

/** Results of a batch in the order of jobs, in which all lock them, and what became of them in the order in which they were given. */
function settleValues(entries: readonly SettledAttempt[]) {
  const order = [...entries.entries()].toSorted(([, one], [, other]) => one.job - other.job);
  const inPlace = (landings: readonly Landing[]): Landing[] => {
    const placed: Landing[] = entries.map(() => "stray");
    for (const [at, [place]] of order.entries()) placed[place] = landings[at] ?? "stray";
    return placed;
  };
  return { values: packed(order.map(([, entry]) => entry)), inPlace };
}

/** Results as columns; what is long travels as it is, one behind the other: as JSON or in an array it would be spelt out twice. */
function packed(entries: readonly SettledAttempt[]): unknown[] {
  const texts = entries.map(({ entry }) => Buffer.from(storable(entry)));
  const starts: number[] = [];
  let length = 0;
  for (const [at, { body }] of entries.entries()) {
    starts.push(length + 1);
    length += (texts[at]?.length ?? 0) + (body?.length ?? 0);
  }
  const bytes = entries.flatMap(({ body }, at) => [texts[at] ?? [], body ?? []].flat());
  return [
    ...attemptLists(entries),
    entries.map(({ kind }) => kind),
    numberList(entries.map(marksOf)),
    numberList(entries.map(({ cost }) => cost)),
    numberList(starts),
    numberList(texts.map((text) => text.length)),
    numberList(entries.map(({ body }) => body?.length ?? null)),
    Buffer.concat(bytes, length),
  ];
}

const marksOf = ({ final, failure, spent, costUnknown, countsAsTry, answeredBy }: SettledAttempt): number =>
  Number(final) +
  2 * Number(failure) +
  4 * Number(spent) +
  8 * Number(costUnknown) +
  (countsAsTry === undefined ? 0 : 32 + 16 * Number(countsAsTry)) +
  (answeredBy === undefined ? 0 : 128 + (answeredBy === "service" ? 64 : 1024 * (answeredBy?.gateway ?? 0)));

/** Puts an attempt whose result the database does not take in doubt, until somebody decides. False: it is not this worker's any more. */
export async function holdAttempt(
  db: Postgres,
  worker: string,
  { batch, job, number }: Pick<SettledAttempt, "batch" | "job" | "number">,
): Promise<boolean> {
  const [row] = await db.query<{ held: boolean }>("SELECT tandem.hold($1, $2, $3, $4) AS held", [
    worker,
    batch,
    job,
    number,
  ]);
  return row?.held ?? false;
}

/** Enters that the service has taken an attempt as a run. False: the attempt is not this worker's any more. */
export async function markTaken(db: Postgres, worker: string, batch: number, entry: TakenRun): Promise<boolean> {
  const { jobId, number, sentAt, run } = entry;
  const [row] = await db.query<{ taken: boolean }>(
    "SELECT tandem.mark_taken($1, $2, $3, $4, $5, $6, $7, $8) AS taken",
    [
      worker,
      batch,
      jobId,
      number,
      sentAt === null ? null : Math.round(sentAt),
      storable(run.id),
      run.url === null ? null : storable(run.url),
      run.createdAt === null ? null : storable(run.createdAt),
    ],
  );
  return row?.taken ?? false;
}

/** Ends a job and all that wait for it without sending them; returns their number. Jobs in flight or in doubt stay as they are. */
export async function skipRemoteJobs(db: Postgres, batch: number, job: number, reason: string): Promise<number> {
  const [row] = await db.query<{ skipped: number }>("SELECT tandem.skip_jobs($1, $2, $3) AS skipped", [
    batch,
    job,
    storable(reason),
  ]);
  return row?.skipped ?? 0;
}

/** Sends nothing more to a target of a batch, from whatever worker. The first reason stays. */
export async function stopTarget(db: Postgres, batch: number, target: number, reason: string): Promise<void> {
  await db.query("SELECT tandem.stop_target($1, $2, $3)", [batch, target, storable(reason)]);
}

/** Stops a batch, with the reason why it cannot go on. True: it was going on. */
export async function failBatch(db: Postgres, batch: number, reason: string): Promise<boolean> {
  const [row] = await db.query<{ stopped: boolean }>("SELECT tandem.fail_batch($1, $2) AS stopped", [
    batch,
    storable(reason),
  ]);
  return row?.stopped ?? false;
}

/** Puts what a worker could neither enter nor give back of a batch in doubt. Returns the number of those requests. */
export async function leaveBatch(db: Postgres, worker: string, batch: number): Promise<number> {
  const [row] = await db.query<{ left: number }>('SELECT tandem.leave_batch($1, $2) AS "left"', [worker, batch]);
  return row?.left ?? 0;
}
