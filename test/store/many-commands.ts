import { batchesBeside, batchProgress } from "../../src/store/batch-overview.ts";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { atWorkers, hasHeld, noteAtWorkers, noteRests } from "../../src/store/at-workers.ts";
import { batchTargets, findBatch, renameBatch } from "../../src/store/batches.ts";
import { storedVerdict } from "../../src/store/compared/comparisons.ts";
import { casesMissing, haveSameAnswers } from "../../src/store/compared/looks.ts";
import { placeOfJob } from "../../src/store/compared/one-case.ts";
import type { Connection } from "../../src/store/connection.ts";
import { openDatabase } from "../../src/store/database.ts";
import { casesHeldByWorkers, settleInDoubt, takeBackDoubts } from "../../src/store/journal/in-doubt.ts";
import { createJournal } from "../../src/store/journal/journal.ts";
import { giveUpWorkers } from "../../src/store/journal/lost-workers.ts";
import { enterResults, resultReader } from "../../src/store/journal/handed-over.ts";
import { jobStates, storedAttempts } from "../../src/store/journal/job-states.ts";
import { enterRows, packBatch, packJobs, wholeConversations } from "../../src/store/packed-rows.ts";
import { lockBatch } from "../../src/store/lock.ts";
import { claimUnread } from "../../src/store/batch-state.ts";
import { mergedBatches, noteParts, partsIn, setPartial } from "../../src/store/merge/merged-parts.ts";
import { caseTries } from "../../src/store/nights/case-tries.ts";
import { keepNight } from "../../src/store/nights/night-lock.ts";
import { suiteMarks } from "../../src/store/nights/suite-marks.ts";
import {
  beginNotice,
  closeNight,
  endNotice,
  forgetDoubts,
  leftNight,
  noticesBegun,
  oweNotice,
} from "../../src/store/nights/notices.ts";
import { countKeys } from "../../src/store/compared/paired-results.ts";
import { caseIdentities, earlierKeys } from "../../src/store/plan/case-keys.ts";
import { lastJobOf } from "../../src/store/plan/cluster-order.ts";
import { spareTargets } from "../../src/store/plan/spared.ts";
import { noteSecondLook } from "../../src/store/plan/second-look.ts";
import { unsentInputs } from "../../src/store/plan/unsent-inputs.ts";
import { caseResults } from "../../src/store/results/results.ts";
import { outagesOf } from "../../src/store/results/outages.ts";
import { expectedPages } from "../../src/store/results/expected-pages.ts";
import { expectations } from "../../src/store/results/first-answers.ts";
import { caseSpan, rowReader } from "../../src/store/results/result-rows.ts";
import {
  endCheck,
  hasReplies,
  keptQuestions,
  newReplies,
  noteJudgeNight,
} from "../../src/store/scores/judge-nights.ts";
import { batchEdits, editStamp } from "../../src/store/scores/edits.ts";
import { casesOfDraw, drawsOf, writeDraw } from "../../src/store/scores/label-draws.ts";
import { labelledCases, labelsOfJob, removeLabel, writeLabels } from "../../src/store/scores/labels.ts";
import { tallyOfCheck } from "../../src/store/scores/judges.ts";
import { limitsFound } from "../../src/store/results/limits-found.ts";
import { recordsWithId } from "../../src/store/results/run-records.ts";
import { sqlite } from "../../src/store/sqlite.ts";
import { BatchEntries } from "../../src/viewer/server/home/batch-entries.ts";
import { record, type Received, type Reply } from "../e2e/service.ts";

/** Rows of each sheet. */
export const rows = 40;

/** Does one command; `inside` does what no command of one machine does, or only in its own time. */
export interface Doing {
  folder: string;
  url: string;
  run: (...args: string[]) => Promise<void>;
  /** The same with one that is refused. */
  refused: (...args: string[]) => Promise<void>;
  inside: (work: (db: Connection) => unknown, results?: string) => Promise<void>;
}

/** Is right in two of three cases, refuses one, and lets one wait; asked for a configuration that is gone, it refuses all. */
export function answerOf({ path, body, prompt, time }: Received): Reply {
  const asked = `${path} ${body}`;
  if (asked.includes("judge")) return record('{"score": 1, "verdict": "A", "reason": "fine"}');
  if (asked.includes("gone")) return { status: 403, body: "no" };
  if (prompt === "q 13" && asked.includes("test")) return { status: 400, body: "no" };
  if (prompt === "q 7" && time === 1) return { status: 429, headers: { "retry-after": "0" }, body: "later" };
  const text = Number(prompt.slice(2)) % 3 === 0 && asked.includes("test") ? "wrong" : "right";
  return { ...record(text), headers: { "x-bot-version": "1" } };
}

