import { z } from "zod";
import { storedJson } from "../../lib/stored-json.ts";
import { lastPlanned, notePlan, ofJudges } from "../batch-jobs.ts";
import type { Batch } from "../batches.ts";
import type { Connection } from "../connection.ts";
import { storedText } from "../stored-text.ts";
import { execute, selectRow, selectRows, selectValue, sqlite } from "../sqlite.ts";

/** Answers that were frozen to watch a judge by. */
export interface AnchorSet {
  /** The batch of their own that holds them. */
  batchId: number;
  suiteName: string;
  /** Name of the judge's score. */
  scorer: string;
  /** The judge is compared by what it passes, or by its values. */
  measure: "pass" | "value";
  /** Name of the batch that they were taken from. */
  takenFrom: string;
  frozenAt: number;
}

/** A frozen answer. */
export interface Anchor {
  jobId: number;
  /** A hash over question and answer. */
  mark: string;
  /** The judge's grade when it was frozen. */
  value: number;
  pass: boolean | null;
  /** The label of people, on the judge's scale; null: nobody said. */
  label: number | null;
}

/** Facts of a judge in a night beside its verdicts; equal texts mean the same. */
export interface JudgeFacts {
  /** A hash over the scorer and whom it asks. */
  settings: string;
  /** A hash over all that it is asked of the anchors. */
  prompt: string;
  /** Names of the models that replied; empty: no reply names one. */
  models: string[];
  /** Fingerprints of what replied; empty: no reply has one. */
  fingerprints: string[];
}

export const changedFacts = ["settings", "prompt", "model", "fingerprint"] as const;

/** A sign that a judge has changed: flips of anchors one way, or another fact. */
export type JudgeSign =
  | { kind: "up" | "down"; flips: number; anchors: number; statistic: number; since: string }
  | { kind: (typeof changedFacts)[number]; before: string; now: string };

/** A night in which all anchors were asked. */
export interface StoredAnchorNight {
  id: number;
  /** Name of the night's batch. */
  night: string;
  at: number;
  /** Null while they are asked. */
  scoringId: number | null;
  /** Id of the job that was planned last in this file when it was over; null while they are asked. */
  lastJob: number | null;
  facts: JudgeFacts | null;
  /** Null: the judge is the same, as far as this night can tell. */
  alarm: JudgeSign[] | null;
  /** Replies of jobs up to this id are of the judge before it changed; null: there is no alarm. */
  sameUntil: number | null;
}

const setColumns =
  "batch_id AS batchId, suite_name AS suiteName, scorer, measure, taken_from AS takenFrom, frozen_at AS frozenAt";

/** The anchors of a suite, or of all; the oldest first. */
export function anchorSets(db: Connection, suiteName: string | null): AnchorSet[] {
  return selectRows<AnchorSet>(
    db,
    `SELECT ${setColumns} FROM anchor_set WHERE @suite IS NULL OR suite_name = @suite ORDER BY batch_id`,
    { suite: suiteName },
  );
}

/** An answer that is to be frozen. */
export interface AnchorSource {
  /** The job that gave it. */
  jobId: number;
  caseId: number;
  targetId: number;
  /** The expected text by which it was graded; null: none. */
  expected: string | null;
  anchor: Omit<Anchor, "jobId">;
}

/**
 * Freezes answers of a batch: copies them, with their cases and targets, into a batch of their own that no list shows and
 * nothing prunes. All or nothing.
 */
