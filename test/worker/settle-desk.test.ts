import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { DatabaseLink } from "../../src/worker/journal/database-link.ts";
import type { SentResult } from "../../src/worker/journal/result.ts";
import { SettleDesk } from "../../src/worker/journal/settle-desk.ts";
import { Spool } from "../../src/worker/journal/spool.ts";
import { answer } from "./books.ts";
import { temporaryFolder } from "../store/batch.ts";

const result = (job: number, body: Buffer | null = Buffer.from([0, 255, job % 256]), worker = "me"): SentResult => ({
  ...answer(1, job, { entry: `{"jobId":${job}}`, body }),
  worker,
});

/** A desk over a database that can be away, with what that has got. */
function desk(folder: string) {
  const database = {
    isAway: false,
    takesNothing: false,
    got: [] as SentResult[],
    groups: [] as number[],
    held: [] as number[],
  };
  const reported: string[] = [];
  const link = new DatabaseLink({
    passes: () => database.isAway,
    onAway: () => reported.push("away"),
    onBack: () => reported.push("back"),
  });
  const made = new SettleDesk({
    link,
    spool: new Spool(folder),
    async settle(worker, results) {
      await Promise.resolve();
      if (database.isAway) throw new Error("nobody answers");
      if (results.some(({ entry }) => entry === "bad")) throw new RangeError("more than fits");
      if (results.some(({ entry }) => entry === "refused")) throw new Error("no rights");
      expect(new Set(results.map((each) => each.worker))).toEqual(new Set([worker]));
      database.got.push(...results);
      database.groups.push(results.length);
      return results.map(() => "landed" as const);
    },
    async hold(_worker, { job }) {
      await Promise.resolve();
      if (database.takesNothing) throw new Error("no rights at all");
      database.held.push(job);
    },
    isOfData: (error) => error instanceof RangeError,
    onRefused: (batch, error) => reported.push(`batch ${batch} ${String(error)}`),
    onSetAside: (path, error) => reported.push(`${path} ${String(error)}`),
    onDiskFault: () => reported.push("disk"),
    onFailure: (error) => reported.push(String(error)),
  });
  return { made, link, database, told: reported };
}

/** Files of results in a folder. */
const files = (folder: string): string[] => readdirSync(folder).filter((name) => name.endsWith(".results"));

