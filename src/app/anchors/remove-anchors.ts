import { AppError } from "../../errors.ts";
import { showText } from "../../lib/show.ts";
import { didYouMean } from "../../lib/suggest.ts";
import type { Connection } from "../../store/connection.ts";
import { anchorSets } from "../../store/scores/anchors.ts";
import { holderOf } from "../../store/lock.ts";
import { removeStoredBatches } from "../../store/remove-batch.ts";

/** Anchors that were removed. */
export interface RemovedAnchors {
  suite: string;
  scorer: string;
  /** Name of the batch that they were taken from. */
  takenFrom: string;
}

/** Removes the anchors of a judge with all replies about them. Throws ANCHORS_REFUSED where it is not clear which. */
export function removeAnchors(
  db: Connection,
  { suite, scorer }: { suite: string; scorer: string | null },
): RemovedAnchors {
  const own = anchorSets(db, suite);
  const found = scorer === null ? own : own.filter((set) => set.scorer === scorer);
  const [set, other] = found;
  if (set === undefined) {
    const all = anchorSets(db, null).map((each) => each.suiteName);
    const names = own.map((each) => each.scorer);
    const what =
      own.length === 0
        ? `No judge of ${showText(suite)} is watched`
        : `${showText(suite)} has no anchors of ${showText(scorer ?? "")}`;
    throw new AppError("ANCHORS_REFUSED", `${what}.`, {
      hint:
        didYouMean(own.length === 0 ? suite : (scorer ?? ""), own.length === 0 ? all : names) ??
        "`tandem judge anchors --list` shows what is watched.",
    });
  }
  if (other !== undefined) {
    throw new AppError("ANCHORS_REFUSED", `${found.length} judges of ${showText(suite)} are watched: say which.`, {
      hint: `--metric, one of: ${found.map((each) => each.scorer).join(", ")}.`,
    });
  }
  const holder = holderOf(db, set.batchId);
  if (holder !== null) {
    throw new AppError(
      "BATCH_LOCKED",
      `The judge ${showText(set.scorer)} is being asked about its anchors by process ${holder.pid} on ${holder.host}.`,
      {
        hint: "Remove them when its night is over.",
      },
    );
  }
  removeStoredBatches(db, [set.batchId]);
  return { suite: set.suiteName, scorer: set.scorer, takenFrom: set.takenFrom };
}
