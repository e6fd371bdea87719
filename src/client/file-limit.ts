import { readdirSync, readFileSync } from "node:fs";

/** Files that may be opened beside the sockets: reports, the write-ahead log, name servers. */
const reserve = 16;
/** Number of files open in a process that has just started, if the system does not tell. */
const usuallyOpen = 32;

/**
 * Number of files and sockets that this process may have open (the soft limit), or null if the system does not tell.
 */
export function openFileLimit(): number | null {
  try {
    const line = /^Max open files\s+(\S+)/m.exec(readFileSync("/proc/self/limits", "utf8"));
    const limit = Number(line?.[1]);
    return Number.isFinite(limit) ? limit : null;
  } catch {
    return null;
  }
}

/** Number of files and sockets that this process may open beside those of now, or null if the system does not tell. */
export function freeFiles(): number | null {
  const limit = openFileLimit();
  return limit === null ? null : limit - (openFiles() ?? usuallyOpen) - reserve;
}

/** Number of files and sockets that this process has open now, or null if the system does not tell. */
function openFiles(): number | null {
  try {
    return readdirSync("/proc/self/fd").length;
  } catch {
    return null;
  }
}
