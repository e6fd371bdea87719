import { startTurn } from "../../lib/clock.ts";
import type { EndpointName } from "../../api/endpoint-name.ts";
import type { Answer, Laxity, Score } from "../../score/contract/scorer.ts";
import { type AnswerSample, laxityOf } from "../../score/laxity.ts";
import type { MadeScorer } from "../../score/make.ts";
import type { Connection } from "../../store/connection.ts";
import { scoredResults, type ScoreWriter } from "../../store/scores/scores.ts";
import { type JobResult, jobScoreOf, scoreOf } from "../../store/results/case-result.ts";
import type { ExpectedTexts } from "../../store/scores/graded-by.ts";
import { gradeAtOnce, gradeComposites, type Grades, type Grading, mayGrade } from "./grading.ts";
import type { AskedJob, Questions } from "./questions.ts";
import type { AbsentScorer } from "./scorers.ts";
import { gradedCase, isGraded, storedAnswer } from "./score-answer.ts";
import type { ScoreWatch } from "./score-watch.ts";
import PQueue from "p-queue";

export interface ScorePass {
  grading: Grading;
  /** Graded targets by id. */
  targets: ReadonlyMap<number, { name: string; endpoint: EndpointName }>;
  /** Name of the target that others are compared with. */
  baseline: string | null;
  /** Expected texts that count in the place of those of the batch. */
  expected: ExpectedTexts;
  writer: ScoreWriter;
  questions: Questions;
  watch: ScoreWatch;
  /** The scoring before this one. */
  before: number | null;
  /** Places of scorers with effects whose scores in the scoring before are still good; there they have the same places. */
  reusable: ReadonlySet<number>;
  absent: readonly AbsentScorer[];
  /** Answers of each target that are tried at other rows; none where no scorer is tried so. */
  samples: ReadonlyMap<number, AnswerSample>;
}

/**
 * Makes one pass over everything that is stored: scorers that grade at once do, scorers with effects are run, judges'
 * questions are entered. Scores are committed on the way. Resolves with true when everything was graded: after a stop,
 * scores that take time are missing, and so are those of scorers that are not made for a new answer.
 */
export async function scorePass(db: Connection, batchId: number, pass: ScorePass): Promise<boolean> {
  const { watch, writer } = pass;
  const effects = new EffectQueue(pass.grading, watch);
  // Read only where something of it may be taken over.
  const before = pass.reusable.size > 0 || pass.absent.length > 0 ? pass.before : null;
  const turn = startTurn();
  let leftOut = 0;
  try {
    for (const result of scoredResults(db, batchId, before, { reasons: true, asPlanned: true })) {
      const expected = pass.expected.get(result.caseId);
      const graded = gradedCase(expected === undefined ? result : { ...result, expected });
      const answers = result.jobs.map((job) => answerOf(graded, job, pass));
      sampleAnswers(pass, result.jobs, answers);
      const baseline = answers.filter((answer) => answer?.target === pass.baseline);
      for (const [index, job] of result.jobs.entries()) {
        const answer = answers[index];
        if (answer === undefined || answer === null || !isGraded(job)) continue;
        const place = { caseId: result.caseId, jobId: job.jobId };
        const grades: Grades = pass.grading.scorers.map(() => null);
        gradeAtOnce(pass.grading, answer, grades);
        leftOut += takeOver(pass.absent, { answer, job, grades });
        askJudges(pass, place, { answer, other: counterpart(answer, baseline), grades });
        const known = (effect: number): Score | null => (pass.reusable.has(effect) ? knownScore(job, effect) : null);
        const finish = (): void => {
          gradeComposites(pass.grading, answer, grades);
          writeGrades(writer, place, grades);
          watch.graded();
        };
        if (pass.grading.effects.length === 0) finish();
        else await effects.grade({ answer, grades, known, finish });
      }
      if (turn.isOver()) await turn.next();
    }
    await effects.done();
    writer.end();
    return effects.leftOut + leftOut === 0;
  } catch (error) {
    await effects.done().catch(() => {});
    writer.undo();
    throw error;
  }
}

/** Keeps the first answer of each target, if it is drawn. */
function sampleAnswers({ samples }: ScorePass, jobs: readonly JobResult[], answers: readonly (Answer | null)[]): void {
  if (samples.size === 0) return;
  const seen = new Set<number>();
  for (const [index, answer] of answers.entries()) {
    const job = jobs[index];
    if (answer === null || answer.record === null || job === undefined || seen.has(job.targetId)) continue;
    if (answer.outcome !== "ok" || answer.case.expected === null) continue;
    seen.add(job.targetId);
    samples.get(job.targetId)?.add(() => answer, job.body?.length ?? 0);
  }
}

/** Tries each scorer with answers of other rows, by the names of the targets that gave them. */
export function laxityOfAll({ grading, samples, targets }: ScorePass): (Record<string, Laxity> | null)[] {
  return grading.scorers.map((made) => {
    if (made === null) return null;
    const found = Array.from(samples).flatMap(([id, sample]) => {
      const laxity = laxityOf(made, sample.kept);
      return laxity === null ? [] : [[targets.get(id)?.name ?? "", laxity] as const];
    });
    return found.length === 0 ? null : Object.fromEntries(found);
  });
}

function answerOf(graded: Answer["case"], job: JobResult, { targets }: ScorePass): Answer | null {
  const target = targets.get(job.targetId);
  return target === undefined ? null : storedAnswer(graded, job, target);
}