export function freezeAnswers(
  db: Connection,
  from: Batch,
  given: Omit<AnchorSet, "batchId" | "takenFrom" | "suiteName"> & { sources: readonly AnchorSource[] },
): AnchorSet {
  const sql = sqlite(db);
  const { sources, scorer, measure, frozenAt } = given;
  const { targetOf, recordOf } = sourceReaders(db);
  // One row a statement: to copy several would look for what refers to each.
  const writeTarget = sql.prepare(
    `INSERT INTO target (batch_id, name, deployment, base_url, endpoint, example_id, body, repeats)
     VALUES (@batchId, @name, @deployment, @baseUrl, @endpoint, @exampleId, @body, @repeats)`,
  );
  const writeRecord = sql.prepare(
    "INSERT INTO run_record (id, url, created_at, body, text) VALUES (@id, @url, @createdAt, CAST(@body AS TEXT), @text)",
  );
  const copyCase = sql.prepare<[number, string | null, number, number]>(
    `INSERT INTO "case" (batch_id, key, input, input_hash, expected, cluster, turn, rank, tags, columns, file, row, line, checks, place)
     SELECT ?, key, input, input_hash, ?, cluster, turn, 0, tags, columns, file, row, line, NULL, ? FROM "case" WHERE id = ?`,
  );
  const copyJob = sql.prepare<[number, number | bigint, number | bigint, number]>(
    `INSERT INTO job (batch_id, target_id, case_id, repeat, kind, outcome, answer, attempt)
     SELECT ?, ?, ?, repeat, kind, outcome, answer, 0 FROM job WHERE id = ?`,
  );
  // Nothing is sent for it, as for a stored answer.
  const noteAttempt = sql.prepare(
    `INSERT INTO attempt (job_id, number, outcome, answer, possibly_paid, redacted, queued_at, record)
     VALUES (?, 0, 'ok', (SELECT answer FROM job WHERE id = ?), 0, 0, ?, ?)`,
  );
  const writeAnchor = sql.prepare(
    "INSERT INTO anchor (job_id, batch_id, mark, value, pass, label) VALUES (?, ?, ?, ?, ?, ?)",
  );
  return sql
    .transaction(() => {
      const batchId = insertBatch(db, from, frozenAt);
      const before = lastPlanned(db);
      const targets = new Map<number, number | bigint>();
      const cases = new Map<number, number | bigint>();
      for (const { jobId, caseId, targetId, expected, anchor } of sources) {
        const target = targets.get(targetId) ?? writeTarget.run({ ...targetOf(targetId), batchId }).lastInsertRowid;
        targets.set(targetId, target);
        const one = cases.get(caseId) ?? copyCase.run(batchId, expected, cases.size + 1, caseId).lastInsertRowid;
        cases.set(caseId, one);
        const job = copyJob.run(batchId, target, one, jobId).lastInsertRowid;
        noteAttempt.run(job, job, frozenAt, writeRecord.run(recordOf(jobId)).lastInsertRowid);
        const { mark, value, pass, label } = anchor;
        writeAnchor.run(job, batchId, mark, value, pass === null ? null : Number(pass), label);
      }
      execute(
        db,
        `UPDATE batch SET first_case = (SELECT min(id) FROM "case" WHERE batch_id = @batchId),
         last_case = (SELECT max(id) FROM "case" WHERE batch_id = @batchId) WHERE id = @batchId`,
        { batchId },
      );
      notePlan(db, batchId, before);
      const set = { batchId, suiteName: from.suiteName, scorer, measure, takenFrom: from.name, frozenAt };
      execute(
        db,
        `INSERT INTO anchor_set (batch_id, suite_name, scorer, measure, taken_from, frozen_at)
         VALUES (@batchId, @suiteName, @scorer, @measure, @takenFrom, @frozenAt)`,
        set,
      );
      return set;
    })
    .immediate();
}

/** Reads the targets and the records that are copied. */
function sourceReaders(db: Connection) {
  const target = sqlite(db).prepare<[number], object>(
    `SELECT name, deployment, base_url AS baseUrl, endpoint, example_id AS exampleId, body, repeats FROM target WHERE id = ?`,
  );
  // As a blob: what is not UTF-8 would not survive as a text.
  const record = sqlite(db).prepare<[number], object>(
    `SELECT run_record.id, url, created_at AS createdAt, CAST(body AS BLOB) AS body, text
     FROM job JOIN attempt ON attempt.job_id = job.id AND attempt.number = job.attempt
     JOIN run_record ON run_record.record = attempt.record WHERE job.id = ?`,
  );
  return {
    targetOf: (id: number) => presentRow(target.get(id)),
    recordOf: (jobId: number) => presentRow(record.get(jobId)),
  };
}

function presentRow(row: object | undefined): object {
  if (row === undefined) throw new Error("an answer that is frozen is gone");
  return row;
}

