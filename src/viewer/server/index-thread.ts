import { setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { twoLooks } from "../../compare/two-looks.ts";
import { comparedColumns } from "../../compare/cases/compared-columns.ts";
import { isCompared } from "../../compare/cases/pairing.ts";
import { AppError } from "../../errors.ts";
import { packFailure } from "../../lib/thread-failure.ts";
import type { PlannedComparison } from "../../app/compare/planned-comparison.ts";
import { keepEdited } from "../../app/report/keep-made.ts";
import { reportFrame } from "../../app/report/report-frame.ts";
import { storedStep } from "../../app/report/next-step.ts";
import { proposedScorer, unreadExpected } from "../../app/report/proposed-scorer.ts";
import { pairedResults } from "../../store/compared/paired-results.ts";
import { summaryOfComparison } from "../../app/report/comparison-summary.ts";
import type { ReportSummary } from "../../report/shape/model.ts";
import { reportRow } from "../../report/model/model-row.ts";
import { modelTally } from "../../report/model/model-tally.ts";
import { queriedColumns } from "../../report/query/row-conditions.ts";
import { batchColumns } from "../../store/results/results.ts";
import { openDatabase } from "../../store/database.ts";
import { needsRoom, storeFailure } from "../../store/store-failure.ts";
import type { Connection } from "../../store/connection.ts";
import type { IndexPart, IndexWork, IndexWord } from "./index-work.ts";
import { RowIndexWriter } from "../../report/row-index/index-writer.ts";
import { writeTexts } from "../../app/report/write-texts.ts";
import { comparisonOfWanted } from "./wanted-comparison.ts";

/** Time between two words on its progress. */
const wordMs = 200;

/** One thread reads as fast as this one compares; what is shown of a row is read when it is asked for. */
const reading = { reasons: false, columns: comparedColumns };

/** Makes a part of an index in a thread of its own: those who look meanwhile do not wait. */
async function make(part: IndexPart, say: (word: IndexWord) => void): Promise<void> {
  using db = openDatabase(given.database, { reading: true });
  const planned = comparisonOfWanted(db, given.wanted);
  if (part === "texts") await writeTexts(db, planned, given.folder);
  else await writeRows(db, planned, { ...given, say });
  say({ kind: "ready" });
}

/** Compares everything once and writes the index of it. */
async function writeRows(
  db: Connection,
  planned: PlannedComparison,
  { folder, out, say }: Pick<IndexWork, "folder" | "out"> & { say: (word: IndexWord) => void },
): Promise<void> {
  const columns = queriedColumns(batchColumns(db, planned.batch.id));
  const writer = new RowIndexWriter(folder, reportFrame(planned.settings), columns);
  try {
    writer.end(await readAll(db, planned, { writer, out, say }));
  } catch (error) {
    writer.discard();
    throw error;
  }
}

async function readAll(
  db: Connection,
  planned: PlannedComparison,
  { writer, out, say }: { writer: RowIndexWriter; out: string; say: (word: IndexWord) => void },
): Promise<ReportSummary> {
  const { batches, settings, batch } = planned;
  const stream = twoLooks(settings, planned.secondLook);
  const tally = modelTally(settings);
  let done = 0;
  let said = performance.now();
  for (const result of pairedResults(db, batches, { ...reading, wants: isCompared(settings) })) {
    const compared = stream.add(result);
    tally.add(result, compared);
    writer.add(result.caseId, reportRow(result, compared, settings, ++done));
    if (performance.now() - said < wordMs) continue;
    said = performance.now();
    say({ kind: "at", done });
  }
  say({ kind: "at", done });
  const comparison = stream.summary();
  keepEdited(db, planned, comparison);
  const proposal = await proposedScorer(db, planned, out);
  const next = storedStep(db, { batch, comparison, proposal, out });
  const unread = await unreadExpected(db, planned);
  return summaryOfComparison(db, planned, { comparison, counts: tally.counts(), proposal, unread, next });
}

/** A run on the same machine goes first. Where threads have no priority of their own, all of the viewer gives way. */
function giveWay(): void {
  try {
    setPriority(10);
  } catch {
    // Not allowed: then it does not.
  }
}

/** A full disk and the like is told with advice: of the database, or of the folder of the index, which alone is written. */
function explained(error: unknown): unknown {
  if (needsRoom(error)) {
    return storeFailure(given.folder, error, { kept: "The results are as they were.", next: "load the page again" });
  }
  if (error instanceof Error && "syscall" in error) {
    const hint = "Try again; the folder beside the database must have room and be writable.";
    return new AppError("STORE_FAILED", error.message, { hint, cause: error });
  }
  return storeFailure(given.database, error);
}

// The server beside it gives the work, in this shape.
const given: IndexWork = workerData;
const port = parentPort;
if (port !== null) {
  giveWay();
  const say = (word: IndexWord): void => port.postMessage(word, []);
  port.on("message", (part: IndexPart) => {
    make(part, say).catch((error: unknown) => say({ kind: "failed", failure: packFailure(explained(error)) }));
  });
}
