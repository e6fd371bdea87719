import { askAnchors } from "./anchors/ask-anchors.ts";
import { askAgain, type AskingAgain } from "./confirm.ts";
import { scoreBatch, type ScoreBatchOptions, type Scored } from "./grade/score-batch.ts";
import { concludeBatch, type ConcludeOptions, type Conclusion } from "./report/conclude.ts";
import { typedSuite } from "../suite/suite-path.ts";
import { folderFlag } from "../lib/paths/results-folder.ts";
import type { SendEnd } from "./send/send.ts";
import { showText } from "../lib/show.ts";
import { findBatch } from "../store/batches.ts";
import type { Connection } from "../store/connection.ts";

interface Graded extends ConcludeOptions, AskingAgain, Pick<ScoreBatchOptions, "suite" | "trust" | "cache"> {
  /** Asks the judges about their anchors, as a night does; left out: no. */
  asksAnchors?: boolean;
}

/** Grades what there is, also after a stop, confirms a regression if its gate wants that, asks anchors, and says what the batch came to. */
export async function gradeAndConclude(db: Connection, name: string, request: Graded): Promise<Conclusion> {
  const graded = await grade(db, name, request, request.end);
  const again = graded.stopped.length > 0 ? null : await askAgain(db, name, request);
  const end = again === null ? graded : await grade(db, name, request, again);
  // Before it is compared: whether the judge is still the same decides what may be compared.
  if (request.asksAnchors === true) await askAnchors(db, findBatch(db, name), request);
  return concludeBatch(db, name, { ...request, end });
}

/** Grades what is not graded yet; returns the end of all sending. */
async function grade(db: Connection, name: string, request: Omit<Graded, "end">, sent: SendEnd): Promise<SendEnd> {
  const scored = await scoreBatch(db, findBatch(db, name), { ...request, again: false });
  tellMissing(name, scored, request);
  return {
    stopped: [...sent.stopped, ...scored.end.stopped],
    stops: [...sent.stops, ...scored.end.stops],
    ...(sent.refusal !== undefined && { refusal: sent.refusal }),
  };
}

/** Says which scorers grade nothing, as the command names no suite file whose code may run. */
function tellMissing(
  batch: string,
  { scoring }: Pick<Scored, "scoring">,
  { suite, out, onNotice }: Pick<Graded, "suite" | "out" | "onNotice">,
): void {
  const missing = (scoring?.scorers ?? []).filter(({ graded }) => graded === "missing");
  if (missing.length === 0) return;
  const names = missing.map(({ spec }) => showText(spec.name)).join(", ");
  onNotice(
    `Not graded by ${names}: code runs only where its suite file is named. There: tandem score ${batch} --suite ${typedSuite(suite)}${folderFlag(out)}`,
  );
}
