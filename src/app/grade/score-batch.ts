import { isDeepStrictEqual } from "node:util";
import { type ExpectedTexts, gradedBy, noteGradedBy } from "../../store/scores/graded-by.ts";
import type { RunContext } from "../context.ts";
import { version } from "../../lib/version.ts";
import { defaultDoubtPolicy } from "../../store/at-workers.ts";
import { type Batch, batchTargets } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { settleInDoubt } from "../../store/journal/in-doubt.ts";
import { dropIdleQuestions, unfinishedQuestions } from "../../store/scores/judges.ts";
import {
  beginScoring,
  finishedAnswers,
  finishScoring,
  hasChecks,
  latestScoring,
  noteScorers,
  type Scoring,
  scoreWriter,
  type ScoreWriter,
} from "../../store/scores/scores.ts";
import { unfinishedJobs } from "../../store/journal/unfinished.ts";
import type { Suite } from "../../suite/suite.ts";
import { type SendEnd, withBatchLock } from "../send/send.ts";
import { gradingOf } from "./grading.ts";
import { readReplies } from "./judge.ts";
import { openQuestions } from "./questions.ts";
import { AnswerSample, isTried } from "../../score/laxity.ts";
import { laxityOfAll, type ScorePass, scorePass } from "./score-pass.ts";
import { openScorers, type Scorers, specsOf } from "./scorers.ts";
import { sendQuestions } from "./send-questions.ts";
import { isStale, type StaleReplies, staleReplies } from "./stale-replies.ts";
import { type ScoreWatch, scoreWatch } from "./score-watch.ts";
import { createRedactor } from "../../client/redact.ts";
import { type Environment, envValue } from "../../suite/environment.ts";
import { secretNames } from "../../suite/key.ts";

/** Options of one scoring within a run. */
interface ScoreOptions {
  /** Grades although nothing has changed. */
  again?: boolean;
  /** Expected texts other than those of the batch, by which is graded. */
  expected?: ExpectedTexts;
  /** The run has ended before: it takes no longer by what judges are asked now. */
  isLater?: boolean;
}

/** The result of a scoring. */
export interface Scored {
  /** The scoring that counts now; null: the suite has no scorers, and nothing was graded before. */
  scoring: Scoring | null;
  /** `unchanged`: the same scorers had graded the same answers already. */
  state: "graded" | "unchanged" | "none";
  /** The end of sending the questions to judges. */
  end: SendEnd;
}

const nothingDriven: SendEnd = { stopped: [], stops: [] };

/**
 * Grades the stored answers of a batch with the scorers of a suite: scorers that grade at once in one pass over the
 * records, then judges by their replies, whose questions are sent like all jobs. A scoring that was broken off is begun
 * again, and no question that was answered is asked again, but those to a judge that was found to have changed since. The scores of
 * earlier scorings stay.
 */
export async function scoreBatch(run: RunContext, batch: Batch, options: ScoreOptions = {}): Promise<Scored> {
  const { db, suite, trust } = run;
  const { again = false, expected = new Map(), isLater = false } = options;
  const before = latestScoring(db, batch.id);
  const checks = hasChecks(db, batch.id);
  if (specsOf(suite, checks).length === 0) return { scoring: before, state: "none", end: nothingDriven };
  await using scorers = await openScorers(suite, { trust, checks, before });
  const stale = staleReplies(db, batch.suiteName, scorers.stored);
  const isAsked = isLater && before !== null && isStale(db, before, stale);
  const given = { scorers, before, stale, expected, isLater };
  if (!again && !isAsked && isUnchanged(db, batch, given)) {
    return { scoring: before, state: "unchanged", end: nothingDriven };
  }
  return await withBatchLock(db, batch, () => score(run, batch, given));
}

/** A scoring that is to be made, beside the one before it. */
interface Scorable extends Required<Pick<ScoreOptions, "expected" | "isLater">> {
  scorers: Scorers;
  before: Scoring | null;
  stale: StaleReplies;
}

/** The same scorers have graded the same answers, and no reply was missing. */
function isUnchanged(db: Connection, batch: Batch, { before, scorers, expected }: Scorable): boolean {
  if (before === null || !before.complete || before.suiteHash !== scorers.hash) return false;
  if (before.answers !== finishedAnswers(db, batch.id) || unfinishedQuestions(db, batch.id).size > 0) return false;
  if (!isDeepStrictEqual(gradedBy(db, before.id), expected)) return false;
  return scorers.stored.every(({ code, graded }, place) => {
    const then = before.scorers[place];
    return graded === "now" ? then?.graded === "now" && then.code === code : then?.graded !== undefined;
  });
}

