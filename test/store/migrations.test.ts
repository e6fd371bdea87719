import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openDatabase } from "../../src/store/database.ts";
import { sqlite } from "../../src/store/sqlite.ts";
import { temporaryFolder } from "./batch.ts";
import { databaseOfVersion, migrations } from "./older.ts";

/** Tables and indexes of a database that is opened, with their columns. */
function schemaOf(path: string): unknown[] {
  const db = openDatabase(path);
  try {
    return sqlite(db).prepare("SELECT type, name, sql FROM sqlite_schema ORDER BY type, name").all();
  } finally {
    db.close();
  }
}

describe("migrations", () => {
  test("are numbered one by one, so that two of the same number are found before they meet a database", () => {
    const numbers = migrations.map((_, place) => String(place + 1).padStart(3, "0"));
    expect(migrations.map((name) => name.slice(0, 3))).toEqual(numbers);
  });

  test("bring a database of every version before up to date", () => {
    const latest = schemaOf(join(temporaryFolder(), "tandem.db"));
    for (let version = 1; version < migrations.length; version++) {
      expect(schemaOf(databaseOfVersion(version))).toEqual(latest);
    }
  });

  test("keep the rows of the version before, and give their new columns the right values", () => {
    const path = databaseOfVersion(
      4,
      `INSERT INTO job (id, batch_id, target_id, case_id, repeat, kind, outcome, error) VALUES
         (1, 1, 1, 1, 1, 'case', 'ok', NULL), (2, 1, 1, 2, 1, 'case', 'skipped', 'the row has no stored answer');
       INSERT INTO score (scoring_id, case_id, job_id, scorer, value, pass, reason) VALUES
         (1, 1, 1, 0, 1, 1, 'it contains it'),
         (1, 1, 1, 1, NULL, NULL, 'the case has no expected answer, and the scorer no value');`,
    );
    const db = openDatabase(path);
    const all = (text: string): unknown[] => sqlite(db).prepare(text).raw().all();
    expect(all("SELECT outcome FROM job ORDER BY id")).toEqual([["ok"], ["missing"]]);
    expect(all("SELECT value, applies FROM score ORDER BY scorer")).toEqual([
      [1, 1],
      [null, 0],
    ]);
    db.close();
  });

  test("number the rows as a spreadsheet does, but those of JSON Lines, and none where a case is of no file", () => {
    const cells = (file: string): string => `1, '${file}', '{}', '', 'c', 1, 0, '{}', '${file}', 5, 6, 1`;
    const path = databaseOfVersion(
      7,
      ["a.csv", "b.jsonl", "c.ndjson.gz", "standard input", ""]
        .map(
          (file) =>
            `INSERT INTO "case" (batch_id, key, input, input_hash, cluster, turn, rank, columns, file, row, line, place) VALUES (${cells(file)});`,
        )
        .join(""),
    );
    const db = openDatabase(path);
    expect(sqlite(db).prepare('SELECT row, line FROM "case" ORDER BY id').raw().all()).toEqual([
      [6, 6],
      [5, 6],
      [5, 6],
      [6, 6],
      [5, 6],
    ]);
    db.close();
  });
});