/** The baseline's answer in the same repeat, or any. */
function counterpart(answer: Answer, baseline: (Answer | null)[]): Answer | null {
  return baseline.find((other) => other?.repeat === answer.repeat) ?? baseline[0] ?? null;
}

/** True for the answer with which a judge of two compares the others: it is not asked about that one. */
export function isCounterpart({ scorer }: MadeScorer, { target }: Answer, baseline: string | null): boolean {
  return scorer.kind === "judge" && scorer.against === "baseline" && target === baseline;
}

/** Enters the questions to judges about an answer; a judge of two answers has none about the baseline. */
function askJudges(
  { grading, baseline, questions }: ScorePass,
  place: AskedJob,
  { answer, other, grades }: { answer: Answer; other: Answer | null; grades: Grades },
): void {
  for (const scorer of grading.judges) {
    const made = grading.scorers[scorer];
    if (made?.scorer.kind !== "judge" || !mayGrade(made, answer)) continue;
    if (isCounterpart(made, answer, baseline)) continue;
    const asked = made.scorer.ask(answer, made.scorer.against === "baseline" ? other : null);
    grades[scorer] = Array.isArray(asked) ? "later" : asked;
    if (Array.isArray(asked)) questions.ask(place, { scorer, round: 0, bodies: asked });
  }
}

/**
 * Takes over earlier scores of scorers that are not made. An answer that came since is unscored, so that it does not
 * leave the comparison unseen. Returns the number of grades missing for that reason.
 */
function takeOver(
  absent: readonly AbsentScorer[],
  { answer, job, grades }: { answer: Answer; job: JobResult; grades: Grades },
): number {
  let leftOut = 0;
  for (const scorer of absent) {
    const score = scorer.from === null ? undefined : job.scores[scorer.from];
    const isLeft = score === undefined ? mayGrade(scorer, answer) : score.lack === "scorer";
    if (score !== undefined) grades[scorer.place] = scoreOf(score);
    else if (isLeft) grades[scorer.place] = notMade;
    if (isLeft) leftOut += 1;
  }
  return leftOut;
}

const notMade: Score = {
  unscored:
    "not graded: it runs or reads a file beside the suite, which only a suite that is named may (tandem score BATCH --suite FILE)",
  lack: "scorer",
};

/** A score of an earlier scoring; one that was unscored is tried again. */
function knownScore(job: JobResult, place: number): Score | null {
  const score = job.scores[place];
  return score === undefined || score.value === null ? null : scoreOf(score);
}

/** Writes what is known of an answer. */
export function writeGrades(writer: ScoreWriter, { caseId, jobId }: AskedJob, grades: Grades): void {
  for (const [scorer, grade] of grades.entries()) {
    if (grade === null || grade === "later") continue;
    writer.add({ caseId, jobId, scorer, ...jobScoreOf(grade) });
  }
}

/** Grades answers with the scorers that have effects, each with the concurrency that it allows. */
export class EffectQueue {
  readonly #grading: Grading;
  readonly #watch: ScoreWatch;
  readonly #queues: ReadonlyMap<number, PQueue>;
  readonly #running = new Set<Promise<void>>();
  #failure: { error: unknown } | null = null;
  /** Answers that were not graded, because the grading was interrupted. */
  leftOut = 0;

  constructor(grading: Grading, watch: ScoreWatch) {
    this.#grading = grading;
    this.#watch = watch;
    this.#queues = new Map(
      grading.effects.map((place) => {
        const scorer = grading.scorers[place]?.scorer;
        return [place, new PQueue({ concurrency: scorer?.kind === "effect" ? scorer.concurrency : 1 })];
      }),
    );
  }

  /** Starts to grade an answer and resolves when there is room for the next; `finish` is called when its grades are known. */
  async grade(given: {
    answer: Answer;
    grades: Grades;
    known: (place: number) => Score | null;
    finish: () => void;
  }): Promise<void> {
    if (this.#failure !== null) throw this.#failure.error;
    const { answer, grades, known, finish } = given;
    const pending: Promise<void>[] = [];
    for (const [place, queue] of this.#queues) {
      const made = this.#grading.scorers[place];
      if (made?.scorer.kind !== "effect" || !mayGrade(made, answer)) continue;
      const { scorer } = made;
      grades[place] = known(place);
      if (grades[place] !== null) continue;
      // No more wait than are graded at once.
      await queue.onSizeLessThan(scorer.concurrency);
      pending.push(
        queue.add(async () => {
          if (this.#watch.stopped !== null) {
            this.leftOut += 1;
            grades[place] = "later";
            return;
          }
          this.#watch.started();
          grades[place] = await scorer.grade(answer);
          this.#watch.ended();
        }),
      );
    }
    if (pending.length === 0) finish();
    else this.#follow(Promise.all(pending), finish);
  }

  /** Resolves when everything that was started is graded. */
  async done(): Promise<void> {
    await Promise.all(this.#running);
    if (this.#failure !== null) throw this.#failure.error;
  }

  #follow(pending: Promise<unknown>, finish: () => void): void {
    const followed = pending
      .then(finish)
      .catch((error: unknown) => {
        this.#failure ??= { error };
      })
      .finally(() => this.#running.delete(followed));
    this.#running.add(followed);
  }
}
