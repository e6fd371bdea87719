import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import Database from "better-sqlite3";
import { describe, expect, onTestFinished, test } from "vitest";
import { slowTest } from "../often.ts";
import { damageSchema, damageTable } from "../store/damage.ts";
import { changeDatabase } from "../store/stored-database.ts";
import { record, type Service, startService } from "./service.ts";
import { command, prompts, runAt, Tandem } from "./tandem.ts";
import { storedVersion } from "../../src/lib/stored-version.ts";

/** A batch of which half is finished, and its database. */
async function half(): Promise<{ tandem: Tandem; service: Service; database: string }> {
  const service = await startService(({ prompt }) => record(prompt));
  const tandem = new Tandem().file("p.csv", prompts(4));
  const { code, err } = await tandem.run(...runAt({ prod: service }, "--quiet", "--budget", "2"));
  expect(code, err).toBe(3);
  return { tandem, service, database: join(tandem.folder, "results", "tandem.db") };
}

test("a statement that does not fit the database is a fault in tandem itself: exit 70 with the stack, and no advice to make room", async () => {
  const { tandem, database } = await half();
  const db = new Database(database);
  db.exec("CREATE UNIQUE INDEX own ON attempt (number) WHERE job_id > 2");
  db.close();
  const { code, out, err } = await tandem.run("resume", "--quiet", "--json");
  expect(code, err).toBe(70);
  expect(err).toMatch(/SqliteError: UNIQUE constraint failed: \S+\n\s+at /);
  expect(err).toContain("This is a fault in tandem");
  expect(err).not.toContain("room");
  expect(out).toBe("");
});

test("a damaged page is told in words with exit 3, and how to save what can be read", async () => {
  const { tandem, database } = await half();
  damageTable(database, "job");
  const { code, out, err } = await tandem.run("resume", "--quiet", "--json");
  expect(code, err).toBe(3);
  expect(err).toContain("which is damaged: database disk image is malformed");
  expect(err).toContain(".recover");
  expect(err).not.toMatch(/\n\s+at |room/);
  expect(JSON.parse(out)).toMatchObject({ error: { code: "STORE_FAILED" } });
});

test("damage at the very beginning of the file is told in the same way by every command", async () => {
  const { tandem, database } = await half();
  damageSchema(database);
  for (const line of ["resume", "batches", "report", "export", "compare", "pin", "score --list", "label agreement"]) {
    const { code, err } = await tandem.run(...line.split(" "));
    expect(code, line).toBe(3);
    expect(err, line).toContain("which is damaged: database disk image is malformed");
  }
});

describe("a database that is taken away while a run goes on", () => {
  const results = (tandem: Tandem, name = ""): string => join(tandem.folder, "results", name);
  test.each<[string, (tandem: Tandem) => void, string]>([
    ["deleted", (tandem) => rmSync(results(tandem, "tandem.db")), "tandem.db was deleted or moved away"],
    ["deleted with its folder", (tandem) => rmSync(results(tandem), { recursive: true }), "was deleted or moved away"],
    [
      "moved with its folder",
      (tandem) => renameSync(results(tandem), `${results(tandem)}-old`),
      "was deleted or moved away",
    ],
    ["robbed of its -wal file", (tandem) => rmSync(results(tandem, "tandem.db-wal")), "tandem.db-wal was deleted"],
    [
      "replaced",
      (tandem) => {
        cpSync(results(tandem, "tandem.db"), results(tandem, "other.db"));
        renameSync(results(tandem, "other.db"), results(tandem, "tandem.db"));
      },
      "tandem.db was replaced by another file",
    ],
  ])("because it is %s: that is seen within seconds, ends with 3, and nothing more is sent", async (_, take, words) => {
    const service = await startService(({ prompt }) => ({ ...record(prompt), delayMs: 100 }));
    const tandem = new Tandem().file("p.csv", prompts(600));
    const { ended } = tandem.begin(...runAt({ prod: service }, "-j", "4", "-q"));
    await expect.poll(() => service.received.length, { interval: 10 }).toBeGreaterThan(8);
    const before = service.received.length;
    take(tandem);
    const { code, err } = await ended;
    // Four at a time, each of a tenth of a second: these are ten seconds, or more on a busy machine.
    expect(service.received.length - before).toBeLessThan(400);
    expect(code, err).toBe(3);
    expect(err).toContain(words);
    const sent = service.received.length;
    await setTimeout(300);
    expect(service.received).toHaveLength(sent);
  });

  test("is seen while all that happens is waiting for answers", async () => {
    const service = await startService(() => ({ act: "hang" }));
    const tandem = new Tandem().file("p.csv", prompts(4));
    const { ended } = tandem.begin(...runAt({ prod: service }, "--no-preflight", "-q"));
    await expect.poll(() => service.received.length, { interval: 10 }).toBe(4);
    rmSync(results(tandem, "tandem.db"));
    expect(await ended).toMatchObject({ code: 3 });
  });
});

