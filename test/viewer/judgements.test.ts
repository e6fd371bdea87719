import { expect, test } from "vitest";
import { labelAgreement } from "../../src/app/labels/agreement.ts";
import { setBatchState } from "../../src/store/batches.ts";
import { removeStoredBatches } from "../../src/store/remove-batch.ts";
import { pairwiseLabelsOfJob } from "../../src/store/scores/pairwise-labels.ts";
import { labelledCases, labelsOfJob } from "../../src/store/scores/labels.ts";
import { sqlite } from "../../src/store/sqlite.ts";
import type { NewLabel, NewVote } from "../../src/viewer/api.ts";
import { judgements } from "../../src/viewer/app/edit/judgements.ts";
import { type JudgeMode, wordKeys } from "../../src/viewer/app/edit/judge-keys.ts";
import { noteDrafts } from "../../src/viewer/app/edit/drafts.ts";
import { addNote, type BlindPair, judgedWith, labelAnswer, voteOn } from "../../src/viewer/app/edit/judging.ts";
import { keepLabel, keepVote, takeBackLabel, takeBackVote } from "../../src/viewer/server/changes.ts";
import { answerJob, gradeBatch, spec } from "../app/scored.ts";
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
    vote: (given: NewVote) => late(() => keepVote(db, given).before),
    takeBackVote: (given: Pick<NewVote, "baselineJob" | "candidateJob" | "author">) =>
      late(() => void takeBackVote(db, given)),
    judged: async (key: string) => {
      const jobs = [jobOf(key, "prod"), jobOf(key, "test")];
      const labels = Object.fromEntries(jobs.map((job) => [job, labelsOfJob(db)(job)]));
      return { labels, votes: jobs.flatMap((job) => pairwiseLabelsOfJob(db)(job)) };
    },
  };
  const vote = (key: string, better: NewVote["better"], author = "ada"): NewVote => {
    const [baselineJob, candidateJob] = [jobOf(key, "prod"), jobOf(key, "test")];
    return { baselineJob, candidateJob, better, blind: true, note: null, author };
  };
  return { db, batch, actions, jobOf, vote };
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

test("a vote that is undone leaves the one before it, blind or not as that was", async () => {
  const { db, actions, vote, jobOf } = await judgedBatch();
  const judged = judgements();
  const kept = (): unknown[] =>
    pairwiseLabelsOfJob(db)(jobOf("k1", "test")).map(({ better, blind }) => [better, blind]);
  await judged.voteFound(actions, async () => vote("k1", "candidate"), about);
  await judged.voteFound(actions, async () => ({ ...vote("k1", "neither"), blind: false }), about);
  expect(kept()).toEqual([["neither", false]]);
  await judged.undo();
  expect(kept()).toEqual([["candidate", true]]);
  await judged.takeBackVote(actions, vote("k1", "candidate"), about);
  expect(kept()).toEqual([]);
  await judged.undo();
  expect(kept()).toEqual([["candidate", true]]);
  const other = { ...vote("k1", "baseline"), candidateJob: jobOf("k2", "test") };
  await expect(judged.voteFound(actions, async () => other, about)).rejects.toThrow("no two answers to one question");
});

test("the same word again is nothing to undo, and leaves a blind vote blind", async () => {
  const { db, actions, jobOf, vote } = await judgedBatch();
  const [baselineJob, candidateJob] = [jobOf("k1", "prod"), jobOf("k1", "test")];
  let isHidden = true;
  const blind: BlindPair = {
    vote: (choice) => ({ ...vote("k1", choice === "A" ? "baseline" : "candidate"), blind: isHidden }),
    onKept: () => {
      isHidden = false;
    },
    chosen: null,
    told: "",
  };
  const given = { actions, rowKey: "k1", note: "", author: "ada", side: { name: "test", jobId: candidateJob } };
  const votes = (): unknown[] => pairwiseLabelsOfJob(db)(candidateJob).map(({ at: _at, ...label }) => label);
  const first = { baselineJob, candidateJob, better: "baseline", blind: true, note: null, author: "ada" };
  await labelAnswer(given, "good");
  await voteOn({ ...given, blind }, "A");
  await voteOn({ ...given, blind }, "A");
  expect(votes()).toEqual([first]);
  // A note goes to the vote that stands.
  await voteOn({ ...given, note: "kinder", blind }, "A");
  expect(votes()).toEqual([{ ...first, note: "kinder" }]);
  await voteOn({ ...given, blind }, "B");
  expect(votes()).toEqual([{ ...first, better: "candidate", blind: false, note: "kinder" }]);
  await labelAnswer(given, "good");
  const { undo } = judgedWith(actions);
  await undo();
  expect(votes()).toEqual([{ ...first, note: "kinder" }]);
  await Promise.all([undo(), undo()]);
  expect(votes()).toEqual([]);
  expect(await undo()).toMatchObject({ what: "good of test" });
  expect(await undo()).toBeNull();
});

