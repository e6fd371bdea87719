import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { DatabaseLink } from "../../src/worker/journal/database-link.ts";
import type { SentResult } from "../../src/worker/journal/result.ts";
import { SettleDesk } from "../../src/worker/journal/settle-desk.ts";
import { Spool } from "../../src/worker/journal/spool.ts";
import { temporaryFolder } from "../store/batch.ts";

const result = (job: number, body: Buffer | null = Buffer.from([0, 255, job % 256]), worker = "me"): SentResult => ({
  worker,
  batch: 1,
  job,
  number: 1,
  kind: "ok",
  final: true,
  failure: false,
  spent: true,
  cost: null,
  costUnknown: false,
  entry: `{"jobId":${job}}`,
  body,
});

/** A desk over a database that can be away, with what that has got. */
function desk(folder: string) {
  const database = { isAway: false, got: [] as SentResult[], groups: [] as number[] };
  const told: string[] = [];
  const link = new DatabaseLink({
    passes: () => database.isAway,
    onAway: () => told.push("away"),
    onBack: () => told.push("back"),
  });
  const made = new SettleDesk({
    link,
    spool: new Spool(folder),
    async settle(worker, results) {
      await Promise.resolve();
      if (database.isAway) throw new Error("nobody answers");
      expect(new Set(results.map((each) => each.worker))).toEqual(new Set([worker]));
      database.got.push(...results);
      database.groups.push(results.length);
      return results.map(() => "landed" as const);
    },
    onSettled: () => {},
    onDiskFault: () => told.push("disk"),
    onFailure: (error) => told.push(String(error)),
  });
  return { made, link, database, told };
}

describe("results on their way into the database", () => {
  test("wait while it is away, beyond a thousand on the disk, and are entered once it is back", async () => {
    const folder = temporaryFolder();
    const { made, database, told } = desk(folder);
    database.isAway = true;
    const answers = Array.from({ length: 2_500 }, (_none, job) => made.add(result(job)));
    await expect.poll(() => told).toEqual(["away"]);
    expect(made.waiting).toBe(2_500);
    const files = readdirSync(folder);
    expect(files.length).toBe(2);
    if (process.platform !== "win32")
      expect(files.map((name) => statSync(join(folder, name)).mode & 0o77)).toEqual([0, 0]);
    database.isAway = false;
    expect(new Set(await Promise.all(answers))).toEqual(new Set(["landed"]));
    expect(database.got.map(({ job }) => job).toSorted((a, b) => a - b)).toEqual(answers.map((_none, job) => job));
    expect(database.got.find(({ job }) => job === 7)?.body).toEqual(Buffer.from([0, 255, 7]));
    expect(told).toEqual(["away", "back"]);
    expect(readdirSync(folder)).toEqual([]);
    expect(made.waiting).toBe(0);
  });

  test("of many megabytes go to the disk as well", async () => {
    const folder = temporaryFolder();
    const { made, database } = desk(folder);
    database.isAway = true;
    for (let job = 0; job < 5; job++) void made.add(result(job, Buffer.alloc(5 * 1024 * 1024, job)));
    expect(readdirSync(folder).length).toBe(1);
    database.isAway = false;
    await made.flushed();
    expect(database.got.map(({ body }) => body?.length)).toEqual([5, 5, 5, 5, 5].map((size) => size * 1024 * 1024));
  });

  test("that an earlier process has left are entered as its own, and not read again", async () => {
    const folder = temporaryFolder();
    const before = desk(folder);
    before.database.isAway = true;
    for (let job = 0; job < 3; job++) void before.made.add(result(job, null, "the one before"));
    before.link.close();
    await before.made.flushed();
    before.made.keep();
    expect(readdirSync(folder).length).toBe(1);
    const after = desk(folder);
    after.made.deliver();
    const own = after.made.add(result(9));
    await after.made.flushed();
    expect(await own).toBe("landed");
    expect(after.database.got.map(({ worker, job }) => `${worker} ${job}`).toSorted()).toEqual([
      "me 9",
      "the one before 0",
      "the one before 1",
      "the one before 2",
    ]);
    expect(readdirSync(folder)).toEqual([]);
  });

  test("that come together are one statement", async () => {
    const { made, database } = desk(temporaryFolder());
    await Promise.all(Array.from({ length: 300 }, (_none, job) => made.add(result(job))));
    expect(database.groups.length).toBeLessThanOrEqual(3);
  });
});
