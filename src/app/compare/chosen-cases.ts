import type { ChosenRows } from "../../compare/cause.ts";
import { AppError } from "../../errors.ts";
import type { Batch } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { sparedJobs } from "../../store/plan/spared.ts";

type Named = Pick<Batch, "id" | "name">;

/**
 * The first batch that stopped when it was decided, and is now asked something else: its own answers chose how many cases there
 * are, so that no test of a fixed number of cases holds. Null where each is whole.
 */
export function chosenRows(db: Connection, batches: readonly Named[]): ChosenRows | null {
  const found = batches.find(({ id }) => sparedJobs(db, id) > 0);
  return found === undefined ? null : { kind: "chosen-rows", batch: found.name };
}

/** Throws USAGE where a batch stopped when it was decided: others cannot be compared with what is there of it. */
export function refuseChosen(db: Connection, batches: readonly Named[]): void {
  const found = batches.find(({ id }) => sparedJobs(db, id) > 0);
  if (found === undefined) return;
  const { name } = found;
  throw new AppError(
    "USAGE",
    `${name} stopped when it was decided: its own results chose its rows, so that it cannot be what later runs are compared with.`,
    { hint: `\`tandem resume ${name} --rest\` sends the others.` },
  );
}