async function score(run: RunContext, batch: Batch, given: Scorable): Promise<Scored> {
  const { db, suite } = run;
  const { scorers, expected, isLater } = given;
  settleInDoubt(db, batch.id, defaultDoubtPolicy(db, batch.id, suite), "judge");
  const answers = finishedAnswers(db, batch.id);
  const { hash: suiteHash, stored } = scorers;
  const begun = { batchId: batch.id, suiteHash, scorers: stored, rule: suite.pass, version, answers };
  const scoring = beginScoring(db, begun);
  noteGradedBy(db, scoring.id, expected);
  const watch = scoreWatch(answers);
  run.onRunner(watch);
  const pass = openPass(run, batch, { ...given, scoring, watch });
  const whole = await scorePass(db, batch.id, pass);
  noteLaxity(db, scoring, pass);
  dropIdleQuestions(db, batch.id);
  const asked = await askJudges(run, batch, { scoring, pass, isLater });
  const left = [...unfinishedJobs(db, batch.id).values()].length > 0;
  finishScoring(db, scoring, whole && asked.answered && !left);
  return { scoring: latestScoring(db, batch.id), state: "graded", end: asked.end };
}

function openPass(
  { db, suite, cache }: RunContext,
  batch: Batch,
  given: Scorable & { scoring: Scoring; watch: ScoreWatch },
): ScorePass {
  const { scorers, scoring, watch, before, expected, stale } = given;
  const writer = withoutSecrets(scoreWriter(db, scoring.id), suite, process.env);
  const targets = batchTargets(db, batch.id).map(({ id, name, endpoint }) => [id, { name, endpoint }] as const);
  const questions = openQuestions(db, scoring, { suite, judgeOf: scorers.judgeOf, writer, cache, stale });
  return {
    grading: gradingOf(scorers),
    targets: new Map(targets),
    baseline: (suite.compare ?? batch.suite.compare)?.baseline ?? null,
    expected,
    writer,
    questions,
    watch,
    before: before?.id ?? null,
    // Earlier scores are by another text.
    reusable: expected.size > 0 ? new Set<number>() : reusable(scorers, before),
    absent: scorers.absent,
    samples: scorers.made.some((made) => made !== null && isTried(made))
      ? new Map(targets.map(([id]) => [id, new AnswerSample()]))
      : new Map(),
  };
}

/** Notes with the scorers how often they pass what is no answer to a row. */
function noteLaxity(db: Connection, scoring: Scoring, pass: ScorePass): void {
  const found = laxityOfAll(pass);
  if (found.every((each) => each === null)) return;
  const scorers = scoring.scorers.map((scorer, place) => {
    const laxity = found[place] ?? null;
    return laxity === null ? scorer : { ...scorer, laxity };
  });
  noteScorers(db, scoring, scorers);
}

/** A scoring that had not everything to grade has run modules and commands that need not be run again. */
function reusable({ stored, hash }: Scorers, before: Scoring | null): ScorePass["reusable"] {
  if (before === null || before.complete || before.suiteHash !== hash) return new Set();
  return new Set(stored.flatMap(({ code }, place) => (before.scorers[place]?.code === code ? [place] : [])));
}

/** Asks the judges and reads their replies; once more where a reply could not be read. */
async function askJudges(
  run: RunContext,
  batch: Batch,
  { scoring, pass, isLater }: { scoring: Scoring; pass: ScorePass; isLater: boolean },
): Promise<{ answered: boolean; end: SendEnd }> {
  const { db } = run;
  const end: SendEnd = { stopped: [], stops: [] };
  if (pass.questions.judges.length === 0) return { answered: true, end };
  for (const round of [0, 1]) {
    const driven = await sendQuestions(run, batch, { isLater });
    end.stopped.push(...driven.stopped);
    end.stops.push(...driven.stops);
    const { repairs, unanswered } = readReplies(db, scoring, pass, round);
    if (unanswered > 0) return { answered: false, end };
    if (repairs === 0) break;
  }
  return { answered: true, end };
}

/**
 * A writer of scores whose reasons hold no secret of the environment: a judge may repeat its key, and a program of the suite the
 * variables that it was given (`env`).
 */
function withoutSecrets(
  writer: ScoreWriter,
  suite: Pick<Suite, "deployments" | "scorers">,
  env: Environment,
): ScoreWriter {
  const given = suite.scorers.flatMap(({ options }) => (Array.isArray(options["env"]) ? options["env"] : []));
  const names = [...suite.deployments.flatMap(secretNames), ...given.filter((name) => typeof name === "string")];
  const redactor = createRedactor(...names.map((name) => envValue(env, name) || null));
  return {
    ...writer,
    add: (row) => writer.add(row.reason === null ? row : { ...row, reason: redactor.text(row.reason) }),
  };
}