const lines = (header: string, line: (place: number) => string): string =>
  `${header}\n${Array.from({ length: rows }, (_, place) => line(place)).join("\n")}\n`;

const sheets: Record<string, string> = {
  "sheet.csv": lines("id,question,golden,kind", (n) => `k${n},q ${n},right,${n % 2 === 0 ? "even" : "odd"}`),
  "regraded.csv": lines("id,question,golden,kind", (n) => `k${n},q ${n},${n < 9 ? "wrong" : "right"},odd`),
  "other.csv": lines("id,question,golden,kind", (n) => `k${n + 3},q ${n === 5 ? "five" : n + 3},right,odd`),
  "talks.csv": lines(
    "id,question,golden,talk,turn",
    (n) => `t${n},q ${n},right,talk ${Math.floor(n / 5)},${(n % 5) + 1}`,
  ),
  "changed-talks.csv": lines(
    "id,question,golden,talk,turn",
    (n) => `t${n},q ${n === 21 ? "other" : n},right,talk ${Math.floor(n / 5)},${(n % 5) + 1}`,
  ),
  "answered.csv": lines(
    "id,question,golden,old,feedback",
    (n) => `k${n},q ${n},right,${n === 4 ? "" : "right"},${n % 2 === 0 ? "good" : ""}`,
  ),
  "labels.csv": lines(
    "key,target,repeat,label,note,author",
    (n) => `k${n},test,1,${n % 3 === 0 ? "bad" : "good"},,Ada`,
  ),
  "sentences.csv": lines("id,question,golden", (n) => `k${n},q ${n},"It is open from ${n} to ten, but not on Sunday."`),
  "asked.csv": lines("id,question", (n) => `k${n},q ${n}`),
  "broken.csv": "id,question,golden\nk1,q 1,right\nk1,q 2,right\n",
};

interface SuiteGiven {
  name: string;
  sheet?: string;
  mapping?: string;
  scorers?: readonly string[];
  /** Column of what is expected; default: `golden`. */
  expected?: string | null;
  compare?: string;
  /** Names of the targets; the second asks the configuration `test`, if no other. */
  targets?: readonly [string, string];
  test?: string;
  more?: string;
  gates?: string;
}

/** It has no function: what was planned is forgotten again. */
const faultyScorer = "export default 1;\n";

const correct = "{ name: correct, type: contains, primary: true }";
const judges = ["{ name: helpful, type: judge, target: strict }", "{ name: better, type: pairwise, target: strict }"];

function suiteOf(url: string, given: SuiteGiven): string {
  const { name, sheet = "sheet.csv", mapping = "", scorers = [correct], expected = "golden", compare = "" } = given;
  const { targets: [first, second] = ["prod", "test"], test = "test", more = "", gates = "" } = given;
  return `name: ${name}
dataset: ${sheet}
case: { key: id, input: { input_prompt: question }${expected === null ? "" : `, expected: ${expected}`}${mapping} }
deployments:
  here: { base_url: "${url}", api_key_env: TANDEM_API_KEY, concurrency: 8, rate: 60000/m }
targets:
  ${first}: { deployment: here, endpoint: video-bots, example_id: prod }
  ${second}: { deployment: here, endpoint: video-bots, example_id: ${test} }${more}
judges:
  strict: { deployment: here, endpoint: video-bots, example_id: judge }
scorers: [${scorers.join(", ")}]
compare: { baseline: ${first}${compare} }
${gates}`;
}

