import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { labelAgreement } from "../../src/app/labels/agreement.ts";
import { Sheets } from "../../src/dataset/sheets.ts";
import { labelSheet } from "../../src/app/labels/label-sheet.ts";
import { importLabels } from "../../src/app/labels/labels.ts";
import { importedText } from "../../src/cli/commands/label/label.text.ts";
import { csvText } from "../../src/report/tables/csv.ts";
import { type Batch, setBatchState } from "../../src/store/batches.ts";
import type { Connection } from "../../src/store/connection.ts";
import { sqlite } from "../../src/store/sqlite.ts";
import { writeDraw } from "../../src/store/scores/label-draws.ts";
import { oneCase, plannedBatch, temporaryDatabase, temporaryFolder } from "../store/batch.ts";
import { answerJob, gradeBatch, spec } from "./scored.ts";

/** Cases of which the first answers of `prod` hold the expected text, two if not told otherwise; those of `test` never do. */
async function answered(keys = ["k1", "k2", "k3", "k4"], { passing = 2 } = {}) {
  const db = temporaryDatabase();
  const batch = await plannedBatch(
    db,
    keys.map((key) => oneCase(key, { expected: "nine" })),
  );
  for (const [index, key] of keys.entries()) {
    answerJob(db, key, "prod", index < passing ? "At nine." : "=cmd|' /C calc'!A0");
    answerJob(db, key, "test", "नमस्ते");
  }
  setBatchState(db, batch.id, "finished");
  return { db, batch };
}

async function imported(db: Connection, batch: Batch, text: string, author = "ana") {
  const folder = temporaryFolder();
  const path = join(folder, "labels.csv");
  writeFileSync(path, text);
  return importLabels(db, batch, { path, author, sheets: new Sheets({ folder }), at: 1 });
}

const stored = (db: Connection): unknown[] =>
  sqlite(db).prepare("SELECT label, value, note, author FROM label ORDER BY id").all();

