import { storableSuite } from "../../store/stored-suite.ts";
import { randomBytes, randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { AppError } from "../../errors.ts";
import { version } from "../../lib/version.ts";
import type { DriveOptions } from "../../runner/drive.ts";
import { doubtPolicyOverWorkers } from "../../store/at-workers.ts";
import type { Batch } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import type { InDoubtPolicy } from "../../store/journal/in-doubt.ts";
import { DatabaseLink } from "../journal/database-link.ts";
import { openPostgres, type Postgres } from "../postgres/connection.ts";
import { isAway } from "../postgres/failure.ts";
import { claimBatch, isBatchThere, submitterGoneMs } from "../postgres/rejoin.ts";
import { checkMaySubmit } from "../postgres/roles.ts";
import { checkSchema } from "../postgres/schema.ts";
import { enterBatch as enterRemote, type RemoteState } from "../postgres/submit.ts";
import { numberOf } from "./places.ts";

/** Tells this process from one with its number in another container of the same name. */
const ownMark = randomBytes(2).toString("hex");

/** A command's connection to the workers. */
export interface Session {
  db: Postgres;
  namespace: string;
  /** Who submits, for another who tries the same. */
  submitter: string;
  /** The policy that the command names; null: that of the suite. */
  onInDoubt: InDoubtPolicy | null;
  /** Milliseconds for which a worker is waited for that serves what is left; null: without a limit. */
  waitsForMs: number | null;
  /** Batches that were given what this command asks. */
  renewed: Set<number>;
  /** The planned batch as a file, in parts, for a machine that has nothing of it. */
  planFile: (db: Connection, batch: Batch) => AsyncIterable<Buffer>;
  close: () => Promise<void>;
}

export type SessionOptions = Pick<Session, "namespace" | "onInDoubt" | "waitsForMs" | "planFile">;

/** Connects to the workers' PostgreSQL. Throws WORKERS_*: nothing was sent. */
export async function openSession(url: string, options: SessionOptions): Promise<Session> {
  const db = await openPostgres(url, { most: 4, applicationName: "tandem submitter" });
  try {
    await checkSchema(db);
    await checkMaySubmit(db);
    const submitter = `process ${process.pid} on ${hostname()} (${ownMark})`;
    return { ...options, db, submitter, renewed: new Set(), close: () => db.close() };
  } catch (error) {
    await db.close();
    throw error;
  }
}

/** A link that waits while PostgreSQL is away, and says so once. */
export function patientLink(onNotice: (message: string) => void): DatabaseLink {
  return new DatabaseLink({
    passes: isAway,
    onAway: (error) =>
      onNotice(
        `${error instanceof Error ? error.message : String(error)} Workers keep their results; it is tried again until it is back.`,
      ),
    onBack: () => onNotice("PostgreSQL is back."),
  });
}

/** A batch as it is known at the workers. */
export interface Entered {
  no: number;
  id: string;
  name: string;
  /** Before this command came. */
  state: RemoteState;
  isNew: boolean;
}

/** Enters a batch at the workers, or finds it there by its id; a name that somebody else has gets a number behind it. */
export async function enterAtWorkers(
  { db, namespace, submitter, onInDoubt }: Session,
  batch: Batch,
  { place, options }: { place: { id: string; name: string; rests: boolean } | null; options: DriveOptions },
): Promise<Entered> {
  if (place !== null && !place.rests && !(await isBatchThere(db, place.id))) throw lost(batch.name);
  const id = place?.id ?? randomUUID();
  for (let number = 1; ; number += 1) {
    const name = place?.name ?? (number === 1 ? batch.name : `${batch.name}-${number}`);
    const entered = await enterRemote(db, {
      id,
      namespace,
      name,
      suiteName: batch.suiteName,
      version,
      suite: storableSuite(batch.suite),
      seed: numberOf([batch.seed]),
      onAmbiguous: options.load.suite.onAmbiguous,
      inDoubt: onInDoubt ?? doubtPolicyOverWorkers(batch.suite),
      conversations: options.load.conversations,
      budget: options.budget.limits,
      submitter,
    });
    if (entered.id === id) return { ...entered, name };
    if (place !== null) throw gone(batch.name);
  }
}

/** Says how to go on with a batch of which the workers have nothing any more. */
export const lostWords = (name: string): string =>
  `Jobs without an answer here may have been sent: \`tandem resume ${name} --workers-lost\` continues from here with those in doubt (with --workers URL: over workers).`;

const lost = (name: string): AppError =>
  new AppError("WORKERS_BATCH", `${name} is at workers, and this PostgreSQL has nothing of it.`, {
    hint: `Is it the one to which it was given? If that is gone for good: ${lostWords(name)}`,
  });

const gone = (name: string): AppError =>
  new AppError("WORKERS_BATCH", `${name} is not at these workers any more, and another batch has its name there.`, {
    hint: "Look at `tandem workers URL`; is it the PostgreSQL to which it was given?",
  });

/** Makes this process the submitter of a batch. One that is silent is waited for; throws BATCH_LOCKED when it lives. */
export async function claim(
  { db, submitter }: Session,
  no: number,
  { name, onNotice }: { name: string; onNotice: (message: string) => void },
): Promise<void> {
  let silentBefore = -1;
  for (;;) {
    const other = await claimBatch(db, no, submitter);
    if (other === null) return;
    if (other.silentMs < silentBefore) {
      throw new AppError("BATCH_LOCKED", `${name} is submitted by ${other.submitter} already.`, {
        hint: "Wait for it, or stop it (Ctrl-C in its terminal) and try again.",
      });
    }
    if (silentBefore === -1)
      onNotice(
        `${name}: ${other.submitter} submits it; if it gives no sign within ${submitterGoneMs / 1000} s, this process resumes it.`,
      );
    silentBefore = other.silentMs;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}
