import { createHash, randomBytes } from "node:crypto";
import { type Dirent, readdirSync, readlinkSync, rmSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";

/**
 * Tells those apart that share a folder and have process numbers of their own: machines, and containers, which may all have
 * the name of their machine. A process is looked for among its own only.
 */
const machine = createHash("sha256").update(`${hostname()}${ownNumbers()}`).digest("hex").slice(0, 8);

/** The namespace of process numbers, where it is not the one that a Linux machine begins with; empty: it is that of the machine. */
export function ownNumbers(): string {
  try {
    const namespace = readlinkSync("/proc/self/ns/pid");
    return namespace === "pid:[4026531836]" ? "" : namespace;
  } catch {
    return "";
  }
}

/** The end of the name of a file or folder that is gone when this process has done with it. */
export const tempSuffix = (): string => `${machine}-${process.pid}-${randomBytes(6).toString("hex")}`;

const marked = /[.-]([0-9a-f]{8})-(\d+)-[0-9a-f]{12}(?:\.rows)?(?:\.tmp)?$/;
/** Files that say by a lock whether their process lives: src/store/life-file.ts removes them. */
const ofLife = /^\.tandem-life-/;

/** Removes what processes of this machine that were killed have left in a folder; whatever cannot be read or removed stays. */
export function removeLeftovers(folder: string): void {
  for (const { name } of entriesOf(folder)) {
    const [, host, pid = ""] = marked.exec(name) ?? [];
    if (!/^(\.|tandem-)/.test(name) || ofLife.test(name) || host !== machine || isRunning(Number(pid))) continue;
    try {
      rmSync(join(folder, name), { recursive: true, force: true });
    } catch {
      // Another user's: theirs to remove.
    }
  }
}

/** The same for a results folder, with the folders of its batches and of their comparisons. */
export function removeAllLeftovers(out: string, depth = 2): void {
  removeLeftovers(out);
  if (depth === 0) return;
  for (const entry of entriesOf(out)) if (entry.isDirectory()) removeAllLeftovers(join(out, entry.name), depth - 1);
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** True for the number of a process that runs on this machine, whoever's it is. */
export function isRunning(pid: number): boolean {
  if (pid === process.pid) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it is there, and another user's.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