/** All that is done with one results folder over months: several batches of several suites, in every way that the store knows. */
export async function manyCommands(doing: Doing): Promise<void> {
  const { folder, url, run, refused, inside } = doing;
  for (const [name, text] of Object.entries(sheets)) writeFileSync(join(folder, name), text);
  const suite = (given: SuiteGiven, file = `${given.name}.yaml`): string => {
    writeFileSync(join(folder, file), suiteOf(url, given));
    return file;
  };
  writeFileSync(join(folder, "own.mjs"), faultyScorer);
  const nightly = suite({ name: "nightly", scorers: [correct, ...judges], mapping: ", tags: [kind]" });
  const ofTurns = { name: "talks", mapping: ", cluster: talk, turn: turn" };

  await run("run", nightly);
  await run("run", suite({ ...ofTurns, sheet: "talks.csv" }));
  await run("run", nightly, "--budget", "30");
  await run("resume");
  await run("night", nightly);
  await run("history", "nightly", "--acknowledge", "2026-01-01", "--note", "new");
  await run("history", "nightly");
  await run("history", "nightly", "--acknowledge", "2026-01-01", "--remove");
  await run("label", "import", "latest", "labels.csv");
  await run("label", "agreement");
  await run("judge", "check", "helpful", "--budget", "20", "--quiet");
  await run("judge", "check", "helpful", "--cases", "5");
  await run("judge", "check", "better", "--probes", "order,length", "--dry-run");
  await run("score", "latest", "--again", "--no-cache");
  await run("score");
  await run("score", "--explain", "k1");
  await run("score", "--explain", "row:2");
  await run("label", "export", "--sample", "3", "-o", "sample.csv");
  await run("compare", "nightly~1:prod", "nightly:prod");
  await run("pin", "nightly~1", "--as", "week");
  await run("pin", "nightly", "--as", "week", "--replace");
  await run("pin", "week", "--export", "week.jsonl");
  await run("compare", "nightly", "--against", "week.jsonl");
  await run("run", nightly, "--against", "week", "--failed", "nightly", "--sample", "5");
  await run("run", nightly, "--changed", "nightly", "--tag", "kind=odd", "--limit", "3", "--key", "k1");
  await refused("run", nightly, "--key", "nobody");
  await run("check", "--offline", nightly, "--power", "--show", "k1");
  await refused("check", "--offline", nightly, "--show", "nobody");
  await run(
    "check",
    "--offline",
    suite({ name: "nightly", scorers: ["{ name: correct, type: equals }"] }, "planned.yaml"),
  );
  await refused("check", "--offline", suite({ name: "nightly", sheet: "broken.csv" }, "broken.yaml"));
  await refused("run", "broken.yaml");
  await run("run", suite({ name: "nightly", sheet: "sentences.csv" }, "sentences.yaml"), "--limit", "25");
  await run("export", "-o", "runs.csv");
  await run("export", "--form", "comparison", "-o", "comparison.csv");
  await run("report", "nightly", "-o", "a.html", "-o", "a.md", "-o", "a.xml", "-o", "a.json", "-o", "a.csv");
  await run("run", suite({ name: "decided", compare: ", stop_when: decided", mapping: ", tags: [kind]" }));
  await run("resume", "decided", "--rest");
  await run("resume", "decided", "--failed");
  await run("run", suite({ name: "confirmed", compare: ", confirm: rerun" }));
  await run("run", suite({ name: "gone", test: "gone", mapping: ", tags: [kind]", gates: byKind }));
  await run("run", suite({ name: "plain", sheet: "asked.csv", scorers: [], expected: null }));
  await run("export", "--form", "comparison", "-o", "plain.csv");
  await refused("run", suite({ name: "graded", scorers: ["{ name: own, type: module, file: own.mjs }"] }));
  const before = "\n  before: { answers: old, label: feedback }";
  await run("run", suite({ name: "stored", sheet: "answered.csv", more: before }));
  await run("run", suite({ name: "moved" }), "--budget", "20");
  await run("resume", "--suite", suite({ name: "moved", test: "other" }), "--budget", "20");
  await run(
    "resume",
    "--suite",
    suite({ name: "moved", targets: ["prod", "third"], sheet: "other.csv" }),
    "--accept-changes",
  );
  await run("run", suite({ ...ofTurns, sheet: "talks.csv" }), "--budget", "20");
  await run("resume", "--suite", suite({ ...ofTurns, sheet: "changed-talks.csv" }), "--accept-changes");
  const regraded = suite({ name: "confirmed", sheet: "regraded.csv" }, "regraded.yaml");
  await run("score", "confirmed", "--suite", regraded);
  await inside((db) => edit(db, "confirmed"));
  await run("compare", "confirmed");
  await run("send", "spans", "nightly", "--otel", url);
  await run("send", "spans", "confirmed", "--otel", url);
  await run("batches");
  await run("batches", "show");
  await run("pin", "week", "--remove");
  await inside((db) => lookAtResults(db));
  await inside((db) => watchJudge(db));
  await run("night", nightly);
  await inside((db) => keepBooks(db));

  const judged = suite(
    { name: "nightly", sheet: "regraded.csv", scorers: [correct, ...judges], mapping: ", tags: [kind]" },
    "judged.yaml",
  );
  for (const part of ["1", "2"]) {
    const results = `part-${part}`;
    await run("run", nightly, "--shard", `${part}/2`, "--results", results);
    await run("score", "--suite", judged, "--results", results);
    await inside((db) => leaveOpen(db), results);
  }
  await run("merge", "part-1", "part-2", "--results", "merged");
}

