import { ownComparisonId } from "../compared/comparisons.ts";
import { type BatchEdits, batchEditsSql } from "../scores/edits.ts";
import type { Connection } from "../connection.ts";
import { selectRows, sqlite } from "../sqlite.ts";

/** A batch of a suite as its history reads it: texts by which two batches are found to differ, and its comparison as it is kept. */
export interface StoredNight extends BatchEdits {
  id: number;
  name: string;
  state: string;
  reason: string | null;
  createdAt: number;
  suiteHash: string;
  datasetHash: string | null;
  expectedHash: string | null;
  /** Which cases of the dataset it asked, as a text; null: all. */
  selection: string | null;
  against: string | null;
  /** 1: both sides are the same bot on purpose. */
  sameBot: number;
  /** Prices of deployments and targets; null: none has one. */
  prices: string | null;
  /** Scorers with the code that they run; null: it was not graded. */
  scorers: string | null;
  /** Its own comparison; null: it is not kept. */
  comparison: number | null;
  /** When that was made. */
  comparedAt: number | null;
}

/** A target of a batch, and what of its configuration is known here. */
export interface NightConfiguration {
  batchId: number;
  target: string;
  deployment: string;
  baseUrl: string;
  /** Endpoint, saved configuration and overriding fields. */
  asked: string;
}

/** SQL of which cases of the dataset a batch asked, as a text; null: all. One that left targets out asked the same cases. */
export const selectedCasesSql = (batch: string): string =>
  `(SELECT group_concat(key || ' ' || value, char(10)) FROM json_each(${batch}.selection)
    WHERE key <> 'targets' AND value IS NOT NULL AND (type NOT IN ('array', 'object') OR value NOT IN ('[]', '{}')))`;

const latestScoring = `SELECT scoring.id FROM scoring WHERE scoring.batch_id = batch.id AND finished_at IS NOT NULL
  ORDER BY scoring.id DESC LIMIT 1`;

/** The batches of a suite that were run here, up to one of them (null: all), the oldest first. */
export function storedNights(db: Connection, suite: string, upTo: number | null): StoredNight[] {
  return selectRows<StoredNight>(
    db,
    `SELECT batch.id, batch.name, state, reason, batch.created_at AS createdAt, batch.suite_hash AS suiteHash,
       dataset_hash AS datasetHash, expected_hash AS expectedHash, ${selectedCasesSql("batch")} AS selection, batch.against,
       coalesce(suite ->> '$.compare.same', 0) AS sameBot,
       (SELECT group_concat(coalesce(value ->> '$.name', '') || ' ' || (value -> '$.price'), char(10))
        FROM (SELECT value FROM json_each(suite, '$.deployments') UNION ALL SELECT value FROM json_each(suite, '$.targets'))
        WHERE value ->> '$.price' IS NOT NULL) AS prices,
       (SELECT scoring.suite_hash || coalesce((SELECT group_concat(value ->> '$.code') FROM json_each(scorers)), '')
        FROM scoring WHERE scoring.id = (${latestScoring})) AS scorers,
       comparison.id AS comparison, comparison.created_at AS comparedAt, ${batchEditsSql("batch")}
     FROM batch LEFT JOIN comparison ON comparison.id = (${ownComparisonId})
     WHERE suite_name = ? AND origin IS NULL AND batch.id <= coalesce(?, batch.id) ORDER BY batch.id`,
    [suite, upTo],
  );
}

/** Reads the JSON of comparisons by their ids; a text may be long, so that one at a time is held. */
export function comparisonReader(db: Connection): (comparison: number) => string | null {
  const find = sqlite(db).prepare<[number], string>("SELECT summary FROM comparison WHERE id = ?").pluck();
  return (comparison) => find.get(comparison) ?? null;
}

/** The graded targets of all batches of a suite. */
export function nightConfigurations(db: Connection, suite: string): NightConfiguration[] {
  return selectRows<NightConfiguration>(
    db,
    `SELECT batch_id AS batchId, target.name AS target, deployment, base_url AS baseUrl,
       json_array(endpoint, example_id, body) AS asked
     FROM target JOIN batch ON batch.id = batch_id
     WHERE suite_name = ? AND origin IS NULL AND role = 'case' ORDER BY target.id`,
    [suite],
  );
}
