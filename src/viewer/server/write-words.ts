import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { threadId } from "node:worker_threads";
import { AppError } from "../../errors.ts";
import { isCompared } from "../../compare/cases/pairing.ts";
import type { PlannedComparison } from "../../app/compare/planned-comparison.ts";
import { readResults } from "../../app/report/read-results.ts";
import { searchedRow } from "../../report/model/model-row.ts";
import type { Connection } from "../../store/connection.ts";
import { hasWords, WordsWriter } from "./words-file.ts";
import { markedText, queriedColumns } from "../../report/query/marked-text.ts";
import { batchColumns } from "../../store/results/results.ts";

/** Writes the texts of the rows of an index that stands, in the order of its rows. They stand complete or not at all. */
export async function writeWords(db: Connection, planned: PlannedComparison, folder: string): Promise<void> {
  const part = `${folder}.part-${process.pid}-${threadId}`;
  rmSync(part, { recursive: true, force: true });
  mkdirSync(part, { recursive: true, mode: 0o700 });
  try {
    const writer = new WordsWriter(join(part, "words"));
    for await (const text of textsOf(db, planned, casesIn(folder))) writer.add(text);
    writeFileSync(join(part, "starts"), writer.end(), { mode: 0o600 });
    for (const name of ["starts", "words"]) renameSync(join(part, name), join(folder, name));
  } catch (error) {
    // Another viewer was quicker: its files say the same.
    if (!hasWords(folder)) throw error;
  } finally {
    rmSync(part, { recursive: true, force: true });
  }
}

function casesIn(folder: string): Uint32Array {
  return new Uint32Array(new Uint8Array(readFileSync(join(folder, "cases"))).buffer);
}

/** The text of each row. A text that stood at another row would be found there. */
async function* textsOf(
  db: Connection,
  { batch, batches, settings }: PlannedComparison,
  cases: Uint32Array,
): AsyncGenerator<string> {
  const columns = new Map(queriedColumns(batchColumns(db, batch.id)).map((name, at) => [name, at]));
  let place = 0;
  for await (const page of readResults(db, batches, { reasons: false, mostThreads: 1, wants: isCompared(settings) })) {
    for (const result of page) {
      if (result.caseId !== cases[place++]) throw otherRows();
      yield markedText(searchedRow(result, settings), columns);
    }
  }
  if (place !== cases.length) throw otherRows();
}

function otherRows(): AppError {
  return new AppError("USAGE", "The results changed while their texts were read.", { hint: "Load the page again." });
}
