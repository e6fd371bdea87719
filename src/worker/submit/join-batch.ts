import { version } from "../../lib/version.ts";
import type { DriveOptions } from "../../runner/drive.ts";
import { atWorkers, doubtPolicyOverWorkers, noteAtWorkers, planOf } from "../../store/at-workers.ts";
import type { Batch } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { resolveDoubts } from "../postgres/pull.ts";
import { renewBatch } from "../postgres/rejoin.ts";
import { checkFitting } from "./fitting.ts";
import { claim, type Entered, enterAtWorkers, type Session } from "./session.ts";

export interface Joining {
  session: Session;
  db: Connection;
  batch: Batch;
  options: DriveOptions;
}

/** Enters a batch at the workers, or finds it there, and makes this process its submitter. It is noted here that it is there. */
export async function joinBatch({ session, db, batch, options }: Joining): Promise<Entered> {
  if (options.load.role === "case") checkFitting(db, batch);
  const known = atWorkers(db, batch.id);
  const place = known === null ? null : { id: known.remote, name: known.name, rests: known.rests };
  const entered = await enterAtWorkers(session, batch, { place, options });
  const { no, id, name } = entered;
  if (known === null)
    noteAtWorkers(db, batch.id, {
      remote: id,
      namespace: session.namespace,
      name,
      planned: planOf(db, batch.id).planned,
    });
  await claim(session, no, { name, onNotice: options.onNotice });
  return entered;
}

/** Gives a batch what this command asks, once for all of its loads. */
export async function renewOnce({ session, batch, options }: Joining, no: number): Promise<void> {
  if (session.renewed.has(batch.id)) return;
  await renewBatch(session.db, no, {
    suite: JSON.stringify(batch.suite),
    version,
    budget: options.budget.limits,
    onAmbiguous: options.load.suite.onAmbiguous,
    inDoubt: session.onInDoubt ?? doubtPolicyOverWorkers(batch.suite),
  });
  session.renewed.add(batch.id);
}

/** Does with what is in doubt what the command says in so many words; false: it says nothing. */
export async function decideAsAsked({ db, onInDoubt }: Session, no: number): Promise<boolean> {
  if (onInDoubt !== "resend" && onInDoubt !== "fail") return false;
  await resolveDoubts(db, no, { policy: onInDoubt });
  return true;
}
