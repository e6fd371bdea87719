import type { JobOutcome, ShownOutcome } from "../../api/outcomes.ts";
import { sideOutcome } from "../../compare/cases/side-outcome.ts";
import { isDeepStrictEqual } from "node:util";
import { endpointOf } from "../../api/endpoints.ts";
import { answerPasses } from "../../score/contract/case-pass.ts";
import type { CodeTrust } from "../../score/contract/code-trust.ts";
import type { Answer, Score } from "../../score/contract/scorer.ts";
import { type Batch, batchTargets } from "../../store/batches.ts";
import { caseOfKey, caseOfRow } from "../../store/plan/case-keys.ts";
import type { Connection } from "../../store/connection.ts";
import { firstKeys } from "../../store/plan/expectation.ts";
import { type AskedQuestion, questionsOf } from "../../store/scores/judges.ts";
import { type LabelEntry, labelsOfJob } from "../../store/scores/labels.ts";
import { caseResultReader } from "../../store/results/results.ts";
import { hasChecks, jobScores, latestScoring, type Scoring } from "../../store/scores/scores.ts";
import type { Suite } from "../../suite/suite.ts";
import { mostKeys, noCase } from "../plan/planned-request.ts";
import { gradeAtOnce, gradeComposites, type Grades, type Grading, gradingOf, mayGrade } from "./grading.ts";
import { applyLearnedExpectations } from "./learned.ts";
import { gradedCase, isGraded, answerRecordOf, storedAnswer } from "./score-answer.ts";
import { isCounterpart } from "./score-pass.ts";
import { scoreOf } from "../../store/results/case-result.ts";
import { openScorers, type Scorers } from "./scorers.ts";

/** One case as its scorers see it. */
export interface Explanation {
  batch: string;
  key: string;
  /** As a spreadsheet counts it; null: of no file. */
  row: number | null;
  input: Answer["case"]["input"];
  expected: string | null;
  tags: Record<string, string>;
  answers: ExplainedAnswer[];
}

/** The answer of one target, and its outcome. */
export interface ExplainedAnswer {
  target: string;
  repeat: number;
  outcome: ShownOutcome;
  error: string | null;
  url: string | null;
  answer: string | null;
  /** Result by the suite's rule; null: nothing decides it. */
  pass: boolean | null;
  scores: ExplainedScore[];
  labels: LabelEntry[];
}

export interface ExplainedScore {
  scorer: string;
  type: string;
  /** null: not graded; `why` says why. */
  score: Score | null;
  why: string | null;
  /** The text that was looked at and the one it was compared with, if the scorer has such. */
  looked: { text: string | null; expected: string | null } | null;
  questions: ExplainedQuestion[];
}

/** A question to a judge, and its reply. */
interface ExplainedQuestion {
  judge: string;
  /** 2: asked again, because the reply could not be read. */
  time: number;
  /** JSON text of the request. */
  question: string;
  outcome: JobOutcome | null;
  reply: string | null;
  url: string | null;
}

/**
 * Explains the scores of one case by each scorer of a suite (null: that of the batch), target by target. Throws USAGE when there is no such case.
 */
