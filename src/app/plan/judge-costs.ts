import { costOf } from "../../api/price.ts";
import type { ReportJudge } from "../../report/shape/model.ts";
import type { Batch } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { type JudgeTally, judgeTallies } from "../../store/scores/judges.ts";
import { latestScoring } from "../../store/scores/scores.ts";
import type { Suite } from "../../suite/suite.ts";

/** The judges of the grading that counts, with what it cost to ask them. */
export function judgesOf(db: Connection, batch: Batch): ReportJudge[] {
  const scoring = latestScoring(db, batch.id);
  if (scoring === null) return [];
  return withCosts(judgeTallies(db, scoring), batch.suite).map(
    ({ judge: name, deployment, questions, asked, failed, cost }) => ({
      name,
      deployment,
      questions,
      asked,
      failed,
      cost,
    }),
  );
}

const times = (cost: number | null, count: number): number | null => (cost === null ? null : cost * count);

/** Adds the cost by the price of the judge's deployment; null without one. */
export function withCosts(
  tallies: readonly JudgeTally[],
  { deployments }: Pick<Suite, "deployments">,
): (JudgeTally & { cost: number | null })[] {
  return tallies.map((tally) => {
    const price = deployments.find(({ name }) => name === tally.deployment)?.price ?? null;
    return { ...tally, cost: times(costOf(price, null), tally.paid) };
  });
}
