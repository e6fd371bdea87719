import { readdirSync, readFileSync } from "node:fs";

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

/** Number of files and sockets that this process has open now, or null if the system does not tell. */
export function openFiles(): number | null {
  try {
    return readdirSync("/proc/self/fd").length;
  } catch {
    return null;
  }
}
