import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, onTestFinished, test } from "vitest";
import { tempSuffix, removeLeftovers } from "../../src/lib/leftovers.ts";
import { openDatabase } from "../../src/store/database.ts";
import { endLife, isLiving, lifeMark } from "../../src/store/life-file.ts";
import { isHeld } from "../../src/store/lock.ts";

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "tandem-life-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A process that has a file of life in a folder, and waits. */
async function living(folder: string): Promise<{ child: ChildProcess; mark: string }> {
  const module = new URL("../../src/store/life-file.ts", import.meta.url).href;
  const script = `const { lifeMark } = await import(process.argv[1]);
console.log(lifeMark(process.argv[2])); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script, module, folder], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [chunk]: unknown[] = await once(child.stdout, "data");
  return { child, mark: String(chunk).trim() };
}

test("a process that was killed is known to be gone at once, though another has its id now", async () => {
  const folder = temporaryFolder();
  const db = openDatabase(join(folder, "tandem.db"));
  onTestFinished(() => db.close());
  const { child, mark } = await living(folder);
  // Process 1 is always there: to a lock without a file of life it would be the one that holds it.
  const lock = { pid: 1, host: hostname(), started: mark, at: Date.now() };
  const place = { db, name: "7" };
  expect(isLiving(folder, mark)).toBe(true);
  expect(isHeld(lock, place)).toBe(true);
  // In another container it may even have our own number.
  expect(isHeld({ ...lock, pid: process.pid }, place)).toBe(true);
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(isLiving(folder, mark)).toBe(false);
  expect(isHeld(lock, place)).toBe(false);
  rmSync(join(folder, mark));
  expect(isHeld(lock, place)).toBe(false);
});

test("a process has one file in a folder, which is gone when it has no lock there", () => {
  const folder = temporaryFolder();
  const mark = lifeMark(folder);
  expect(lifeMark(folder)).toBe(mark);
  expect(readdirSync(folder)).toEqual([mark]);
  expect(isLiving(folder, mark)).toBe(true);
  endLife(folder);
  endLife(folder);
  expect(readdirSync(folder)).toEqual([]);
});

test("a name that a database of a stranger holds opens no other file", () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "x"), "");
  const mark = ".tandem-life-00000000-1-000000000000";
  symlinkSync(join(folder, "x"), join(folder, mark));
  expect(isLiving(folder, mark)).toBe(false);
  expect(isLiving(folder, "x")).toBe(false);
  expect(isLiving(folder, `../${mark}`)).toBe(false);
});

test("the file of a process in another container, whose number nobody has here, stays as long as that lives", () => {
  const folder = temporaryFolder();
  const nobody = tempSuffix().replace(/-\d+-/, "-4194399-");
  const [alive, gone] = [`.tandem-life-${nobody}`, `.tandem-life-${nobody.slice(0, -12)}000000000000`];
  const connection = new Database(join(folder, alive));
  onTestFinished(() => void connection.close());
  connection.pragma("journal_mode = MEMORY");
  connection.exec("BEGIN EXCLUSIVE");
  writeFileSync(join(folder, gone), "");
  const hourAgo = Date.now() / 1_000 - 3_600;
  for (const name of [alive, gone]) utimesSync(join(folder, name), hourAgo, hourAgo);
  removeLeftovers(folder);
  const mark = lifeMark(folder);
  expect(readdirSync(folder).toSorted()).toEqual([alive, mark].toSorted());
  endLife(folder);
});