describe("a database of another version is refused by every command, with what to do, and nothing is sent", () => {
  test.each([
    [
      33,
      `is of an unreleased tandem (version 33; this tandem reads ${storedVersion}).`,
      "Run into another folder with --results",
    ],
    [999, `is of a newer one (version 999; this tandem reads ${storedVersion}).`, "Use the tandem that wrote it"],
  ])("version %i", async (version, said, advice) => {
    const { tandem, database, service } = await half();
    changeDatabase(database, `PRAGMA user_version = ${version}`);
    const sent = service.received.length;
    const sends = runAt({ prod: service }, "--quiet");
    for (const args of [sends, ["resume"], ["batches"], ["compare"], ["score"], ["report"], ["view", "--port", "0"]]) {
      const { code, out, err } = await tandem.run(...args);
      expect(code, `${args.join(" ")}: ${err}`).toBe(2);
      expect(err).toContain(said);
      expect(err).toContain(advice);
      expect(out).toBe("");
    }
    expect(service.received).toHaveLength(sent);
  });
});

/** A user who may write nowhere but in the folder for temporary files. */
const nobody = 65_534;

test.skipIf(process.getuid?.() !== 0)(
  "commands that only read work in a folder that may not be written (seen as another user, which only root can be)",
  async () => {
    const { tandem } = await half();
    expect((await tandem.run("resume", "-q")).code).toBe(0);
    mkdirSync(join(tandem.folder, "merged"));
    chownSync(join(tandem.folder, "merged"), nobody, nobody);
    const before = readdirSync(join(tandem.folder, "results")).toSorted();
    for (const name of ["", "results", ...before.map((each) => join("results", each))])
      chmodSync(join(tandem.folder, name), name.includes(".") ? 0o444 : 0o555);
    tandem.ofUser(nobody);
    const commands = [
      "batches",
      "batches show",
      "export",
      "export --where row>0",
      "compare",
      "report -o -",
      "score --list",
      "label agreement",
      "pin",
      "merge results --results merged",
    ];
    for (const line of commands) {
      const args = line === "report -o -" ? ["report", "-o", "-", "--format", "json"] : line.split(" ");
      const { code, err } = await tandem.run(...args);
      expect([0, 4], `${line}: ${err}`).toContain(code);
      expect(err).not.toMatch(/error/);
    }
    expect(readdirSync(join(tandem.folder, "results")).toSorted()).toEqual(before);
    expect(readdirSync(tmpdir()).filter((name) => /^tandem-(read|view)-/.test(name))).toEqual([]);
  },
);

test.skipIf(process.getuid?.() !== 0)(
  "a results folder that belongs to somebody else is said to be so, and not that there is no database (seen as another user, which only root can be)",
  async () => {
    const { tandem } = await half();
    chmodSync(tandem.folder, 0o755);
    chmodSync(join(tandem.folder, "results"), 0o700);
    tandem.ofUser(nobody);
    for (const line of ["batches", "compare", "report -o - --format json"]) {
      const { code, err } = await tandem.run(...line.split(" "));
      expect(code, `${line}: ${err}`).toBe(3);
      expect(err, line).toContain("tandem.db cannot be read: this user may not look into its folder");
      expect(err, line).toContain("read them as the same user");
      expect(err, line).not.toContain("There is no database");
    }
  },
);

slowTest(
  "SQLite that cannot be loaded is named with its remedy, ends with 3, and leaves no empty database",
  async () => {
    const tandem = new Tandem().file("p.csv", prompts(2));
    const app = mkdtempSync(join(tmpdir(), "tandem-without-"));
    onTestFinished(() => rmSync(app, { recursive: true, force: true }));
    cpSync(dirname(command), join(app, "dist"), { recursive: true });
    const binaries = join(app, "dist/prebuilds");
    tandem.as(process.execPath, join(app, "dist/main.js"));
    const run = runAt({ prod: { url: "http://127.0.0.1:9" } });
    for (const isThere of [true, false]) {
      // As when a folder of packages was copied from another system, or to one that is not supported.
      if (isThere) for (const name of readdirSync(binaries)) writeFileSync(join(binaries, name), "of another system");
      else rmSync(binaries, { recursive: true });
      const { code, err } = await tandem.run(...run);
      expect(code, err).toBe(3);
      expect(err).toContain("SQLite cannot be loaded on this machine");
      expect(err).toContain("Install tandem again on this machine");
      expect(err).not.toMatch(/\n\s+at /);
      expect(tandem.has("results/tandem.db")).toBe(false);
    }
  },
);
