import { AppError } from "../../errors.ts";
import { atWorkers } from "../../store/at-workers.ts";
import type { Batch } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";

/** Throws BATCH_AT_WORKERS where workers may be sending a batch: from here, everything would be sent a second time. */
export function refuseAtWorkers(db: Connection, { id, name }: Batch): void {
  if (atWorkers(db, id)?.rests !== false) return;
  throw new AppError(
    "BATCH_AT_WORKERS",
    `${name} is at the workers, who may be sending it: nothing of it is sent from here.`,
    {
      hint: `Go on with it there: tandem resume ${name} --workers URL. Or stop it there and go on here: tandem resume ${name} --workers URL --take-back`,
    },
  );
}