/** Its name is one that no list shows, and that no other has. */
function insertBatch(db: Connection, { id, name }: Batch, at: number): number {
  const sql = sqlite(db);
  const base = `anchors-of-${name}`;
  const taken = sql.prepare<[string]>("SELECT 1 FROM batch WHERE name = ?");
  let own = base;
  for (let number = 2; taken.get(own) !== undefined; number++) own = `${base}-${number}`;
  const source = selectRow<object>(
    db,
    "SELECT suite_name AS suiteName, suite, suite_hash AS suiteHash, seed, version, columns FROM batch WHERE id = ?",
    [id],
  );
  const { lastInsertRowid } = execute(
    db,
    `INSERT INTO batch (name, suite_name, suite, suite_hash, seed, state, version, columns, created_at, finished_at, origin)
     VALUES (@name, @suiteName, @suite, @suiteHash, @seed, 'finished', @version, @columns, @at, @at, 'anchors')`,
    { ...source, name: own, at },
  );
  return Number(lastInsertRowid);
}

/** The anchors of a set, in the order in which they were frozen. */
export function anchorsOf(db: Connection, batchId: number): Anchor[] {
  return selectRows<Omit<Anchor, "pass"> & { pass: number | null }>(
    db,
    "SELECT job_id AS jobId, mark, value, pass, label FROM anchor WHERE batch_id = ? ORDER BY job_id",
    [batchId],
  ).map(({ pass, ...anchor }) => ({ ...anchor, pass: pass === null ? null : pass === 1 }));
}

/** Enters a night in which anchors are asked; one that was entered goes on, however often it is killed. */
export function beginAnchorNight(
  db: Connection,
  batchId: number,
  { night, at }: { night: string; at: number },
): StoredAnchorNight {
  const sql = sqlite(db);
  return sql
    .transaction(() => {
      const known = anchorNights(db, batchId).find((each) => each.night === night);
      if (known !== undefined) return known;
      closeAnchorQuestions(db, batchId);
      const { lastInsertRowid } = execute(db, "INSERT INTO anchor_night (batch_id, night, at) VALUES (?, ?, ?)", [
        batchId,
        night,
        at,
      ]);
      const none = { scoringId: null, lastJob: null, facts: null, alarm: null, sameUntil: null };
      return { id: Number(lastInsertRowid), night, at, ...none };
    })
    .immediate();
}

/**
 * Lets go of questions that got no reply, so that another night asks all of them anew: what a judge says in one night is not
 * counted for another.
 */
function closeAnchorQuestions(db: Connection, batchId: number): void {
  execute(db, "DELETE FROM scoring WHERE batch_id = ? AND finished_at IS NULL", [batchId]);
  execute(db, "UPDATE scoring SET complete = 1 WHERE batch_id = ?", [batchId]);
  execute(
    db,
    `UPDATE job SET outcome = 'skipped', error = 'the night was over' WHERE ${ofJudges()} AND outcome IS NULL
     AND NOT EXISTS (SELECT 1 FROM sending WHERE sending.job_id = job.id)`,
    { batch: batchId },
  );
}

/**
 * Notes what came of a night, and in the same commit the signs that the judge has changed, which `signsOf` finds in what
 * is noted then; null: there are none.
 */
export function endAnchorNight(
  db: Connection,
  batchId: number,
  { id, scoringId, facts }: Pick<StoredAnchorNight, "id" | "scoringId" | "facts">,
  signsOf: () => Pick<StoredAnchorNight, "alarm" | "sameUntil"> | null,
): void {
  const sql = sqlite(db);
  sql
    .transaction(() => {
      closeAnchorQuestions(db, batchId);
      const noted = facts === null ? null : JSON.stringify(facts);
      execute(db, "UPDATE anchor_night SET scoring_id = ?, last_job = ?, facts = ? WHERE id = ?", [
        scoringId,
        lastPlanned(db),
        noted,
        id,
      ]);
      const signs = signsOf();
      if (signs === null) return;
      const alarm = signs.alarm === null ? null : JSON.stringify(signs.alarm);
      execute(db, "UPDATE anchor_night SET alarm = ?, same_until = ? WHERE id = ?", [alarm, signs.sameUntil, id]);
    })
    .immediate();
}

