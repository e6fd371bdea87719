import { endpointOf } from "../../api/endpoints.ts";
import type { PeopleLabels } from "../../compare/comparison-plan.ts";
import { answerMark } from "../../lib/answer-mark.ts";
import type { Metric } from "../../score/contract/scorer.ts";
import { type Batch, type BatchTarget, batchTargets } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import type { CaseResult, JobResult } from "../../store/results/case-result.ts";
import { resultsIn } from "../../store/results/results.ts";
import { casesOfDraw, drawsOf } from "../../store/scores/label-draws.ts";
import { latestScoring } from "../../store/scores/scores.ts";
import type { Suite } from "../../suite/suite.ts";
import { gradedCase, storedAnswer } from "../grade/score-answer.ts";
import { judgeExamples } from "../labels/judge-examples.ts";
import { peopleLabels } from "../labels/people-labels.ts";
import { type ObservedErrors, shareOf } from "./bias-findings.ts";

interface Observing {
  suite: Suite;
  /** Name of the score. */
  name: string;
}

/** The errors of a judge in the answers of a batch that people labelled, by the scoring that counts; nothing where there is none. */
export function observedErrors(db: Connection, batch: Batch, { suite, name }: Observing): ObservedErrors {
  const scoring = latestScoring(db, batch.id);
  const place = scoring?.scorers.findIndex(({ metric }) => metric.name === name) ?? -1;
  const metric = scoring?.scorers[place]?.metric;
  const baseline = (suite.compare ?? batch.suite.compare)?.baseline ?? null;
  const nothing: ObservedErrors = { pairs: [] };
  if (scoring === null || metric === undefined) return nothing;
  // A judge of two answers gives the difference as its score, and people by their labels.
  const isPair = metric.against !== null;
  const byValue = isPair ? undefined : peopleLabels(db, [batch], { metric, of: "value" });
  const labels = byValue ?? peopleLabels(db, [batch], { metric, of: "pass" });
  if (labels === undefined) return nothing;
  const read = sideReader({ metric, place, labels, isPass: byValue === undefined });
  const weights = drawnWeights(db, batch);
  const targets = new Map(batchTargets(db, batch.id).map((target) => [target.id, target]));
  const pairs: ObservedErrors["pairs"][number][] = [];
  const spec = scoring.scorers[place]?.spec;
  const isExample = spec === undefined ? null : judgeExamples(batch.suite, spec);
  for (const result of resultsIn(db, batch.id, { scoringId: scoring.id, reasons: false })) {
    if (isExample?.(result) === true) continue;
    const sides = Array.from(targets.values()).flatMap((target) => read(result, target) ?? []);
    const { cluster } = result;
    const from = sides.find(({ target }) => target === baseline);
    for (const to of sides) {
      if (from === undefined || to === from || to.judge === null || (!isPair && from.judge === null)) continue;
      const judged = isPair ? 2 * to.judge - 1 : to.judge - (from.judge ?? 0);
      const y = judged - (to.human - from.human);
      pairs.push({ x: Math.log(to.length / from.length), y, cluster, weight: weights.get(result.caseId) ?? 1 });
    }
  }
  return { pairs };
}

interface Side {
  target: string;
  /** By the judge and by people, from 0 to 1; of a judge of two answers null at the baseline. */
  judge: number | null;
  human: number;
  length: number;
}

interface Reading {
  metric: Metric;
  /** Place of its scorer in the scoring. */
  place: number;
  labels: PeopleLabels;
  /** By what passes; else by the values. */
  isPass: boolean;
}

/** Reads what the judge and people say of the answers of a target to a case; null without both. */
function sideReader({
  metric,
  place,
  labels,
  isPass,
}: Reading): (result: CaseResult, target: BatchTarget) => Side | null {
  const share = shareOf(metric);
  const judgedBy = (job: JobResult): number | null => {
    const score = job.scores[place];
    const said = score?.edit?.was ?? score;
    if (said === undefined || said.value === null) return null;
    if (isPass && metric.against === null) return said.pass === null ? null : said.pass ? 1 : 0;
    return share(said.value);
  };
  return (result, target) => {
    const found = result.jobs.flatMap((job) => {
      const label = labels.get(job.jobId);
      if (job.targetId !== target.id || label === undefined) return [];
      const answer = storedAnswer(gradedCase(result), job, target);
      const text = answer.record === null ? null : endpointOf(target.endpoint).textOf(answer.record.output);
      if (text === null || text === "" || (label.answer !== null && label.answer !== answerMark(text))) return [];
      const judge = judgedBy(job);
      if (judge === null && metric.against === null) return [];
      const human = isPass ? label.value : share(label.value);
      return [{ judge, human, length: text.length }];
    });
    const [first] = found;
    if (first === undefined) return null;
    const mean = (of: (each: NonNullable<typeof first>) => number): number =>
      found.reduce((sum, each) => sum + of(each), 0) / found.length;
    const judge = found.every((each) => each.judge !== null) ? mean((each) => each.judge ?? 0) : null;
    return {
      target: target.name,
      judge,
      human: mean((each) => each.human),
      length: mean((each) => each.length),
    };
  };
}

/** 1 over the chance of the cases that were drawn for people. */
function drawnWeights(db: Connection, batch: Batch): Map<number, number> {
  const draws = drawsOf(db, batch.id);
  return new Map(
    draws.flatMap(({ id }) => casesOfDraw(db, id).map(({ caseId, chance }) => [caseId, 1 / chance] as const)),
  );
}