export async function explainCase(
  db: Connection,
  batch: Batch,
  given: { suite: Suite | null; trust: CodeTrust | null; key: string },
): Promise<Explanation> {
  const id = caseOfKey(db, batch.id, given.key) ?? caseNamedByRow(db, batch, given.key);
  const [result] = id === null ? [] : caseResultReader(db)([id]);
  if (result === undefined) throw noCase(given.key, `in ${batch.name}`, firstKeys(db, batch.id, mostKeys));
  const before = latestScoring(db, batch.id);
  const suite = given.suite === null ? batch.suite : applyLearnedExpectations(db, given.suite);
  await using scorers = await openScorers(suite, { ...given, checks: hasChecks(db, batch.id), before });
  const graded = gradedCase(result);
  const { baseline = null } = suite.compare ?? batch.suite.compare ?? {};
  const view = { db, scorers, grading: gradingOf(scorers), before, baseline };
  const targets = new Map(batchTargets(db, batch.id).map((target) => [target.id, target]));
  const labelsOf = labelsOfJob(db);
  const answers = result.jobs.flatMap((job) => {
    const target = targets.get(job.targetId);
    if (target === undefined) return [];
    const answer = storedAnswer(graded, job, target);
    const place = { caseId: result.caseId, jobId: job.jobId };
    const scores = isGraded(job) ? explainedScores(view, answer, place) : [];
    const rated = scores.map(({ score }) => score);
    const metrics = scorers.stored.map(({ metric }) => metric);
    return [
      {
        target: target.name,
        repeat: job.repeat,
        outcome: sideOutcome(job),
        error: job.error,
        url: job.url,
        answer: answer.record === null ? null : endpointOf(target.endpoint).textOf(answer.record.output),
        pass: answerPasses(suite.pass, metrics, rated),
        scores,
        labels: labelsOf(job.jobId),
      },
    ];
  });
  const { key, input, expected, tags } = graded;
  return { batch: batch.name, key, row: result.row, input, expected, tags, answers };
}

interface View {
  db: Connection;
  scorers: Scorers;
  grading: Grading;
  before: Scoring | null;
  /** Name of the target that others are compared with. */
  baseline: string | null;
}

/** Scores that are made at once are made now; scores that took time or money are as they are stored. */
function explainedScores(view: View, answer: Answer, place: { caseId: number; jobId: number }): ExplainedScore[] {
  const { db, scorers, grading, before, baseline } = view;
  const grades: Grades = scorers.stored.map(() => null);
  gradeAtOnce(grading, answer, grades);
  const kept = before === null ? [] : jobScores(db, before.id, place);
  const questions = before === null ? [] : questionsOf(db, before.id, place.jobId, place.caseId);
  const placeBefore = scorers.stored.map(
    ({ spec }) => before?.scorers.findIndex((other) => isDeepStrictEqual(other.spec, spec)) ?? -1,
  );
  for (const [index, then] of placeBefore.entries()) {
    const made = scorers.made[index];
    const score = kept[then];
    const isStored = made === null || made?.scorer.kind === "effect" || made?.scorer.kind === "judge";
    if (isStored && score !== undefined) grades[index] = scoreOf(score);
  }
  gradeComposites(grading, answer, grades);
  return scorers.stored.map(({ spec }, index) => {
    const made = scorers.made[index] ?? null;
    const grade = grades[index] ?? null;
    const score = grade === "later" ? null : grade;
    const asked = questions.filter(({ scorer }) => scorer === placeBefore[index]);
    return {
      scorer: spec.name,
      type: spec.type,
      score,
      why: score === null ? whyNone(made, answer, baseline) : null,
      looked: made?.look?.(answer) ?? null,
      questions: asked.map(explainedQuestion),
    };
  });
}

function whyNone(made: Scorers["made"][number], answer: Answer, baseline: string | null): string {
  if (made === null) return "it runs or reads something beside the suite: name the file with --suite";
  if (!mayGrade(made, answer)) return "it says nothing of this answer";
  if (isCounterpart(made, answer, baseline)) return "not asked: the other answers are compared with this one";
  return "not graded yet: `tandem score` does";
}

function explainedQuestion(asked: AskedQuestion & { question: string; judge: string }): ExplainedQuestion {
  const { judge, round, question, outcome, url } = asked;
  const reply = asked.body === null ? null : replyText(asked);
  return { judge, time: round + 1, question, outcome, reply: reply ?? asked.error, url };
}

/** A reply as a person reads it: a text as it is, a value as JSON. */
function replyText(asked: AskedQuestion): string {
  const { answersWith, valueOf } = endpointOf(asked.endpoint);
  const said = valueOf(answerRecordOf(asked.endpoint, asked).output) ?? null;
  return answersWith === "text" && typeof said === "string" ? said : JSON.stringify(said);
}

/** Looks up the case of `row:12`. */
function caseNamedByRow(db: Connection, batch: Batch, name: string): number | null {
  const row = /^row:(\d{1,9})$/.exec(name)?.[1];
  return row === undefined ? null : caseOfRow(db, batch.id, Number(row));
}