test("undo leaves alone what another tab changed since, and tries again where nobody answered", async () => {
  const { db, actions, jobOf, vote } = await judgedBatch();
  const judged = judgements();
  const given = { jobId: jobOf("k1", "test"), scorer: "", note: null, author: "ada" };
  const said = (): unknown => sqlite(db).prepare("SELECT label FROM label").pluck().all();
  await judged.label(actions, { ...given, label: "0,5" }, about);
  await judged.voteFound(actions, async () => vote("k1", "candidate"), about);
  keepVote(db, vote("k1", "baseline"));
  expect(await judged.undo()).toEqual({ ...about, isUndone: false });
  expect(pairwiseLabelsOfJob(db)(given.jobId)).toMatchObject([{ better: "baseline" }]);
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

test("no key means one word of one answer, and another of two without names", () => {
  const pressed = (mode: JudgeMode, key: string): string[] => {
    const done: string[] = [];
    const label = (verdict: string): void => void done.push(verdict);
    const keys = wordKeys({ label, vote: label, hint: (text) => void done.push(`hint: ${text}`) }, mode);
    keys[key]?.();
    return done;
  };
  const all = ["g", "b", "a", "s", "1", "2", "0"];
  const of = (mode: JudgeMode): string[] =>
    all.map((key) =>
      pressed(mode, key)
        .join()
        .replace(/(?<=hint).*/, ""),
    );
  expect(of("single")).toEqual(["good", "bad", "", "", "", "", ""]);
  expect(of("named")).toEqual(["good", "bad", "", "", "hint", "hint", "hint"]);
  expect(of("blind")).toEqual(["hint", "hint", "hint", "hint", "A", "B", "neither"]);
  expect(of("nothing to compare")).toEqual(all.map(() => "hint"));
  expect(pressed("blind", "b")).toEqual([expect.stringMatching(/^hint: Blind is on: 1 A is better, 2 B is better/)]);
});

test("votes tell how far people agree with each other and with a scorer, and a case with one is labelled", async () => {
  const { db, batch, vote } = await judgedBatch();
  sqlite(db).exec(
    `UPDATE run_record SET body = replace(body, 'test at nine', 'test at ten') WHERE id IN ('run2', 'run4')`,
  );
  await gradeBatch(db, batch, [spec("correct", "contains")]);
  const votes = [vote("k1", "baseline"), vote("k2", "candidate"), vote("k3", "neither"), vote("k1", "baseline", "ben")];
  for (const each of [...votes, { ...vote("k2", "baseline", "ben"), blind: false }]) keepVote(db, each);
  const [found, ...others] = labelAgreement(db, batch).pairwise;
  expect(others).toEqual([]);
  expect(found).toMatchObject({
    baseline: "prod",
    candidate: "test",
    votes: 5,
    blind: 4,
    candidateBetter: 1,
    baselineBetter: 3,
    neither: 1,
    // Of k1 both say prod; of k2 Ada says test, and the scorer and Ben prod; of k3 the scorer has no word.
    scorers: [{ scorer: "correct", answers: 4, agree: 3 }],
    authors: [{ authors: ["ada", "ben"], answers: 2 }],
  });
  expect(labelledCases(db, [batch.id]).size).toBe(3);
});

test("votes go with the batch of either answer", async () => {
  const { db, batch, vote } = await judgedBatch();
  const other = await plannedBatch(db, [oneCase("k1"), oneCase("k2")]);
  const later = sqlite(db)
    .prepare<[number, string], number>(
      'SELECT job.id FROM job JOIN "case" ON "case".id = case_id WHERE job.batch_id = ? AND key = ?',
    )
    .pluck();
  const kept = (): unknown => sqlite(db).prepare("SELECT count(*) FROM pairwise_label").pluck().get();
  // One compares a later batch with this one.
  keepVote(db, { ...vote("k1", "candidate"), candidateJob: later.get(other.id, "k1") ?? 0 });
  keepVote(db, vote("k1", "candidate"));
  expect(kept()).toBe(2);
  removeStoredBatches(db, [batch.id]);
  expect(kept()).toBe(0);
  expect(sqlite(db).pragma("foreign_key_check")).toEqual([]);
});

test("a note that comes after the label goes to it, and before one it says what to do first", async () => {
  const { db, actions, jobOf } = await judgedBatch();
  const jobId = jobOf("k1", "test");
  const given = {
    actions,
    rowKey: "k1",
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
