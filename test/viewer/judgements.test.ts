import { expect, test } from "vitest";
import { setBatchState } from "../../src/store/batches.ts";
import { labelsOfJob } from "../../src/store/scores/labels.ts";
import { sqlite } from "../../src/store/sqlite.ts";
import type { NewLabel } from "../../src/viewer/api.ts";
import { judgements } from "../../src/viewer/app/edit/judgements.ts";
import { noteDrafts } from "../../src/viewer/app/edit/drafts.ts";
import { addNote, judgedWith, labelAnswer } from "../../src/viewer/app/edit/judging.ts";
import { keepLabel, takeBackLabel } from "../../src/viewer/server/changes.ts";
import { answerJob } from "../app/scored.ts";
import { oneCase, plannedBatch, temporaryDatabase } from "../store/batch.ts";

/** Three cases that both targets answered, and the way in which a page judges them. */
async function judgedBatch() {
  const db = temporaryDatabase();
  const keys = ["k1", "k2", "k3"];
  const batch = await plannedBatch(
    db,
    keys.map((key) => oneCase(key, { expected: "nine" })),
  );
  for (const key of keys) for (const target of ["prod", "test"]) answerJob(db, key, target, `${target} at nine`);
  setBatchState(db, batch.id, "finished");
  const jobOf = (key: string, target: string): number =>
    sqlite(db)
      .prepare<[string, string], number>(
        `SELECT job.id FROM job JOIN "case" ON "case".id = case_id JOIN target ON target.id = target_id WHERE key = ? AND target.name = ?`,
      )
      .pluck()
      .get(key, target) ?? 0;
  // Answers that come sooner the later they were asked for.
  let waits = 8;
  const late = async <Result>(work: () => Result): Promise<Result> => {
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, waits--)));
    return work();
  };
  const actions = {
    label: (given: NewLabel) => late(() => keepLabel(db, given)),
    takeBack: (given: Pick<NewLabel, "jobId" | "scorer" | "author">) => late(() => void takeBackLabel(db, given)),
    judged: async (key: string) => {
      const jobs = [jobOf(key, "prod"), jobOf(key, "test")];
      return { labels: Object.fromEntries(jobs.map((job) => [job, labelsOfJob(db)(job)])) };
    },
  };
  return { db, actions, jobOf };
}

const about = { what: "it", row: "k1" };

test("judgements are undone one by one, the last one first, also those that a form or a sheet made in between", async () => {
  const { db, actions, jobOf } = await judgedBatch();
  const judged = judgements();
  const given = { jobId: jobOf("k1", "test"), scorer: "", note: null, author: "ada" };
  const said = (): unknown => sqlite(db).prepare("SELECT label, note FROM label").all();
  // Faster than they are kept.
  const keys = ["good", "bad", "good"].map((label) => judged.label(actions, { ...given, label }, about));
  await Promise.all([...keys, judged.undo()]);
  expect(said()).toEqual([{ label: "bad", note: null }]);
  keepLabel(db, { ...given, label: "bad", note: "of a sheet" });
  await judged.label(actions, { ...given, label: "good" }, { what: "good of test", row: "k1" });
  expect(await judged.undo()).toEqual({ what: "good of test", row: "k1", isUndone: true });
  expect(said()).toEqual([{ label: "bad", note: "of a sheet" }]);
  await judged.takeBack(actions, { ...given, label: "bad", note: "of a sheet" }, about);
  expect(said()).toEqual([]);
  await judged.undo();
  expect(said()).toEqual([{ label: "bad", note: "of a sheet" }]);
  await Promise.all([judged.undo(), judged.undo()]);
  expect(said()).toEqual([]);
  expect(await judged.undo()).toBeNull();
});

test("a judgement that is refused is not undone, and holds up none after it", async () => {
  const { db, actions, jobOf } = await judgedBatch();
  const judged = judgements();
  const given = { jobId: jobOf("k1", "test"), scorer: "", label: "perhaps", note: null, author: "ada" };
  const refused = judged.label(actions, given, about);
  const kept = judged.label(actions, { ...given, label: "good" }, about);
  await expect(refused).rejects.toThrow("no label");
  await kept;
  await judged.undo();
  expect(await judged.undo()).toBeNull();
  expect(sqlite(db).prepare("SELECT * FROM label").all()).toEqual([]);
});

