import type { JsonObject } from "../../lib/json.ts";
import { storedObject } from "../../lib/stored-json.ts";
import type { MadeScorer } from "../../score/make.ts";
import type { Score } from "../../score/contract/scorer.ts";
import type { Connection } from "../../store/connection.ts";
import { type AskedQuestion, askedQuestions, questionsOf } from "../../store/scores/judges.ts";
import { scoredResults } from "../../store/scores/scores.ts";
import type { JobResult } from "../../store/results/case-result.ts";
import { gradeComposites, type Grades } from "./grading.ts";
import { gradedCase, judgeReplyOf, storedAnswer } from "./score-answer.ts";
import { type ScorePass, writeGrades } from "./score-pass.ts";
import { scoreOf } from "../../store/results/case-result.ts";

/** The results of reading the replies of a round. */
export interface Verdicts {
  /** Answers about which a judge is asked once more. */
  repairs: number;
  /** Scores that wait for a reply that did not come. */
  unanswered: number;
}

/**
 * Reads the replies of a round into scores, and makes the composites that waited for them. A reply that cannot be read is
 * asked for once more; a judge that failed leaves the answer unscored, with the reason.
 */
export function readReplies(
  db: Connection,
  scoring: { id: number; batchId: number },
  pass: ScorePass,
  round: number,
): Verdicts {
  const verdicts: Verdicts = { repairs: 0, unanswered: 0 };
  const replies = byJob(askedQuestions(db, scoring.id, round));
  try {
    let next = replies.next();
    for (const result of scoredResults(db, scoring.batchId, scoring.id, { reasons: true })) {
      if (next.done === true) break;
      while (next.done !== true && next.value.caseId === result.caseId) {
        const { jobId, questions } = next.value;
        const job = result.jobs.find((each) => each.jobId === jobId);
        const target = job === undefined ? undefined : pass.targets.get(job.targetId);
        if (job !== undefined && target !== undefined) {
          const grades = storedGrades(job, pass);
          const asked = (place: number): JsonObject[] =>
            questionsOf(db, scoring.id, jobId, result.caseId)
              .filter((each) => each.scorer === place && each.round === round)
              .map(({ question }) => bodyOf(question));
          const before = [...grades];
          readJob({ caseId: result.caseId, jobId, questions, grades, round, asked }, pass, verdicts);
          gradeComposites(pass.grading, storedAnswer(gradedCase(result), job, target), grades);
          const fresh = grades.map((grade, place) => (grade === before[place] ? null : grade));
          writeGrades(pass.writer, { caseId: result.caseId, jobId }, fresh);
        }
        next = replies.next();
      }
    }
    pass.writer.end();
  } catch (error) {
    pass.writer.undo();
    throw error;
  }
  return verdicts;
}

/** Scores of a job as they are stored; a judge that has not said anything yet is to come. */
function storedGrades(job: JobResult, { grading }: ScorePass): Grades {
  return grading.scorers.map((_, place) => {
    const score = job.scores[place];
    return score === undefined ? null : scoreOf(score);
  });
}

interface JudgedJob {
  caseId: number;
  jobId: number;
  questions: AskedQuestion[];
  grades: Grades;
  round: number;
  /** Questions to the judge at a place in this round. */
  asked: (place: number) => JsonObject[];
}

/** Puts the verdicts of each judge among the grades of a job. */
function readJob(
  { caseId, jobId, questions, grades, round, asked }: JudgedJob,
  pass: ScorePass,
  verdicts: Verdicts,
): void {
  for (const place of new Set(questions.map(({ scorer }) => scorer))) {
    const made = pass.grading.scorers[place] ?? null;
    const verdict = verdictOf(made, {
      questions: questions.filter(({ scorer }) => scorer === place),
      round,
      asked: () => asked(place),
    });
    if (verdict === null) verdicts.unanswered += 1;
    else if (Array.isArray(verdict)) {
      verdicts.repairs += 1;
      pass.questions.ask({ caseId, jobId }, { scorer: place, round: round + 1, bodies: verdict });
    }
    grades[place] = verdict === null || Array.isArray(verdict) ? "later" : verdict;
  }
}

/** A score, the questions that are to be asked again, or null while a reply is missing. */
function verdictOf(
  made: MadeScorer | null,
  { questions, round, asked }: { questions: AskedQuestion[]; round: number; asked: () => JsonObject[] },
): Score | JsonObject[] | null {
  if (made?.scorer.kind !== "judge") return { unscored: "the judge is no longer among the scorers" };
  if (questions.some(({ outcome }) => outcome === null)) return null;
  const failed = questions.find(({ outcome }) => outcome !== "ok");
  if (failed !== undefined) {
    return { unscored: `the judge did not answer (${failed.outcome}): ${failed.error ?? "no reason was given"}` };
  }
  const replies = questions.map((question) =>
    question.runId === null && question.body === null ? null : judgeReplyOf(question),
  );
  const read = made.scorer.read(replies, round > 0, asked);
  if (!("repair" in read)) return read;
  return round === 0
    ? read.repair
    : { unscored: "the judge's reply could not be read, nor the one after it was asked again" };
}

const bodyOf = (question: string): JsonObject => storedObject(question, "a question to a judge");

/** Questions in the order of the cases, put together by the job that they are about. */
function* byJob(
  questions: Iterable<AskedQuestion>,
): Generator<{ caseId: number; jobId: number; questions: AskedQuestion[] }, undefined> {
  let own: AskedQuestion[] = [];
  const first = (): AskedQuestion | undefined => own[0];
  for (const question of questions) {
    const head = first();
    if (head !== undefined && head.jobId !== question.jobId) {
      yield { caseId: head.caseId, jobId: head.jobId, questions: own };
      own = [];
    }
    own.push(question);
  }
  const head = first();
  if (head !== undefined) yield { caseId: head.caseId, jobId: head.jobId, questions: own };
}
