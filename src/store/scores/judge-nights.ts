import { z } from "zod";
import { isJsonObject, type JsonObject } from "../../lib/json.ts";
import { storedShape } from "../../lib/stored-json.ts";
import { lastPlanned } from "../batch-jobs.ts";
import type { Connection } from "../connection.ts";
import { execute, inTransaction, selectRow, selectRows, selectValues } from "../sqlite.ts";
import { storedText } from "../stored-text.ts";
import { dropOpenChecks, finishCheck } from "./judge-checks.ts";

const judgeFacts = z.object({
  /** A hash over the scorer and whom it asks. */
  settings: z.string(),
  /** Names of the models that replied; empty: no reply names one. */
  models: z.array(z.string()),
  /** Fingerprints of what replied; empty: no reply has one. */
  fingerprints: z.array(z.string()),
});

/** Facts that replies of a judge bring beside its grades. */
export type JudgeFacts = z.infer<typeof judgeFacts>;

const keptQuestionsOfCheck = z.object({
  facts: judgeFacts,
  /** The requests of each question, and its grade from 0 to 1. */
  questions: z.array(z.object({ bodies: z.array(z.custom<JsonObject>(isJsonObject)), grade: z.number() })),
  /** Questions that the check asked again, and how many of them got another grade. */
  noise: z.object({ flips: z.number(), verdicts: z.number() }),
});

/** The questions of the first check of a judge, by which `tandem night` sees that it has changed. */
export interface KeptQuestions extends z.infer<typeof keptQuestionsOfCheck> {
  at: number;
  /** Id of the job that was planned last in this file when the check was over. */
  lastJob: number;
}

export const changedFacts = ["settings", "model", "fingerprint"] as const;

const judgeSign = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("grades"),
    higher: z.number(),
    lower: z.number(),
    of: z.number(),
    /** Name of the night since which it is most likely another. */
    since: z.string(),
  }),
  z.object({ kind: z.enum(changedFacts), before: z.string(), now: z.string() }),
]);

/** A sign that a judge has changed. */
export type JudgeSign = z.infer<typeof judgeSign>;

const askedAgain = z.object({
  /** From 0 to 1, in the order of the questions; null: it gave none. */
  grades: z.array(z.number().nullable()),
  /** Requests to the judge that the questions took, and their cost; null without a price. */
  requests: z.number(),
  cost: z.number().nullable(),
  /** Why questions are without a grade, as far as that is known. */
  reason: z.string().nullable(),
});

/** The answers of a judge to its kept questions in a night. */
export type AskedAgain = z.infer<typeof askedAgain>;

/** A night that looked at a judge. */
export interface JudgeNight {
  suiteName: string;
  /** Name of the judge's score. */
  scorer: string;
  /** A hash over the parts that make the judge. */
  judge: string;
  /** Name of the night's batch. */
  night: string;
  at: number;
  /** Id of the job that was planned last in this file when it was over. */
  lastJob: number;
  facts: JudgeFacts;
  /** Null: its questions were not asked in this night. */
  asked: AskedAgain | null;
  /** Null: the judge is the same, as far as this night can tell. */
  alarm: JudgeSign[] | null;
  /** Replies of jobs up to this id are of the judge before it changed; null: there is no alarm. */
  sameUntil: number | null;
}

/**
 * Ends a check, and keeps its questions (null: they are too few). Those of an earlier check of the same judge stay: in its place they
 * would hide that the judge has drifted since.
 */
export function endCheck(
  db: Connection,
  given: { checkId: number; judge: string; at: number; result: string },
  kept: Omit<KeptQuestions, "at" | "lastJob"> | null,
): void {
  const { checkId, judge, at, result } = given;
  inTransaction(db, () => {
    finishCheck(db, checkId, { result, at });
    if (kept === null) return;
    execute(db, "INSERT OR IGNORE INTO judge_kept (judge, at, last_job, kept) VALUES (?, ?, ?, ?)", [
      judge,
      at,
      lastPlanned(db),
      JSON.stringify(kept),
    ]);
  });
}

/** The questions that are kept of a judge; null: none are. */
export function keptQuestions(db: Connection, judge: string): KeptQuestions | null {
  const row = selectRow<{ at: number; lastJob: number; kept: string }>(
    db,
    "SELECT at, last_job AS lastJob, kept FROM judge_kept WHERE judge = ?",
    [judge],
  );
  if (row === undefined) return null;
  const { at, lastJob, kept } = row;
  return { at, lastJob, ...storedShape(kept, "kept questions of a judge", keptQuestionsOfCheck) };
}

type NightRow = Omit<JudgeNight, "facts" | "asked" | "alarm"> & {
  facts: string;
  asked: string | null;
  alarm: string | null;
};

