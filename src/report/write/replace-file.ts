import { rename } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";

/** Errors with which Windows refuses to replace a file that a program has open: a scanner of files for a moment, Excel for hours. */
const inUse = new Set(["EPERM", "EACCES", "EBUSY"]);

/** Waits between tries, in milliseconds: somewhat more than a second in all. */
const waits = [10, 20, 40, 80, 160, 320, 640];

/** The system that files are replaced on. */
export interface FileSystem {
  platform: NodeJS.Platform;
  rename: (from: string, to: string) => Promise<void>;
  wait: (ms: number) => Promise<unknown>;
}

const here: FileSystem = { platform: process.platform, rename, wait: setTimeout };

/** Puts a file in the place of another one. On Windows, what is refused because either is in use is tried again for a second. */
export async function replaceFile(from: string, to: string, system: FileSystem = here): Promise<void> {
  for (const wait of system.platform === "win32" ? waits : []) {
    try {
      await system.rename(from, to);
      return;
    } catch (error) {
      if (!(error instanceof Error && "code" in error && inUse.has(String(error.code)))) throw error;
      await system.wait(wait);
    }
  }
  await system.rename(from, to);
}
