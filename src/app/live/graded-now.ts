import type { ComparisonSettings } from "../../compare/comparison.ts";
import { version } from "../../lib/version.ts";
import { type Batch, batchOfId, type BatchTarget } from "../../store/batches.ts";
import type { CaseOfBatches, ComparedBatch } from "../../store/compared/joined-case.ts";
import { oneCaseReader } from "../../store/compared/one-case.ts";
import type { Connection } from "../../store/connection.ts";
import { latestScoring, type Scoring } from "../../store/scores/scores.ts";
import { comparedMetrics } from "../compare/compared-metrics.ts";
import { gradeAtOnce, gradeComposites, type Grades, type Grading } from "../grade/grading.ts";
import { gradedCase, isGraded, storedAnswer } from "../grade/score-answer.ts";
import { jobScoreOf } from "../../store/results/case-result.ts";
import { comparisonOfBatch } from "../compare/planned-comparison.ts";

/** Places of the scorers that grade at once, and of composites of nothing else. */
export function gradedAtOnce(grading: Grading): Set<number> {
  const atOnce = new Set(grading.pure);
  for (const { place, of } of grading.composites) if (of.every((part) => atOnce.has(part))) atOnce.add(place);
  return atOnce;
}

/** The comparison that a batch will have when it has ended, with the metrics of some scorers. */
export function provisionalComparison(
  db: Connection,
  batch: Batch,
  { suiteHash, scorers }: Pick<Scoring, "suiteHash" | "scorers">,
): { settings: ComparisonSettings; batches: ComparedBatch[] } {
  const { settings, batches } = comparisonOfBatch(db, batch);
  const scoring: Scoring = {
    id: 0,
    batchId: batch.id,
    suiteHash,
    scorers,
    rule: batch.suite.pass,
    version,
    answers: 0,
    askedFrom: 0,
    complete: false,
    createdAt: 0,
    finishedAt: null,
  };
  const others = new Map(batches.map(({ batchId }) => [batchId, batchOfId(db, batchId)] as const));
  const scorings = new Map(
    batches.map(({ batchId }) => [batchId, batchId === batch.id ? scoring : latestScoring(db, batchId)] as const),
  );
  const sides = settings.sides.map(({ targetIds, batchIds }) => ({
    parts: targetIds.map((id, part) => ({ batch: others.get(batchIds[part] ?? 0) ?? batch, target: { id } })),
  }));
  const metrics = comparedMetrics(batch.suite.decision, { batch, sides, scorings });
  return {
    settings: { ...settings, ...metrics },
    // Scores of an earlier scoring of a resumed batch are made again.
    batches: batches.map((each) => (each.batchId === batch.id ? { ...each, scoringId: null } : each)),
  };
}

/** Reads a case by its key, with the grades of the scorers that grade at once: nothing is written. */
export function gradedCaseReader(
  db: Connection,
  ofBatch: readonly BatchTarget[],
  { batches, grading }: { batches: ComparedBatch[]; grading: Grading },
): (key: string) => CaseOfBatches | null {
  const targets = new Map(ofBatch.map((target) => [target.id, target]));
  const readCase = oneCaseReader(db, batches);
  const atOnce = gradedAtOnce(grading);
  // Scores are by the place among the scorers that grade at once.
  const kept = grading.scorers.flatMap((_, place) => (atOnce.has(place) ? [place] : []));
  return (key) => {
    const result = readCase(key);
    if (result === null) return null;
    // Further runs of a second look are made of what was decided before.
    result.jobs = result.jobs.filter(({ targetId, repeat }) => {
      const target = targets.get(targetId);
      return target === undefined || repeat <= target.repeats;
    });
    const graded = gradedCase(result);
    for (const job of result.jobs) {
      const target = targets.get(job.targetId);
      if (target === undefined || !isGraded(job)) continue;
      const grades: Grades = grading.scorers.map(() => null);
      const answer = storedAnswer(graded, job, target);
      gradeAtOnce(grading, answer, grades);
      gradeComposites(grading, answer, grades);
      job.scores = kept.map((place) => {
        const grade = grades[place] ?? null;
        return grade === null || grade === "later" ? undefined : jobScoreOf(grade);
      });
    }
    return result;
  };
}