/** The nights that looked at the judges of a suite, the oldest first. */
export function judgeNights(db: Connection, suiteName: string): JudgeNight[] {
  return selectRows<NightRow>(
    db,
    `SELECT suite_name AS suiteName, scorer, judge, night, at, last_job AS lastJob, facts, asked, alarm, same_until AS sameUntil
     FROM judge_night WHERE suite_name = ? ORDER BY id`,
    [suiteName],
  ).map(({ facts, asked, alarm, ...night }) => ({
    ...night,
    facts: storedShape(facts, "facts of a judge", judgeFacts),
    asked: asked === null ? null : storedShape(asked, "grades of a judge", askedAgain),
    alarm: alarm === null ? null : storedShape(alarm, "signs of a change of a judge", z.array(judgeSign)),
  }));
}

const jsonOrNull = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));

/** Notes a night, and in the same commit that its questions are over: those without a reply are asked by another night, all of them anew. */
export function noteJudgeNight(
  db: Connection,
  night: Omit<JudgeNight, "lastJob">,
  { batchId, checkId }: { batchId: number; checkId: number | null },
): void {
  const { facts, asked, alarm, ...row } = night;
  inTransaction(db, () => {
    if (checkId !== null) finishCheck(db, checkId, { result: JSON.stringify(asked), at: night.at });
    dropOpenChecks(db, batchId);
    execute(
      db,
      `INSERT INTO judge_night (suite_name, scorer, judge, night, at, last_job, facts, asked, alarm, same_until)
       VALUES (@suiteName, @scorer, @judge, @night, @at, @lastJob, @facts, @asked, @alarm, @sameUntil)`,
      {
        ...row,
        lastJob: lastPlanned(db),
        facts: JSON.stringify(facts),
        asked: jsonOrNull(asked),
        alarm: jsonOrNull(alarm),
      },
    );
  });
}

/** Replies that are looked at for the names of a model. */
const mostReplies = 1_000;

/** Bodies of the latest replies of a batch's own questions by a scorer, about its answers or of a check. */
export function newReplies(
  db: Connection,
  given: { batchId: number; scoringId: number; scorer: number; checkId: number | null },
): string[] {
  const { batchId, checkId, ...scoring } = given;
  const bodies = (where: string, values: Record<string, number>): (string | null)[] =>
    selectValues<string | null>(
      db,
      `SELECT ${storedText} FROM ${where} JOIN job ON job.id = judge_job
       JOIN attempt ON attempt.job_id = job.id AND attempt.number = job.attempt
       JOIN run_record ON run_record.record = attempt.record
       WHERE job.batch_id = @batchId AND job.outcome = 'ok' ORDER BY job.id DESC LIMIT ${mostReplies}`,
      { batchId, ...values },
    );
  const ofAnswers = bodies(
    "(SELECT judge_job FROM asked WHERE scoring_id = @scoringId AND scorer = @scorer) AS own",
    scoring,
  );
  const ofCheck =
    checkId === null ? [] : bodies("(SELECT judge_job FROM probed WHERE check_id = @checkId) AS own", { checkId });
  return [...ofAnswers, ...ofCheck].filter((body) => body !== null);
}

/** A change of a judge: replies of jobs up to `sameUntil` are of the one before, those of jobs after `newFrom` of the one since. */
export interface JudgeChange {
  suiteName: string;
  scorer: string;
  night: string;
  at: number;
  sameUntil: number;
  newFrom: number;
}

/** The changes of the judges of a suite, the oldest first. */
export function judgeChanges(db: Connection, suiteName: string): JudgeChange[] {
  return selectRows<JudgeChange>(
    db,
    `SELECT suite_name AS suiteName, scorer, night, at, same_until AS sameUntil, last_job AS newFrom
     FROM judge_night WHERE suite_name = ? AND alarm IS NOT NULL ORDER BY id`,
    [suiteName],
  );
}

/** True where scores of a scorer (about answers of one target, if it is named) were read from replies of jobs with such an id. */
export function hasReplies(
  db: Connection,
  { scoringId, scorer, targetId = null }: { scoringId: number; scorer: number; targetId?: number | null },
  { after, upTo }: { after: number; upTo: number },
): boolean {
  const found = selectRow(
    db,
    `SELECT 1 FROM asked CROSS JOIN job ON job.id = asked.job_id
     WHERE asked.scoring_id = @scoring AND asked.scorer = @scorer AND asked.judge_job > @after AND asked.judge_job <= @upTo
       AND (@target IS NULL OR job.target_id = @target) LIMIT 1`,
    { scoring: scoringId, scorer, target: targetId, after, upTo },
  );
  return found !== undefined;
}
