import { AppError } from "../../errors.ts";
import type { Batch } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { sparedJobs } from "../../store/plan/spared.ts";

type Named = Pick<Batch, "id" | "name">;

/**
 * The sentence on batches that stopped when they were decided, and are now asked something else: their own answers chose
 * how many cases there are, so that no test of a fixed number of cases holds. Null where each is whole.
 */
export function chosenWords(db: Connection, batches: readonly Named[]): string | null {
  const found = batches.find(({ id }) => sparedJobs(db, id) > 0);
  if (found === undefined) return null;
  const { name } = found;
  return `${name} stopped when it was decided, so that its own results chose its rows, and nothing is claimed by them: \`tandem resume ${name} --rest\` sends the others`;
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
