import type { BatchTarget } from "../../store/batches.ts";
import type { Suite } from "../../suite/suite.ts";
import { askedJudges } from "../../suite/used.ts";

/** A judge with the questions that a run would ask it at the most: what is known already is not asked again. */
export type PlannedJudge = BatchTarget & { jobs: number };

/** Counts the questions of a suite's scorers to its judges, by the jobs of the targets that are graded. */
export function plannedJudges(suite: Suite, targets: readonly (BatchTarget & { jobs: number })[]): PlannedJudge[] {
  const all = targets.reduce((sum, { jobs }) => sum + jobs, 0);
  const baseline = targets.find(({ name }) => name === suite.compare?.baseline)?.jobs ?? 0;
  return askedJudges(suite).map((judge, index) => {
    const asking = suite.scorers.filter(({ options }) => options["target"] === judge.name);
    // A judge of two answers is asked in both orders, about each candidate.
    const questions = asking.map(({ type }) => (type === "pairwise" ? 2 * (all - baseline) : all));
    const { name, deployment, endpoint, exampleId } = judge;
    return {
      id: -1 - index,
      name,
      deployment,
      baseUrl: suite.deployments.find((each) => each.name === deployment)?.baseUrl ?? "",
      endpoint,
      exampleId,
      body: JSON.stringify(judge.body),
      repeats: 1,
      stopped: null,
      jobs: questions.reduce((sum, each) => sum + each, 0),
    };
  });
}
