import { askAgain } from "./confirm.ts";
import type { RunContext } from "./context.ts";
import { noteTold } from "./provider/note-told.ts";
import { scoreBatch, type Scored } from "./grade/score-batch.ts";
import { concludeBatch, type Conclusion } from "./report/conclude.ts";
import { typedSuite } from "../suite/suite-path.ts";
import { folderFlag } from "../lib/paths/results-folder.ts";
import type { SendEnd } from "./send/send.ts";
import { showText } from "../lib/show.ts";
import { findBatch } from "../store/batches.ts";

/** Grades what there is, also after a stop, confirms a regression if its gate wants that, looks at its judges, and says what the batch came to. */
export async function gradeAndConclude(run: RunContext, name: string, sent: SendEnd): Promise<Conclusion> {
  const graded = await grade(run, name, sent);
  const again = graded.stopped.length > 0 ? null : await askAgain(run, name);
  const end = again === null ? graded : await grade(run, name, again);
  // Before it is compared: whether the judge is still the same decides what may be compared.
  if (run.watchesJudges === true && (end.stopped.length === 0 || !run.isInterrupted())) {
    const { watchJudges } = await import("./judge/watch-judges.ts");
    await watchJudges(run, findBatch(run.db, name));
  }
  noteTold(run.db, findBatch(run.db, name), run.onNotice);
  return concludeBatch(run, name, end);
}

/** Grades what is not graded yet; returns the end of all sending. */
async function grade(run: RunContext, name: string, sent: SendEnd): Promise<SendEnd> {
  const scored = await scoreBatch(run, findBatch(run.db, name));
  tellMissing(run, name, scored);
  return {
    stopped: [...sent.stopped, ...scored.end.stopped],
    stops: [...sent.stops, ...scored.end.stops],
    ...(sent.refusal !== undefined && { refusal: sent.refusal }),
  };
}

/** Says which scorers grade nothing, as the command names no suite file whose code may run. */
function tellMissing({ suite, out, onNotice }: RunContext, batch: string, { scoring }: Scored): void {
  const missing = (scoring?.scorers ?? []).filter(({ graded }) => graded === "missing");
  if (missing.length === 0) return;
  const names = missing.map(({ spec }) => showText(spec.name)).join(", ");
  onNotice(
    `Not graded by ${names}: code runs, and files of grades are read, only where its suite file is named. There: tandem score ${batch} --suite ${typedSuite(suite)}${folderFlag(out)}`,
  );
}