const byKind = "gates: [{ metric: correct, margin: 0.2, by: kind }]\n";

/** Puts another score in the place of a scorer's. */
function edit(db: Connection, reference: string): number {
  const { id } = findBatch(db, reference);
  const [first] = caseResults(db, id);
  const jobId = first?.jobs[0]?.jobId ?? 0;
  const good = { scorer: "correct", label: "good", value: 1, note: null, author: "Ada", at: 1, edits: true };
  writeLabels(db, [{ jobId, ...good }]);
  return jobId;
}

/** Leaves a part of a batch as a process that was killed would, with a label, a change and limits that moved. */
async function leaveOpen(db: Connection): Promise<void> {
  const { id } = findBatch(db, "latest");
  const jobId = edit(db, "latest");
  const journal = createJournal(db, id);
  await journal.sending({ jobId, number: 8, queuedAt: 1, service: null });
  const limits = { deployment: "here", endpoint: "video-bots", at: 1, concurrency: 1, ceiling: 8, rate: null };
  await journal.notePace({ ...limits, reason: "throttled" });
  sqlite(db).prepare("INSERT INTO change (batch_id, at, text) VALUES (?, 1, 'changed')").run(id);
  const [first] = caseResults(db, id);
  draw(db, id, first?.caseId ?? 0);
}

/** Draws a case for people to label. */
function draw(db: Connection, batchId: number, caseId: number): void {
  const drawn = { caseId, part: 0, chance: 1, place: 0 };
  const of = { scorer: "correct", baseline: "prod", candidate: "test", seed: "1" } as const;
  writeDraw(db, batchId, { ...of, frame: "", size: 1, at: 1, cases: [drawn] });
}

/** What the viewer asks for, and keeps. */
function lookAtResults(db: Connection): void {
  const { id } = findBatch(db, "nightly");
  const [first] = caseResults(db, id);
  const [one] = first?.jobs ?? [];
  const jobId = one?.jobId ?? 0;
  labelsOfJob(db)(jobId);
  labelledCases(db, [id]);
  draw(db, id, first?.caseId ?? 0);
  casesOfDraw(db, drawsOf(db, id)[0]?.id ?? 0);
  editStamp(db, id);
  batchEdits(db, id);
  batchesBeside(db, id);
  // The viewer asks for it only while a batch runs.
  batchProgress(db, id);
  caseIdentities(db)(first?.caseId ?? 0);
  placeOfJob(db, jobId);
  const edited = findBatch(db, "confirmed").id;
  const tries = caseTries(db, { batchId: edited, target: "test", scoringId: 1, scorer: 0, tries: null });
  tries.of("k1");
  Array.from(tries.pages());
  const talks = findBatch(db, "talks").id;
  earlierKeys(db, talks, { cluster: "talk 1", turn: 4, most: 5 });
  countKeys(
    db,
    [talks, id].map((batchId) => ({ batchId, scoringId: null })),
  );
  suiteMarks(db);
  storedVerdict(db, id, "");
  haveSameAnswers(db, { earlier: id, now: id }, "prod");
  casesMissing(db, { earlier: id, now: id });
  new BatchEntries(db).list();
  removeLabel(db, { jobId, scorer: "", author: "Ada" });
  lastJobOf(db, [first?.caseId ?? 0]);
  Array.from(expectedPages(db, id));
  expectations(db).inBatch(id);
  const plain = findBatch(db, "plain").id;
  rowReader(db, { scoringId: null, reasons: false }).range({ batchId: plain, ...caseSpan(db, plain) }, false);
}

/** Keeps a question to watch the judge of a suite by, which was found to be another in an earlier night. */
function watchJudge(db: Connection): void {
  const batch = findBatch(db, "nightly");
  const facts = { settings: "", models: ["a"], fingerprints: [] };
  const kept = { facts, questions: [{ bodies: [{}], grade: 1 }], noise: { flips: 0, verdicts: 0 } };
  endCheck(db, { checkId: 0, judge: "another", at: 1, result: "{}" }, kept);
  const night = { suiteName: "nightly", scorer: "helpful", judge: "another", night: "before", at: 2, facts };
  const alarm = [{ kind: "model", before: "a", now: "b" } as const];
  noteJudgeNight(db, { ...night, asked: null, alarm, sameUntil: 0 }, { batchId: batch.id, checkId: null });
  keptQuestions(db, "another");
  tallyOfCheck(db, 1);
  newReplies(db, { batchId: batch.id, scoringId: 1, scorer: 1, checkId: 1 });
  hasReplies(db, { scoringId: 1, scorer: 1, targetId: 1 }, { after: 0, upTo: 9 });
}

