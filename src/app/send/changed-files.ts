import { type CaseFile, caseFileIn } from "../../api/files/case-file.ts";
import { changeOf } from "../../client/sent-body.ts";
import { AppError } from "../../errors.ts";
import { type JsonObject, valueAt } from "../../lib/json.ts";
import { showText } from "../../lib/show.ts";
import { storedObject } from "../../lib/stored-json.ts";
import type { Batch } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { unsentInputs } from "../../store/plan/unsent-inputs.ts";
import { sentFiles } from "../../suite/sent-files.ts";

/** Files that a message names. */
const mostNamed = 10;

/** Throws BATCH_CHANGED when files of cases that are still to be sent are not what the batch was planned with. */
export async function checkFiles(db: Connection, { id, name, suite }: Batch): Promise<void> {
  const sent = sentFiles(suite);
  if (sent === undefined) return;
  const looked = new Set<string>();
  const changes: string[] = [];
  for (const { key, input } of unsentInputs(db, id)) {
    const fields = storedObject(input, "an input");
    for (const file of sent.fields.flatMap((field) => filesAt(fields, field))) {
      const known = JSON.stringify([file.root, file.file, file.sha256]);
      if (looked.has(known)) continue;
      looked.add(known);
      const change = await changeOf(file, sent.roots);
      if (change !== null) changes.push(`${change} (case ${showText(key)})`);
    }
    if (changes.length > mostNamed) break;
  }
  if (changes.length > 0) throw filesChanged(name, changes, sent.roots);
}

function filesAt(fields: JsonObject, field: string): CaseFile[] {
  return [valueAt(fields, field.split("."))].flat().flatMap((entry) => caseFileIn(entry) ?? []);
}

function filesChanged(batch: string, changes: string[], roots: readonly string[]): AppError {
  const lines = changes.slice(0, mostNamed).map((line) => `  ${line}`);
  const more = changes.length > mostNamed ? ["  ... and more"] : [];
  return new AppError(
    "BATCH_CHANGED",
    `${batch} cannot be resumed with other files:\n${[...lines, ...more].join("\n")}`,
    {
      hint: `They were looked for in ${[...new Set(roots)].filter((root) => root !== "").join(", ")}. Put the files back as they were. Or name the suite file: \`tandem resume --suite FILE --accept-changes\` leaves their cases out; \`tandem run FILE\` begins a new batch.`,
    },
  );
}
