import { lstatSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { ageOfDate } from "../lib/clock.ts";
import { tempSuffix, removeLeftovers } from "../lib/leftovers.ts";
import { Sqlite } from "./sqlite.ts";

/**
 * A file that its process keeps locked for as long as it lives. Every operating system releases such a lock when a process ends,
 * however it ends, so that a later process with the same id is never taken for it.
 */
interface LifeFile {
  name: string;
  connection: Sqlite;
}

/** A file that is younger may not be locked yet. */
const settledAfterMs = 60_000;

/** The files of this process, by folder. */
const own = new Map<string, LifeFile>();

const named = /^\.tandem-life-[0-9a-f]{8}-\d+-[0-9a-f]{12}$/;

/** True for the name of a file of life. */
export const isLifeMark = (mark: string): boolean => named.test(mark);

/** The name of the file of this process in a folder, which is made where there is none yet. */
export function lifeMark(folder: string): string {
  const known = own.get(folder);
  if (known !== undefined) return known.name;
  removeLeftovers(folder);
  removeEnded(folder);
  const name = `.tandem-life-${tempSuffix()}`;
  const connection = new Sqlite(join(folder, name), { timeout: 0 });
  // Nothing is written to it, so that it needs no journal beside it.
  connection.pragma("journal_mode = MEMORY");
  connection.exec("BEGIN EXCLUSIVE");
  if (own.size === 0) process.once("exit", endAll);
  own.set(folder, { name, connection });
  return name;
}

/** True for the file of this process. */
export const isOwnLife = (folder: string, mark: string): boolean => own.get(folder)?.name === mark;

/** Removes the files of processes that are gone. Who they were is no matter: a lock cannot be another's. */
function removeEnded(folder: string): void {
  for (const name of readdirSync(folder).filter(isLifeMark)) {
    try {
      const about = statSync(join(folder, name), { throwIfNoEntry: false });
      const isSettled = about !== undefined && ageOfDate(about.mtimeMs) > settledAfterMs;
      if (isSettled && !isLiving(folder, name)) rmSync(join(folder, name), { force: true });
    } catch {
      // Another user's: theirs to remove.
    }
  }
}

/** Gives up the file of this process in a folder, if there is one. */
export function endLife(folder: string): void {
  const file = own.get(folder);
  if (file === undefined) return;
  own.delete(folder);
  file.connection.close();
  rmSync(join(folder, file.name), { force: true });
}

function endAll(): void {
  for (const folder of own.keys()) endLife(folder);
}

/** True while the process of a file lives. The file of one that is gone may be gone too. */
export function isLiving(folder: string, mark: string): boolean {
  const path = join(folder, mark);
  // Names come from a database that anybody may have made: nothing else is opened, and no pipe is waited for.
  if (!isLifeMark(mark) || lstatSync(path, { throwIfNoEntry: false })?.isFile() !== true) return false;
  const file = new Sqlite(path, { readonly: true, fileMustExist: true, timeout: 0 });
  try {
    file.prepare("SELECT count(*) FROM sqlite_schema").get();
    return false;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "SQLITE_BUSY";
  } finally {
    file.close();
  }
}