/** What a killed process, a service that takes its time and several machines leave to be written. */
async function keepBooks(db: Connection): Promise<void> {
  const { id } = findBatch(db, "moved");
  claimUnread(db, id);
  const lock = lockBatch(db, id);
  lock.alive();
  keepNight(db, "moved");
  beginNotice(db, "moved", 1);
  forgetDoubts(db, [...noticesBegun(db, "help"), { name: "moved", noticeAt: 1 }]);
  endNotice(db, "moved", { at: 1, isNotified: true });
  oweNotice(db, "moved");
  leftNight(db, id);
  closeNight(db, ["moved"]);
  noteSecondLook(db, id, 1);
  const journal = createJournal(db, id);
  const [target] = batchTargets(db, id);
  // As if they had not been answered.
  sqlite(db).prepare("UPDATE job SET outcome = NULL WHERE batch_id = ?").run(id);
  const [one, other] = Array.from(caseResults(db, id), ({ jobs }) => jobs[0]?.jobId ?? 0);
  const [jobId = 0, second = 0] = [one, other];
  await journal.stopTarget(target?.id ?? 0, "no");
  spareTargets(db, id, [target?.id ?? 0]);
  sqlite(db).prepare("UPDATE job SET outcome = NULL WHERE batch_id = ?").run(id);
  const away = { deployment: "prod", endpoint: "video-bots", status: 502, since: 1, until: null };
  await journal.noteOutage({ ...away, givenBack: [jobId] });
  outagesOf(db, id);
  await journal.sending({ jobId, number: 8, queuedAt: 1, service: null });
  const run = { id: "r", url: null, createdAt: null };
  await journal.taken({ jobId, number: 8, queuedAt: 1, sentAt: 1, run });
  await journal.skip(jobId, "no");
  await journal.sending({ jobId: second, number: 8, queuedAt: 1, service: null });
  const moved = findBatch(db, "moved");
  noteParts(db, id, { parts: partsIn({ name: "moved", db, batch: moved }), partial: false });
  setPartial(db, id, true);
  for (const each of mergedBatches(db, moved.suiteName)) each.isAsMerged();
  renameBatch(db, id, "moved");
  settleInDoubt(db, id, "hold");
  settleInDoubt(db, id, "fail");
  takeBackDoubts(db, casesHeldByWorkers(db, id));
  takeBackDoubts(db, [jobId]);
  noteAtWorkers(db, id, { remote: "1", database: "2" });
  atWorkers(db, id);
  hasHeld(db, id);
  noteRests(db, id, false);
  Array.from(unsentInputs(db, id));
  const read = resultReader(db);
  const stored = storedAttempts(db).flatMap(({ job, number }) => (number > 0 ? (read(job, number)?.row ?? []) : []))[0];
  const handed = (job: number, number: number): string => {
    const { attempt, ...others } = JSON.parse(stored ?? "{}");
    return JSON.stringify({ ...others, attempt: { ...attempt, job_id: job, number } });
  };
  enterResults(
    db,
    [
      { job: second, number: 8, rank: 3, row: handed(second, 8) },
      { job: jobId, number: 9, rank: 0, row: null },
      { job: jobId, number: 10, rank: 2, row: handed(jobId, 10) },
    ],
    "held",
  );
  jobStates(db);
  storedAttempts(db);
  wholeConversations(db, [jobId]);
  const packed = openDatabase(`${db.name}.packed`);
  enterRows(packed, { ...packBatch(db, id), ...packJobs(db, [jobId]) });
  packed.close();
  giveUpWorkers(db, id, "hold");
  settleInDoubt(db, id, "resend");
  recordsWithId(db, "run");
  sqlite(db)
    .prepare(
      `INSERT INTO attempt (job_id, number, outcome, status, possibly_paid, redacted, queued_at, done_at)
       VALUES (@job, 11, 'throttled', 503, 0, 0, 1, 2), (@job, 12, 'throttled', 503, 0, 0, 1, 20000)`,
    )
    .run({ job: jobId });
  limitsFound(db, id);
  lock.release();
}
