import { AppError } from "../../errors.ts";
import { batchTargets } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { exportedName } from "../../store/pins/pins.ts";
import { otherScoresWords } from "../../report/say/causes.ts";
import { latestScoring } from "../../store/scores/scores.ts";
import type { StoredScorer } from "../../store/scores/stored-scorer.ts";
import type { Suite } from "../../suite/suite.ts";
import { whyNotCompared } from "./compared-metrics.ts";
import { refuseChosen } from "./chosen-cases.ts";
import type { Reference } from "./batch-reference.ts";

/**
 * Finds notes for a run that is compared with a reference, before anything is sent: targets without a counterpart, and
 * scorers whose scores cannot be compared. Throws BATCH_NOT_FOUND when no target has a counterpart.
 */
export function checkAgainst(
  db: Connection,
  { label, batches, target }: Reference,
  { suite, scorers }: { suite: Suite; scorers: readonly StoredScorer[] },
): string[] {
  refuseChosen(db, batches);
  const known = new Set(batches.flatMap((batch) => batchTargets(db, batch.id).map(({ name }) => name)));
  const alone = suite.targets.filter(({ name }) => !known.has(target ?? name)).map(({ name }) => name);
  const names = Array.from(known).join(", ");
  if (alone.length === suite.targets.length) {
    const what = target === null ? `none of the targets of ${suite.name}` : `no target "${target}"`;
    throw new AppError("BATCH_NOT_FOUND", `${label} has ${what}.`, {
      hint: `It has: ${names}. --against ${label}:TARGET compares all with one of them.`,
    });
  }
  const lines = alone.map((name) => `${name} is not compared: ${label} has no target of that name (it has: ${names}).`);
  for (const batch of batches) {
    const scoring = latestScoring(db, batch.id);
    for (const scorer of scorers) {
      const why = whyNotCompared(scorer, scoring, { name: batch.name, exportedAs: exportedName(db, batch) });
      if (why !== null) lines.push(`${scorer.metric.name} is not compared: ${otherScoresWords(why)}.`);
    }
  }
  return lines;
}
