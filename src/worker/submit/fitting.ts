import { caseFileIn } from "../../api/files/case-file.ts";
import { AppError } from "../../errors.ts";
import { valueAt } from "../../lib/json.ts";
import { showText } from "../../lib/show.ts";
import { storedObject } from "../../lib/stored-json.ts";
import type { Batch } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { unsentInputs } from "../../store/plan/unsent-inputs.ts";
import { fileFields } from "../../suite/sent-files.ts";
import { ownWayFault } from "../serve/allowed.ts";

/** Throws WORKERS_UNFIT for a batch that workers cannot send. */
export function checkFitting(db: Connection, { id, name, suite }: Batch): void {
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