test("the same word again is nothing to undo, and a note goes to the word that stands", async () => {
  const { db, actions, jobOf } = await judgedBatch();
  const side = { name: "A", jobId: jobOf("k1", "test") };
  const given = { actions, rowKey: "k1", scorer: "", note: "", author: "ada", side };
  const said = (): unknown => sqlite(db).prepare("SELECT label, note FROM label").all();
  for (const note of ["", "", "kinder"]) await labelAnswer({ ...given, note }, "good");
  expect(said()).toEqual([{ label: "good", note: "kinder" }]);
  await labelAnswer(given, "bad");
  expect(said()).toEqual([{ label: "bad", note: "kinder" }]);
  const { undo } = judgedWith(actions);
  expect(await undo()).toMatchObject({ what: "bad of A" });
  await Promise.all([undo(), undo()]);
  expect(said()).toEqual([]);
  expect(await undo()).toBeNull();
});

test("undo leaves alone what another tab changed since, and tries again where nobody answered", async () => {
  const { db, actions, jobOf } = await judgedBatch();
  const judged = judgements();
  const given = { jobId: jobOf("k1", "test"), scorer: "", note: null, author: "ada" };
  const other = { ...given, jobId: jobOf("k1", "prod") };
  const said = (): unknown => sqlite(db).prepare("SELECT label FROM label ORDER BY job_id DESC").pluck().all();
  await judged.label(actions, { ...given, label: "0,5" }, about);
  await judged.label(actions, { ...other, label: "good" }, about);
  keepLabel(db, { ...other, label: "bad" });
  expect(await judged.undo()).toEqual({ ...about, isUndone: false });
  expect(said()).toEqual(["0.5", "bad"]);
  takeBackLabel(db, other);
  let isGone = true;
  const lost = {
    ...actions,
    takeBack: async (label: Parameters<typeof actions.takeBack>[0]) => {
      if (isGone) throw new Error("The viewer does not answer");
      await actions.takeBack(label);
    },
  };
  await judged.label(lost, { ...given, label: "good", author: "ben" }, about);
  await expect(judged.undo()).rejects.toThrow("does not answer");
  isGone = false;
  expect(await judged.undo()).toEqual({ ...about, isUndone: true });
  expect(said()).toEqual(["0.5"]);
  expect(await judged.undo()).toEqual({ ...about, isUndone: true });
  expect(said()).toEqual([]);
});

test("a note that comes after the label goes to it, and before one it says what to do first", async () => {
  const { db, actions, jobOf } = await judgedBatch();
  const jobId = jobOf("k1", "test");
  const given = {
    actions,
    rowKey: "k1",
    scorer: "",
    side: { name: "test", jobId },
    blind: null,
    note: "wrong hours",
    author: "Ada",
  };
  const kept = (): unknown => sqlite(db).prepare("SELECT label, note, author FROM label").all();
  const early = await addNote(given);
  expect(early).toEqual({ text: "Judge first: g or b; the note goes with it.", isNoteKept: false });
  expect(kept()).toEqual([]);
  expect(await labelAnswer({ ...given, note: "" }, "good")).toMatchObject({ text: "Kept: test is good." });
  expect(await addNote(given)).toEqual({ text: "Note kept: wrong hours", isNoteKept: true });
  // The box is empty by then.
  const again = await labelAnswer({ ...given, note: "" }, "bad");
  expect(again.text).toBe("Kept: test is bad, with the note “wrong hours”.");
  expect(kept()).toEqual([{ label: "bad", note: "wrong hours", author: "Ada" }]);
});

test("a note that was begun stays with its row until it is kept, also where it was changed meanwhile", () => {
  const drafts = noteDrafts();
  drafts.write("k1", "wrong hours");
  drafts.write("k2", "rude");
  expect([drafts.of("k1"), drafts.of("k2"), drafts.of("k3")]).toEqual(["wrong hours", "rude", ""]);
  drafts.kept("k1", "wrong hours");
  drafts.write("k2", "rude, and late");
  drafts.kept("k2", "rude");
  expect([drafts.of("k1"), drafts.of("k2")]).toEqual(["", "rude, and late"]);
});

test("who judges without a name is asked for it once", async () => {
  const { actions, jobOf } = await judgedBatch();
  const given = {
    actions,
    rowKey: "k1",
    scorer: "",
    side: { name: "test", jobId: jobOf("k1", "test") },
    note: "",
    author: "",
  };
  const texts = [await labelAnswer(given, "good"), await labelAnswer(given, "bad")].map(({ text }) => text);
  expect(texts).toEqual([
    "Kept: test is good. Write your name once under By: it is remembered here, and your judgements say whose they are.",
    "Kept: test is bad.",
  ]);
});
