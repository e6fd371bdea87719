import type { Drive, DriveOptions } from "../../runner/drive.ts";
import { atWorkers, hasHeld } from "../../store/at-workers.ts";
import type { Batch } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { RemoteDrive } from "./remote-drive.ts";
import type { Session } from "./session.ts";

type Send = (place: { db: Connection; batch: Batch }, options: DriveOptions) => Drive;

/** Sends the cases of batches over workers, and questions to judges by `local`: those are asked after the answers are here. */
export function remoteSender(session: Session, local: Send): Send {
  return (place, options) => {
    if (options.load.role === "judge") return local(place, options);
    const isNothing = options.load.targets.every(({ unfinished }) => unfinished === 0);
    const at = atWorkers(place.db, place.batch.id);
    // A worker that is back may know what is held.
    if (isNothing && (at === null || (at.rests && !hasHeld(place.db, place.batch.id)))) return nothingToDo;
    return new RemoteDrive({ session, ...place }, options);
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