describe("labels of people", () => {
  test("come back from the sheet that was written, whatever answers hold; the same again changes nothing", async () => {
    const { db, batch } = await answered(["k1", "=k2", "k3", "ключ, 4"]);
    const sheet = [
      ...csvText(labelSheet(db, batch, { sample: null, seed: "1", open: false }), { excel: true, raw: false }),
    ].join("");
    expect(sheet).toContain(`"'=cmd|' /C calc'!A0"`);
    const filled = sheet.replaceAll(/,,,,(?=,"t[0-9a-f]{16}"$)/gm, ",👍🏽 well said,=1+1,,");
    expect(await imported(db, batch, filled)).toEqual({
      added: 8,
      changed: 0,
      same: 0,
      blank: 0,
      notesLeft: [],
      otherText: [],
      offScale: [],
    });
    expect(stored(db)[0]).toEqual({ label: "👍🏽 well said", value: 1, note: "well said\n=1+1", author: "ana" });
    expect(await imported(db, batch, filled)).toEqual({
      added: 0,
      changed: 0,
      same: 8,
      blank: 0,
      notesLeft: [],
      otherText: [],
      offScale: [],
    });
    const again = [...labelSheet(db, batch, { sample: null, seed: "1", open: true })];
    expect(again).toHaveLength(1);
  });

  test("of a sheet are not taken for those of the answers of another batch", async () => {
    const { db, batch } = await answered();
    const sheet = [
      ...csvText(labelSheet(db, batch, { sample: null, seed: "1", open: false }), { excel: false, raw: false }),
    ];
    const filled = sheet.join("").replaceAll(/,,,,(?=,"t[0-9a-f]{16}"$)/gm, ",good,,,");
    await expect(imported(db, { ...batch, name: "tuesday" }, filled)).rejects.toMatchObject({
      code: "LABELS_INVALID",
      message: `labels.csv has labels of answers of "${batch.name}" (row 2), not of tuesday.`,
    });
    expect(stored(db)).toEqual([]);
  });

  test("with faults are refused together, each with its line and column, and nothing is stored", async () => {
    const { db, batch } = await answered();
    const text =
      "key,target,label,note,author\nk1,prod,good,,\nk9,prod,good,,\nk1,staging,bad,,\nk2,prod,perhaps,,\nk1,prod,bad,,\n";
    await expect(imported(db, batch, text)).rejects.toMatchObject({
      code: "LABELS_INVALID",
      faults: [
        { file: "labels.csv", line: 3, column: 1 },
        { file: "labels.csv", line: 4, column: 4 },
        { file: "labels.csv", line: 6, column: 9 },
        { file: "labels.csv", line: 5, column: 9 },
      ],
    });
    expect(stored(db)).toEqual([]);
  });

  test("are missed beside a note: what somebody wrote is not dropped without a word", async () => {
    const { db, batch } = await answered();
    const text = "key,target,label,note\nk1,prod,good,\nk2,prod,,too long\nk3,prod,, \n";
    const given = await imported(db, batch, text);
    expect(given).toMatchObject({ added: 1, blank: 2, notesLeft: [3] });
    expect(importedText("friday", given)).toContain(
      "2 rows not filled in\n1 note without a label was not kept (row 3): write a label beside the note",
    );
    expect(importedText("friday", { ...given, notesLeft: [2, 3, 4, 5, 6, 7] })).toContain(
      "6 notes without a label were not kept (rows 2, 3, 4, 5, 6, ...)",
    );
  });

  test("are of the text that was read: an answer that has another one by now gets none, and none of before counts", async () => {
    const { db, batch } = await answered();
    await gradeBatch(db, batch, [spec("correct", "contains")]);
    const written = (): string =>
      [...csvText(labelSheet(db, batch, { sample: null, seed: "1", open: true }), { excel: false, raw: false })].join(
        "",
      );
    const filled = (): string => written().replaceAll(/,,,,(?=,"t[0-9a-f]{16}"$)/gm, ",good,,,");
    const sheet = filled();
    await imported(db, batch, sheet.split(/\r?\n/).slice(0, 3).join("\n"));
    const change = sqlite(db).prepare(
      "UPDATE run_record SET body = replace(body, ?, ?) WHERE record IN (SELECT record FROM attempt JOIN job ON job.id = job_id JOIN target ON target.id = target_id WHERE target.name = 'prod')",
    );
    change.run("At nine.", "At ten.");
    const given = await imported(db, batch, sheet);
    expect(given).toMatchObject({ added: 5, same: 1, otherText: [2, 4] });
    expect(importedText("friday", given)).toContain(
      "2 labels were not stored, because their answers have another text by now (rows 2, 4): write the sheet again",
    );
    expect(labelAgreement(db, batch)).toMatchObject({ labels: 7, answers: 6, otherText: 1 });
    // The sheet of now asks for them anew.
    expect(written().match(/At ten\./g)).toHaveLength(2);
    expect(await imported(db, batch, filled())).toMatchObject({ added: 1, changed: 1, otherText: [] });
    expect(labelAgreement(db, batch)).toMatchObject({ labels: 8, answers: 8, otherText: 0 });
  });

  test("may leave out what is the same for all, and change their mind", async () => {
    const { db, batch } = await answered();
    expect(await imported(db, batch, "Case;Target;Label\nk1;prod;yes\nk2;prod;\n")).toMatchObject({
      added: 1,
      blank: 1,
    });
    expect(await imported(db, batch, "key,target,label\nk1,prod,no\n")).toMatchObject({ changed: 1 });
    expect(await imported(db, batch, "key,target,label\nk1,prod,no\n", "ben")).toMatchObject({ added: 1 });
    expect(stored(db)).toMatchObject([
      { value: 0, author: "ana" },
      { value: 0, author: "ben" },
    ]);
  });

  test("say how far a scorer can be trusted, and what rate of each target is left without its mistakes there", async () => {
    const keys = Array.from({ length: 40 }, (_, index) => `k${index + 1}`);
    const { db, batch } = await answered(keys, { passing: 20 });
    await gradeBatch(db, batch, [spec("correct", "contains")]);
    // Of prod the scorer passes 10 good answers and 10 bad ones, and fails 20 bad ones; of test all are bad, and fail.
    const said = keys.flatMap((key, index) => [`${key},prod,${index < 10 ? "good" : "bad"}`, `${key},test,bad`]);
    await imported(db, batch, `key,target,label\n${said.join("\n")}\n`);
    const { scorers } = labelAgreement(db, batch);
    expect(scorers).toMatchObject([
      {
        scorer: "correct",
        answers: 80,
        counts: { truePass: 10, falsePass: 10, trueFail: 60, falseFail: 0 },
        sensitivity: 1,
        targets: [
          { target: "prod", rate: 0.5, counts: { truePass: 10, falsePass: 10, trueFail: 20, falseFail: 0 } },
          { target: "test", rate: 0, corrected: null, reason: "it takes labels of 10 good and 10 bad answers of test" },
        ],
      },
    ]);
    expect(scorers[0]?.targets[0]?.corrected).toBeCloseTo(0.25, 9);
  });

  test("that are no numbers of the scale that they were drawn for are told when they are imported", async () => {
    const { db, batch } = await answered();
    await gradeBatch(db, batch, [spec("similar", "chrf")]);
    const draw = { scorer: "similar", baseline: "prod", candidate: "test", seed: "1" } as const;
    writeDraw(db, batch.id, { ...draw, frame: "f", at: 1, size: 4, cases: [] });
    const given = await imported(db, batch, "key,target,label\nk1,prod,good\nk2,prod,bad\nk3,prod,good\n");
    expect(given.offScale).toEqual([{ metric: "similar", labels: 3, from: 0, to: 100 }]);
    expect(importedText(batch.name, given)).toContain(
      "3 labels cannot correct similar, which goes from 0 to 100: write a number of that scale",
    );
    expect((await imported(db, batch, "key,target,label\nk1,prod,80\nk2,prod,20\n")).offScale).toEqual([]);
  });

  test("of one class leave kappa undefined, and say so", async () => {
    const { db, batch } = await answered();
    await gradeBatch(db, batch, [spec("correct", "contains")]);
    await imported(db, batch, "key,target,label\nk1,prod,good\nk2,prod,good\n");
    const [scorer] = labelAgreement(db, batch).scorers;
    expect(scorer?.kappa).toMatchObject({ kappa: null, reason: "both raters used one class only" });
    expect(scorer?.targets[0]).toMatchObject({
      corrected: null,
      reason: "it takes labels of 10 good and 10 bad answers of prod",
    });
  });

  test("of two people who disagree are left out, and their agreement is told", async () => {
    const { db, batch } = await answered();
    await imported(
      db,
      batch,
      "key,target,label,author\nk1,prod,good,ana\nk1,prod,bad,ben\nk2,prod,bad,ana\nk2,prod,bad,ben\n",
    );
    expect(labelAgreement(db, batch)).toMatchObject({
      labels: 4,
      answers: 1,
      disputed: 1,
      people: { labellers: ["ana", "ben"], both: 2 },
    });
  });
});
