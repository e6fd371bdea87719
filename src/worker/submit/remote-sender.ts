import type { Drive, DriveOptions } from "../../runner/drive.ts";
import { atWorkers, heldTargets } from "../../store/at-workers.ts";
import type { Batch } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { BatchAtWorkers } from "./batch-at-workers.ts";
import { RemoteDrive } from "./remote-drive.ts";
import type { Session } from "./session.ts";

/** Sends over workers: jobs go there in chunks, and what comes of them is entered here as if it had been sent from here. */
export function remoteSender(
  session: Session,
): ((place: { db: Connection; batch: Batch }, options: DriveOptions) => Drive) & { dropsNone: true } {
  const send = ({ db, batch }: { db: Connection; batch: Batch }, options: DriveOptions): Drive => {
    const isNothing = options.load.targets.every(({ unfinished }) => unfinished === 0);
    const place = atWorkers(db, batch.id);
    // Nothing is to be sent, and nobody has anything of it; what is held may have been let go there.
    const held = place === null ? new Set<number>() : heldTargets(db, batch.id);
    const isDone = isNothing && (place === null || (place.rests && held.size === 0));
    if (isDone) return nothingToDo;
    return new RemoteDrive(
      { ...options, held, waitsForMs: session.waitsForMs },
      (listener) => new BatchAtWorkers({ session, db, batch, options, listener }),
    );
  };
  // A chunk at a worker is sent whole.
  return Object.assign(send, { dropsNone: true as const });
}

/** Stops a batch at the workers, and brings what they have done of it. */
export function takingBack(
  session: Session,
): (place: { db: Connection; batch: Batch }, options: DriveOptions) => Drive {
  const over = remoteSender(session);
  return (place, options) => {
    const drive = over(place, options);
    drive.stop("taken back from the workers");
    return drive;
  };
}

const nothingToDo: Drive = {
  run: async () => ({ stopped: [] }),
  stop: () => undefined,
  enough: () => undefined,
  abort: () => undefined,
  snapshot: () => [],
  close: async () => undefined,
};