const factsShape = z.object({
  settings: z.string(),
  prompt: z.string(),
  models: z.array(z.string()),
  fingerprints: z.array(z.string()),
});
const isFacts = (value: unknown): value is JudgeFacts => factsShape.safeParse(value).success;

const signShape = z.discriminatedUnion("kind", [
  z.object({
    kind: z.enum(["up", "down"]),
    flips: z.number(),
    anchors: z.number(),
    statistic: z.number(),
    since: z.string(),
  }),
  z.object({ kind: z.enum(changedFacts), before: z.string(), now: z.string() }),
]);
const areSigns = (value: unknown): value is JudgeSign[] => z.array(signShape).safeParse(value).success;

type NightRow = Omit<StoredAnchorNight, "facts" | "alarm"> & { facts: string | null; alarm: string | null };

const nightColumns =
  "id, night, at, scoring_id AS scoringId, last_job AS lastJob, facts, alarm, same_until AS sameUntil";

const nightOf = ({ facts, alarm, ...night }: NightRow): StoredAnchorNight => ({
  ...night,
  facts: facts === null ? null : storedJson(facts, "facts of a judge", isFacts),
  alarm: alarm === null ? null : storedJson(alarm, "signs of a change of a judge", areSigns),
});

/** The nights in which the anchors of a set were asked, the oldest first. */
export function anchorNights(db: Connection, batchId: number): StoredAnchorNight[] {
  return selectRows<NightRow>(db, `SELECT ${nightColumns} FROM anchor_night WHERE batch_id = ? ORDER BY id`, [
    batchId,
  ]).map(nightOf);
}

/** A reply of a judge about an anchor, as a score; null values: it gave no verdict. */
export interface AnchorVerdict {
  jobId: number;
  value: number | null;
  pass: boolean | null;
}

/** Scoring of a night to its verdicts, of all nights of a set. */
export function anchorVerdicts(db: Connection, batchId: number): Map<number, AnchorVerdict[]> {
  const rows = sqlite(db)
    .prepare<[number], { scoringId: number; jobId: number; value: number | null; pass: number | null }>(
      `SELECT score.scoring_id AS scoringId, score.job_id AS jobId, score.value, score.pass
       FROM anchor_night CROSS JOIN score ON score.scoring_id = anchor_night.scoring_id
       WHERE anchor_night.batch_id = ? ORDER BY score.scoring_id, score.job_id`,
    )
    .iterate(batchId);
  const verdicts = new Map<number, AnchorVerdict[]>();
  for (const { scoringId, jobId, value, pass } of rows) {
    const own = verdicts.get(scoringId) ?? [];
    own.push({ jobId, value, pass: pass === null ? null : pass === 1 });
    verdicts.set(scoringId, own);
  }
  return verdicts;
}

/** Why an anchor got no verdict in a night, of the first that did not; null: all did, or no reason is known. */
export function unscoredReason(db: Connection, scoringId: number): string | null {
  return (
    selectValue<string | null>(db, "SELECT reason FROM score WHERE scoring_id = ? AND value IS NULL LIMIT 1", [
      scoringId,
    ]) ?? null
  );
}

/** The bodies of the replies of a night, and what was asked. */
export function anchorReplies(db: Connection, scoringId: number): { question: string; body: string | null }[] {
  return selectRows<{ question: string; body: string | null }>(
    db,
    `SELECT question.body AS question, ${storedText} AS body
     FROM asked CROSS JOIN job ON job.id = asked.judge_job JOIN question ON question.id = job.question_id
     LEFT JOIN attempt ON attempt.job_id = job.id AND attempt.number = job.attempt
     LEFT JOIN run_record ON run_record.record = attempt.record
     WHERE asked.scoring_id = ? AND asked.round = 0 ORDER BY asked.case_id, asked.job_id, asked.number`,
    [scoringId],
  );
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
    `SELECT anchor_set.suite_name AS suiteName, anchor_set.scorer, night, at, same_until AS sameUntil, last_job AS newFrom
     FROM anchor_set CROSS JOIN anchor_night ON anchor_night.batch_id = anchor_set.batch_id
     WHERE anchor_set.suite_name = ? AND alarm IS NOT NULL AND last_job IS NOT NULL ORDER BY anchor_night.id`,
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
