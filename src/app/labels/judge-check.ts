import { judgeCheck, type JudgeCheck, type JudgeCounts } from "../../stats/rater-agreement.ts";
import type { Batch } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import type { Scoring } from "../../store/scores/scores.ts";
import { countsOfScorer } from "./agreement.ts";

interface Judged {
  /** Name of the judge's metric. */
  metric: string;
  batches: readonly Batch[];
  scorings: ReadonlyMap<number, Scoring | null>;
}

/** Checks a judge against the labels of all batches that are compared. */
export function judgeCheckOf(db: Connection, { metric, batches, scorings }: Judged): JudgeCheck {
  const counts: JudgeCounts = { truePass: 0, falsePass: 0, trueFail: 0, falseFail: 0 };
  for (const batch of batches) {
    const scoring = scorings.get(batch.id) ?? null;
    const place = scoring?.scorers.findIndex((scorer) => scorer.metric.name === metric) ?? -1;
    if (scoring === null || place === -1) continue;
    const own = countsOfScorer(db, batch, scoring, place);
    counts.truePass += own.truePass;
    counts.falsePass += own.falsePass;
    counts.trueFail += own.trueFail;
    counts.falseFail += own.falseFail;
  }
  return judgeCheck(counts);
}