describe("results on their way into the database", () => {
  test("wait while it is away, beyond a thousand on the disk, and are entered once it is back", async () => {
    const folder = temporaryFolder();
    const { made, database, told: reported } = desk(folder);
    database.isAway = true;
    const answers = Array.from({ length: 2_500 }, (_none, job) => made.add(result(job)));
    await expect.poll(() => reported).toEqual(["away"]);
    expect(made.waiting).toBe(2_500);
    const kept = files(folder);
    expect(kept.length).toBe(2);
    if (process.platform !== "win32")
      expect(kept.map((name) => statSync(join(folder, name)).mode & 0o77)).toEqual([0, 0]);
    database.isAway = false;
    expect(new Set(await Promise.all(answers))).toEqual(new Set(["landed"]));
    expect(database.got.map(({ job }) => job).toSorted((a, b) => a - b)).toEqual(answers.map((_none, job) => job));
    expect(database.got.find(({ job }) => job === 7)?.body).toEqual(Buffer.from([0, 255, 7]));
    expect(reported).toEqual(["away", "back"]);
    expect(files(folder)).toEqual([]);
    expect(made.waiting).toBe(0);
  });

  test("of many megabytes go to the disk as well", async () => {
    const folder = temporaryFolder();
    const { made, database } = desk(folder);
    database.isAway = true;
    for (let job = 0; job < 5; job++) void made.add(result(job, Buffer.alloc(5 * 1024 * 1024, job)));
    expect(files(folder).length).toBe(1);
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
    expect(files(folder).length).toBe(1);
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
    expect(files(folder)).toEqual([]);
  });

  test("are entered but for those that the database does not take: each is kept in a file of its own, and its job held", async () => {
    const folder = temporaryFolder();
    const { made, database, told: reported } = desk(folder);
    const answers = Array.from({ length: 40 }, (_none, job) =>
      made.add(job === 7 ? { ...result(7), entry: "bad" } : result(job)),
    );
    expect(
      (await Promise.all(answers)).flatMap((entered, job) => (entered === "landed" ? [] : [job, entered])),
    ).toEqual([7, "aside"]);
    expect(database.got.length).toBe(39);
    expect(database.held).toEqual([7]);
    const path = join(folder, "batch-1-job-7-attempt-1.set-aside");
    expect(reported).toEqual([`${path} RangeError: more than fits`]);
    expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({ job: 7, entry: "bad", body: "AP8H" });
    expect(await made.add(result(50))).toBe("landed");
  });

  test("that cannot be entered hold up no file of an earlier process, nor does a file that cannot be read", async () => {
    const folder = temporaryFolder();
    new Spool(folder).put([result(1), { ...result(2), entry: "bad" }, result(3)]);
    new Spool(folder).put([result(4)]);
    writeFileSync(join(folder, "torn-7.results"), '{"job":\n');
    const { made, database, told: reported } = desk(folder);
    made.deliver();
    await made.flushed();
    expect(database.got.map(({ job }) => job)).toEqual([1, 3, 4]);
    expect(reported.length).toBe(2);
    expect(files(folder)).toEqual([]);
    expect(readdirSync(folder).filter((name) => name.endsWith(".set-aside")).length).toBe(2);
  });

  test("are kept when the database takes nothing at all", async () => {
    const { made, told: reported, database } = desk(temporaryFolder());
    database.takesNothing = true;
    for (const job of [1, 2]) void made.add({ ...result(job), entry: "refused" });
    await made.flushed();
    expect(reported).toEqual(["Error: no rights at all"]);
    expect([made.waiting, database.held]).toEqual([2, []]);
  });

  test("of one batch that are refused hold up no other: the batch is named, and the next start enters them", async () => {
    const folder = temporaryFolder();
    const { made, told: reported, database } = desk(folder);
    const answers = [1, 2, 3].map((job) => made.add(job === 2 ? { ...result(2), entry: "refused" } : result(job)));
    expect(await Promise.all(answers)).toEqual(["landed", "aside", "landed"]);
    expect(reported).toEqual(["batch 1 Error: no rights"]);
    expect(database.held).toEqual([2]);
    const [kept = ""] = files(folder);
    expect(new Spool(folder).read(kept).map(({ job }) => job)).toEqual([2]);
  });

  test("wait for those on their way, and go at once when nothing more is to come", async () => {
    vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const { made, database } = desk(temporaryFolder());
    const turns = async (): Promise<void> => {
      for (let turn = 0; turn < 10; turn += 1) await nextTurn();
    };
    const arrives = (job: number): void => {
      made.expect(-1);
      void made.add(result(job));
    };
    for (let job = 0; job < 3; job++) made.expect(1);
    for (const job of [1, 2]) {
      arrives(job);
      await turns();
    }
    expect(database.groups).toEqual([]);
    arrives(3);
    await turns();
    expect(database.groups).toEqual([3]);
    // One that is slow holds up the others no longer than a rest.
    for (let job = 0; job < 2; job++) made.expect(1);
    arrives(4);
    await turns();
    expect(database.groups).toEqual([3]);
    await vi.advanceTimersByTimeAsync(10);
    await turns();
    expect(database.groups).toEqual([3, 1]);
  });

  test("that come together are one statement", async () => {
    const { made, database } = desk(temporaryFolder());
    await Promise.all(Array.from({ length: 300 }, (_none, job) => made.add(result(job))));
    expect(database.groups.length).toBeLessThanOrEqual(3);
  });
});

/** The files that a process of its own keeps, until it is killed. */
async function otherWorker(folder: string): Promise<{ name: string; kill: () => Promise<unknown> }> {
  const module = new URL("../../src/worker/journal/spool.ts", import.meta.url).href;
  const script = `const { Spool } = await import(process.argv[1]);
console.log(new Spool(process.argv[2]).put([])); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script, module, folder], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [chunk]: unknown[] = await once(child.stdout, "data");
  return { name: String(chunk).trim(), kill: () => (child.kill("SIGKILL"), once(child, "exit")) };
}

describe("files of results", () => {
  test("are another worker's while it lives, and then one other's alone", async () => {
    const folder = temporaryFolder();
    const { name, kill } = await otherWorker(folder);
    writeFileSync(join(folder, `${name}.part`), "half");
    expect(new Spool(folder).left()).toEqual([]);
    expect(readdirSync(folder)).toContain(`${name}.part`);
    await kill();
    const after = new Spool(folder);
    const own = after.left();
    expect(own.length).toBe(1);
    expect(own).not.toContain(name);
    expect(after.read(own[0] ?? "")).toEqual([]);
    expect(readdirSync(folder)).not.toContain(`${name}.part`);
  });

  test("of a worker that is gone are taken over though another program has its process number", () => {
    const folder = temporaryFolder();
    // Process 1 is always there, and so is this one.
    for (const pid of [1, process.pid]) {
      const path = join(folder, `0123abcd-${pid}-0123456789ab-3.results`);
      writeFileSync(path, "");
      writeFileSync(`${path}.part`, "half");
    }
    expect(new Spool(folder).left().length).toBe(2);
    expect(readdirSync(folder).filter((name) => name.endsWith(".part"))).toEqual([]);
  });
});
