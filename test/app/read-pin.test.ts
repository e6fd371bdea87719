import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openReference, readPin } from "../../src/app/compare/pin-file.ts";
import { findReference } from "../../src/app/compare/batch-reference.ts";
import { temporaryDatabase } from "../store/batch.ts";
import { sqlite } from "../../src/store/sqlite.ts";
import { storedVersion } from "../../src/lib/stored-version.ts";

const head = {
  tandem_pin: storedVersion,
  name: "release-12",
  suite: "nightly",
  created_at: "2026-11-20T00:00:00Z",
  batches: ["nightly-1"],
  targets: [{ name: "prod", endpoint: "video-bots", exampleId: "a", repeats: 1 }],
  scorers: [],
};

function caseOf(key: string, given: object = {}): object {
  const run = { outcome: "ok", kind: "answered", answer: "उत्तर 👩🏽‍🌾\u2028", error: null, run_id: null, url: null };
  const times = { created_at: null, sent_at: 1, done_at: 2 };
  return { key, input_hash: "h", cluster: key, turn: 1, runs: { prod: [{ ...run, ...times, scores: [], ...given }] } };
}

/** A file as it is exported, of so many cases, whose runs have this. */
function exported(keys: readonly string[], first: object = head, given: object = {}): string {
  const lines = [first, ...keys.map((key) => caseOf(key, given))].map((line) => `${JSON.stringify(line)}\n`).join("");
  const sha256 = createHash("sha256").update(lines).digest("hex");
  return `${lines}${JSON.stringify({ cases: keys.length, sha256 })}\n`;
}

function file(text: string | Buffer): string {
  const folder = mkdtempSync(join(tmpdir(), "tandem-pin-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "pin.jsonl");
  writeFileSync(path, text);
  return path;
}

const keys = Array.from({ length: 3_000 }, (_, i) => `k${i} ሰላም`);

test.each([
  ["as it was written", exported(keys)],
  ["with a byte order mark", `\uFEFF${exported(keys)}`],
  ["with the line ends of Windows", exported(keys).replaceAll("\n", "\r\n")],
  ["without its last line end", exported(keys).trimEnd()],
])("a file is read %s", (_, text) => {
  const { head: found, cases } = readPin(file(text));
  expect(found.name).toBe("release-12");
  expect(Array.from(cases(), ({ key }) => key)).toEqual(keys);
});

test.each([
  ["chat-completions", true],
  ['http {"answer":"$.a","path":"/x"}', true],
  ["http {", false],
  ['http {"answer":"$.a["}', false],
  ['http {"body":"{{ a"}', false],
  ["telepathy", false],
])("a target of the endpoint %s is read: %s", (endpoint, isRead) => {
  const targets = [{ name: "prod", endpoint, exampleId: "", repeats: 1 }];
  const read = (): unknown => readPin(file(exported(["k1"], { ...head, targets }))).head.targets[0]?.endpoint;
  if (isRead) expect(read()).toBe(endpoint);
  else expect(read).toThrow("which this tandem does not know");
});

test.each([
  ["an empty file", "", ":1: is missing: the file is empty"],
  ["another file", "id,question\n1,what\n", ':1: is no JSON: "id,question"'],
  ["bytes", Buffer.from([0, 27, 91, 50, 74, 10]), String.raw`:1: is no JSON: "\u0000\u001b[2J"`],
  ["a pointer", "version https://git-lfs.github.com/spec/v1\n", "`git lfs pull` brings it"],
  [
    "a newer format",
    exported(keys, { ...head, tandem_pin: storedVersion + 1 }),
    `is of a newer one (version ${storedVersion + 1}; this tandem reads ${storedVersion})`,
  ],
  [
    "an earlier format",
    exported(keys, { ...head, tandem_pin: 1 }),
    `is of an unreleased tandem (version 1; this tandem reads ${storedVersion}): export the pin with this tandem`,
  ],
  [
    "a lost end",
    exported(["a", "b"]).split("\n").slice(0, 2).join("\n"),
    ":2: is the last one, after 1 row: the file is cut off",
  ],
  [
    "a lost line",
    exported(["a", "b"]).split("\n").toSpliced(1, 1).join("\n"),
    ":3: says that there are 2 rows before it, but there are 1",
  ],
  ["a change", exported(["a"]).replace("ok", "failed"), ":3: does not agree with the lines before it"],
  ["a line too many", `${exported(["a"])}${JSON.stringify(caseOf("b"))}\n`, ":4: comes after the last line"],
  ["two files", exported(["a"]) + exported(["a"]), ":4: comes after the last line"],
  [
    "a wrong member",
    exported(["a"]).replace('"turn":1', '"turn":"one"'),
    ":2: turn: Invalid input: expected number, received string",
  ],
  ["a moment that is none", exported(["a"], head, { sent_at: -1e300 }), ":2: runs.prod.0.sent_at: Too small"],
  ["one after all dates", exported(["a"], head, { done_at: 1e300 }), ":2: runs.prod.0.done_at: Too big"],
  [
    "a target twice",
    exported(["a"], { ...head, targets: [...head.targets, ...head.targets] }),
    ":1: targets: has a name twice",
  ],
  [
    "a scorer without a scale",
    exported(["a"], { ...head, scorers: [{ metric: { name: "correct" }, spec: {} }] }),
    ":1: scorers.0.metric.type: Invalid input",
  ],
])("%s is refused with its line", (_, text, message) => {
  expect(() => readPin(file(text))).toThrow(message);
});

test("moments may have parts of a millisecond", () => {
  const db = temporaryDatabase();
  openReference(db, file(exported(["a"], head, { sent_at: 1.5, done_at: 2.25 })));
  expect(sqlite(db).prepare("SELECT sent_at, done_at FROM attempt").raw().get()).toEqual([1.5, 2.25]);
});

test("a pin that is read is found again, the same content once, and keeps its name", () => {
  const db = temporaryDatabase();
  const name = openReference(db, file(exported(["a", "b"])));
  expect(name).toMatch(/^pin-release-12-[0-9a-f]{8}$/);
  expect(findReference(db, name)).toMatchObject({ name, label: "release-12", target: null });
  expect(openReference(db, `${file(exported(["a", "b"]))}:prod`)).toBe(`${name}:prod`);
  expect(openReference(db, file(exported(["a", "c"])))).not.toBe(name);
  expect(sqlite(db).prepare("SELECT count(*) FROM batch").pluck().get()).toBe(2);
  expect(() => openReference(db, file(exported(["a", "a"])))).toThrow("has a key twice");
  expect(sqlite(db).prepare("SELECT count(*) FROM batch").pluck().get()).toBe(2);
  expect(() => openReference(db, "pins/release-13.jsonl")).toThrow("There is no file pins/release-13.jsonl");
  expect(() => openReference(db, tmpdir())).toThrow("is no file");
});
