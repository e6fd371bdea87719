import { accessSync, chmodSync, constants, copyFileSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { tempSuffix, removeLeftovers } from "../lib/leftovers.ts";
import { basename, dirname, join } from "node:path";

/** True when files can be made and changed there; a folder that is not there yet is taken for one. */
export function canWrite(path: string): boolean {
  if (!existsSync(path)) return true;
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * The path by which a database can be read. SQLite needs files beside it even to read, so that one which may not be
 * written, or lies in such a folder, is copied to a private folder, which is gone when the process ends.
 */
export function readablePath(path: string): string {
  if (!existsSync(path) || (canWrite(path) && canWrite(dirname(path)))) return path;
  const copy = pathOfCopy(path);
  for (const ending of ["", "-wal"]) {
    if (!existsSync(path + ending)) continue;
    copyFileSync(path + ending, copy + ending, constants.COPYFILE_FICLONE);
    chmodSync(copy + ending, 0o600);
  }
  return copy;
}

/** Copies in private folders, with the path that people know each by. */
const copies = new Map<string, string>();

/** A path for a copy of a database, in a private folder that is gone when the process ends. */
function pathOfCopy(path: string): string {
  removeLeftovers(tmpdir());
  const folder = join(tmpdir(), `tandem-read-${tempSuffix()}`);
  mkdirSync(folder, { mode: 0o700 });
  if (copies.size === 0) process.once("exit", removeCopies);
  const copy = join(folder, basename(path));
  copies.set(copy, path);
  return copy;
}

function removeCopies(): void {
  for (const copy of copies.keys()) removeCopy(copy);
  copies.clear();
}

export function removeCopy(copy: string): void {
  rmSync(dirname(copy), { recursive: true, force: true });
}

/** The path that people know a database by, if this is the path of a copy of it. */
export const knownPath = (path: string): string => copies.get(path) ?? path;
