import { version } from "../../lib/version.ts";
import type { DriveOptions } from "../../runner/drive.ts";
import { atWorkers, doubtPolicyOverWorkers, noteAtWorkers, planOf } from "../../store/at-workers.ts";
import type { Batch } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { resolveDoubts } from "../postgres/pull.ts";
import { renewBatch } from "../postgres/rejoin.ts";
import { claim, type Entered, enterAtWorkers, type Session } from "./session.ts";
import { caseFileIn } from "../../api/files/case-file.ts";
import { AppError } from "../../errors.ts";
import { valueAt } from "../../lib/json.ts";
import { showText } from "../../lib/show.ts";
import { storedObject } from "../../lib/stored-json.ts";
import { unsentInputs } from "../../store/plan/unsent-inputs.ts";
import { fileFields } from "../../suite/sent-files.ts";
import { ownWayFault } from "../serve/allowed.ts";

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

/** Throws WORKERS_UNFIT for a batch that workers cannot send. */
function checkFitting(db: Connection, { id, name, suite }: Batch): void {
  const from = `It is planned: \`tandem resume ${name}\` sends it from this machine.`;
  if (suite.interleave === "strict") {
    throw new AppError(
      "WORKERS_UNFIT",
      "interleave: strict cannot be kept by workers: none knows how far the others are.",
      {
        hint: `Leave it out of the suite. ${from}`,
      },
    );
  }
  for (const { name: deployment, connection = {} } of suite.deployments) {
    const fault = ownWayFault(connection);
    if (fault !== null)
      throw new AppError("WORKERS_UNFIT", `Workers cannot send to ${deployment}: ${fault}.`, { hint: from });
  }
  const fields = fileFields(suite.mapping);
  if (fields.length === 0) return;
  for (const { key, input } of unsentInputs(db, id)) {
    const values = storedObject(input, "an input");
    const file = fields
      .flatMap((field) => [valueAt(values, field.split("."))].flat())
      .find((value) => caseFileIn(value) !== null);
    if (file === undefined) continue;
    const path = caseFileIn(file)?.file ?? "";
    throw new AppError(
      "WORKERS_UNFIT",
      `The case ${showText(key)} sends the file ${showText(path)} of this machine, which workers do not have.`,
      {
        hint: `Put its files where every worker reaches them, and write their URLs into the sheet. ${from}`,
      },
    );
  }
}
