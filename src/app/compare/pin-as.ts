import { AppError } from "../../errors.ts";
import { checkRead } from "../../store/batch-state.ts";
import { type Batch, findBatch, isNamed } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { refuseChosen } from "./chosen-cases.ts";
import { addPin } from "../../store/pins/pins.ts";

/** Names batches, or several pooled, for later comparisons. Gives them; throws USAGE, BATCH_NOT_FOUND. */
export function pinAs(
  db: Connection,
  { name, references, replace }: { name: string; references: readonly string[]; replace: boolean },
): Batch[] {
  if (!/^[\p{L}\p{M}\p{N}_][\p{L}\p{M}\p{N}._-]{0,63}$/u.test(name) || name === "latest") {
    throw new AppError("USAGE", `"${name}" cannot be the name of a pin.`, {
      hint: "It may hold letters, digits, ., _ and -, at most 64, and does not begin with . or -.",
    });
  }
  if (isNamed(db, name)) {
    throw new AppError("USAGE", `"${name}" is the name of a suite or of a batch: a pin of that name would hide it.`, {
      hint: "Choose another name, such as the release that it is.",
    });
  }
  const found = references.map((reference) => findBatch(db, reference));
  for (const batch of found) checkRead(db, batch);
  const twice = found.find(({ id }, i) => found.findIndex((other) => other.id === id) < i);
  if (twice !== undefined) throw new AppError("USAGE", `${twice.name} is named twice.`);
  const open = found.find(({ state }) => state !== "finished");
  if (open !== undefined) {
    throw new AppError("USAGE", `${open.name} is not finished: it cannot be pinned.`, {
      hint: `\`tandem resume ${open.name}\` finishes it.`,
    });
  }
  refuseChosen(db, found);
  addPin(db, { name, batches: found, replace, at: Date.now() });
  return found;
}
