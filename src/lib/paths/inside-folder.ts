import { constants, existsSync, readdirSync, realpathSync, type Stats, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";

/** A regular file below a folder as it was found there, or the reason why a path is none, as a sentence without its subject. */
export type PlaceInside = { ok: true; path: string; found: Stats } | { ok: false; fault: string; hint?: string };

/**
 * Finds a file by its path below a folder. Nothing outside is ever reached: neither by an absolute path or `..`, nor by a
 * link that leads out; nor what is hidden, holds settings of an environment, or is a result of ours. A pipe or a device is
 * no file, and is not opened. A letter with an accent is found in both of its spellings in Unicode.
 */
export function placeInside(folder: string, name: string): PlaceInside {
  if (isAbsolute(name) || /^(?:[A-Za-z]:)?[\\/]/.test(name)) return refused("is an absolute path");
  if (name.includes("\0")) return refused("holds a NUL character");
  const spellings = [...new Set([name, name.normalize("NFC"), name.normalize("NFD")])];
  const wanted = spellings.map((each) => resolve(folder, each));
  const there = wanted.find((path) => isOutside(folder, path) || existsSync(path)) ?? resolve(folder, name);
  if (isOutside(folder, there)) return refused("leads out of the folder");
  try {
    // The system's own way knows the short names of Windows too, such as ENV~1 for .env.
    const root = realpathSync.native(folder);
    const path = realpathSync.native(there);
    if (isOutside(root, path)) return refused("is a link that leads out of the folder");
    const secret = secretFault(folder, there) ?? secretFault(root, path);
    if (secret !== null) return refused(secret);
    const found = statSync(path);
    if (found.isDirectory()) return refused("is a folder");
    return found.isFile() ? { ok: true, path, found } : refused("is neither a file nor a folder");
  } catch (error) {
    const fault = fileReason(error);
    const hint = fault === notThere ? misspelled(folder, there) : null;
    return hint === null ? refused(fault) : { ok: false, fault, hint };
  }
}

/** The reason why a file below a folder is nobody's business, whoever names it; null: it may be sent. */
function secretFault(root: string, path: string): string | null {
  const steps = relative(root, path).split(sep);
  if (steps.some((step) => step.startsWith("."))) return "is hidden: a part of its path begins with a dot";
  if (/\.env(?:\.|$)/i.test(basename(path))) return "holds settings of an environment, by its name";
  const folders = steps.map((_, depth) => join(root, ...steps.slice(0, depth)));
  return folders.some((folder) => existsSync(join(folder, "tandem.db"))) ? "lies in a folder of results" : null;
}

/** The way to what was probably meant by a path that is not there; null: nothing is known. */
function misspelled(root: string, path: string): string | null {
  const name = relative(root, path);
  if (name.includes("\\")) return `Write / between folders: ${name.replaceAll("\\", "/")}.`;
  try {
    const folder = realpathSync(dirname(path));
    if (isOutside(realpathSync(root), folder)) return null;
    const other = readdirSync(folder).find((each) => each.toLowerCase() === basename(path).toLowerCase());
    return other === undefined ? null : `There is ${other}: capital and small letters count.`;
  } catch {
    return null;
  }
}

/**
 * Flags to open a file that was found: a pipe that was put in its place is not waited for, a link not followed. Windows lacks
 * the last two, and | takes what is not there for 0.
 */
export const readFlags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;

/** The reason why an open file is not the one that was found, as a sentence without its subject; null: it is. */
export function swapFault(found: Stats, opened: Stats): string | null {
  if (!opened.isFile() || opened.dev !== found.dev || opened.ino !== found.ino)
    return "was replaced while it was opened";
  return opened.size === found.size ? null : "changes while it is read";
}

const notThere = "is not there";

/** The reason why a file cannot be had, from an error of the system. */
export function fileReason(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
  return reasons[code] ?? `cannot be read (${code})`;
}

const reasons: Partial<Record<string, string>> = {
  ENOENT: notThere,
  ENOTDIR: notThere,
  EACCES: "may not be read by this user",
  EPERM: "may not be read by this user",
  ELOOP: "is a link that leads nowhere",
  ENAMETOOLONG: "is longer than a path can be",
};

const refused = (fault: string): PlaceInside => ({ ok: false, fault });

function isOutside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way);
}
