import { costOfRuns } from "../../api/price.ts";
import type { ReportJudge } from "../../report/shape/model.ts";
import type { Batch } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { type JudgeTally, judgeTallies } from "../../store/scores/judges.ts";
import { latestScoring } from "../../store/scores/scores.ts";
import { checkedJudges } from "./checked-judges.ts";
import { judgePrice } from "../../suite/prices.ts";
import type { Suite } from "../../suite/suite.ts";

/** The judges of the grading that counts, with what it cost to ask them. */
export function judgesOf(db: Connection, batch: Batch): ReportJudge[] {
  const scoring = latestScoring(db, batch.id);
  if (scoring === null) return [];
  const checked = checkedJudges(db, batch.suite);
  return withCosts(judgeTallies(db, scoring), batch.suite).map(
    ({ judge: name, deployment, questions, asked, failed, cost }) => ({
      name,
      deployment,
      questions,
      asked,
      failed,
      cost,
      checks: checked.flatMap(({ judge, ...check }) => (judge === nameInSuite(name) ? [check] : [])),
    }),
  );
}

/** One that has changed since an earlier grading has a number behind its name. */
const nameInSuite = (name: string): string => name.replace(/~\d+$/, "");

/** Adds the cost by the price of the judge or its deployment; null without one, or without the tokens that it needs. */
export function withCosts(
  tallies: readonly JudgeTally[],
  suite: Pick<Suite, "deployments" | "judges">,
): (JudgeTally & { cost: number | null })[] {
  return tallies.map((tally) => {
    const price = judgePrice(suite, { name: tally.judge, deployment: tally.deployment });
    return { ...tally, cost: tally.paid === 0 && price !== null ? 0 : costOfRuns(price, tally.tokens, tally.paid) };
  });
}
