import { AppError } from "../../errors.ts";
import type { Postgres } from "../postgres/connection.ts";
import { resolveDoubts } from "../postgres/pull.ts";
import { openChunks } from "../postgres/rejoin.ts";
import { notImported } from "../postgres/services.ts";
import { removeRemoteBatch } from "../postgres/submit.ts";
import type { RemoteBatch } from "../postgres/watch.ts";
import { dispatch } from "../submit/dispatch.ts";

/** Decides what becomes of a batch's requests in doubt: they are sent again, or ended as failed. Returns their number. */
export async function decideDoubts(db: Postgres, batch: RemoteBatch, policy: "resend" | "fail"): Promise<number> {
  const chunks = new Set(await resolveDoubts(db, batch.no, { policy }));
  if (policy === "fail" || chunks.size === 0) return batch.inDoubt;
  const open = (await openChunks(db, batch.no)).filter(({ id }) => chunks.has(id));
  await dispatch(db, batch, open);
  return batch.inDoubt;
}

/** Takes a batch away from the database. Throws WORKERS_BATCH where something would be lost, unless it may be. */
export async function removeFromWorkers(
  db: Postgres,
  batch: RemoteBatch,
  { loses }: { loses: boolean },
): Promise<void> {
  const { unpulled, inFlight } = await notImported(db, batch.no);
  const lost = [
    ...(inFlight > 0 ? [`${inFlight} in flight`] : []),
    ...(unpulled > 0 ? [`${unpulled} answers that nobody has brought`] : []),
    ...(batch.inDoubt > 0 ? [`${batch.inDoubt} in doubt`] : []),
  ];
  if (lost.length > 0 && !loses) {
    throw new AppError("WORKERS_BATCH", `${batch.name} still has ${lost.join(", ")}: removing it would lose them.`, {
      hint: `Bring them first: tandem resume ${batch.name} --workers URL. Or remove it all the same with --lose-results.`,
    });
  }
  await removeRemoteBatch(db, batch.no);
}
