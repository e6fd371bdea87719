import { AppError } from "../../errors.ts";
import { startTurn } from "../../lib/clock.ts";
import { isCompared } from "../../compare/cases/pairing.ts";
import type { PlannedComparison } from "../compare/planned-comparison.ts";
import { pairedResults } from "../../store/compared/paired-results.ts";
import { searchedRow } from "../../report/model/model-row.ts";
import { queriedColumns } from "../../report/query/row-conditions.ts";
import type { Connection } from "../../store/connection.ts";
import { batchColumns } from "../../store/results/results.ts";
import { TextIndexWriter } from "../../report/row-index/index-writer.ts";
import { RowIndex } from "../../report/row-index/row-index.ts";

/** Writes the texts of the rows of an index that stands. A text that stood at another row would be found there. */
export async function writeTexts(db: Connection, planned: PlannedComparison, folder: string): Promise<void> {
  const { batch, batches, settings } = planned;
  const index = new RowIndex(folder);
  const { cases } = index;
  index.close();
  const writer = new TextIndexWriter(folder, queriedColumns(batchColumns(db, batch.id)));
  try {
    let place = 0;
    const wants = isCompared(settings);
    const turn = startTurn();
    for (const result of pairedResults(db, batches, { reasons: false, wants })) {
      if (result.caseId !== cases[place++]) throw otherRows();
      writer.add(searchedRow(result, settings));
      if (turn.isOver()) await turn.next();
    }
    if (place !== cases.length) throw otherRows();
    writer.end();
  } catch (error) {
    writer.discard();
    throw error;
  }
}

function otherRows(): AppError {
  return new AppError("USAGE", "The results changed while their texts were read.", { hint: "Load the page again." });
}
