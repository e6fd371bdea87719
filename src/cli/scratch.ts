import { mkdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { passingMark, removeLeftovers } from "../lib/leftovers.ts";
import { exitCodes } from "../errors.ts";

/** Runs work with a private folder that is gone afterwards, also when Ctrl-C or SIGTERM ends the command. */
export async function withScratch<T>(work: (folder: string) => Promise<T>): Promise<T> {
  removeLeftovers(tmpdir());
  const folder = join(tmpdir(), `tandem-scratch-${passingMark()}`);
  mkdirSync(folder, { mode: 0o700 });
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  const onInterrupt = (): void => {
    remove();
    process.exit(exitCodes.interrupted.code);
  };
  const onTerminate = (): void => {
    remove();
    process.exit(exitCodes.terminated.code);
  };
  process.once("SIGINT", onInterrupt).once("SIGTERM", onTerminate).once("SIGHUP", onInterrupt);
  try {
    return await work(folder);
  } finally {
    process.off("SIGINT", onInterrupt).off("SIGTERM", onTerminate).off("SIGHUP", onInterrupt);
    remove();
  }
}
