import { constants, realpathSync, type Stats, statSync } from "node:fs";
import { isAbsolute, relative, resolve, sep } from "node:path";

/** A regular file below a folder as it was found there, or the reason why a path is none, as a sentence without its subject. */
export type PlaceInside = { ok: true; path: string; found: Stats } | { ok: false; fault: string };

/**
 * Finds a file by its path below a folder. Nothing outside is ever reached: neither by an absolute path or `..`, nor by a
 * link that leads out. A pipe or a device is no file, and is not opened.
 */
export function placeInside(folder: string, name: string): PlaceInside {
  if (isAbsolute(name) || /^(?:[A-Za-z]:)?[\\/]/.test(name)) return refused("is an absolute path");
  if (name.includes("\0")) return refused("holds a NUL character");
  const wanted = resolve(folder, name);
  if (isOutside(folder, wanted)) return refused("leads out of the folder");
  try {
    const path = realpathSync(wanted);
    if (isOutside(realpathSync(folder), path)) return refused("is a link that leads out of the folder");
    const found = statSync(path);
    if (found.isDirectory()) return refused("is a folder");
    return found.isFile() ? { ok: true, path, found } : refused("is neither a file nor a folder");
  } catch (error) {
    return refused(fileReason(error));
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

/** The reason why a file cannot be had, from an error of the system. */
export function fileReason(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
  return reasons[code] ?? `cannot be read (${code})`;
}

const reasons: Partial<Record<string, string>> = {
  ENOENT: "is not there",
  ENOTDIR: "is not there",
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
