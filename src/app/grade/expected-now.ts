import { AppError } from "../../errors.ts";
import type { Case } from "../../dataset/case.ts";
import type { Batch } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { plannedExpectation } from "../../store/plan/expectation.ts";
import type { ExpectedTexts } from "../../store/scores/graded-by.ts";
import type { Suite } from "../../suite/suite.ts";
import { readCases } from "../plan/prepare.ts";

/**
 * Reads from the datasets of a suite what is expected now of the cases of a batch, as far as it is another text than when
 * the batch was planned. A dataset that cannot be read, or expects nothing at all, changes nothing.
 */
export async function expectedNow(
  db: Connection,
  batch: Batch,
  suite: Suite,
  onNotice: (message: string) => void,
): Promise<ExpectedTexts> {
  const texts = new Map<number, string | null>();
  // Standard input was read when the batch was planned.
  if (suite.datasets.includes("-")) return texts;
  const planned = plannedExpectation(db, batch.id);
  let expects = false;
  const note = ({ key, inputHash, expected }: Case): void => {
    expects ||= expected !== null;
    const then = planned(key, inputHash);
    if (then !== null && then.expected !== expected) texts.set(then.caseId, expected);
  };
  try {
    for await (const page of readCases(suite, options)) page.forEach(note);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    onNotice(`The expected answers stay those of ${batch.name}: ${error.message.split("\n")[0] ?? ""}`);
    return new Map();
  }
  return expects ? texts : new Map();
}

const options = {
  skipInvalid: true,
  onSkipped: () => undefined,
  onNotice: () => undefined,
  standardInput: noInput(),
  folder: process.cwd(),
};

async function* noInput(): AsyncGenerator<Uint8Array> {}
