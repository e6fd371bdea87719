import { mkdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tempSuffix, removeLeftovers } from "../../../lib/leftovers.ts";
import { codeOfSignal, endingSignals } from "../../signals/ending-signals.ts";

/** Runs work with a private folder that is gone afterwards, also when Ctrl-C or SIGTERM ends the command. */
export async function withScratch<T>(work: (folder: string) => Promise<T>): Promise<T> {
  removeLeftovers(tmpdir());
  const folder = join(tmpdir(), `tandem-scratch-${tempSuffix()}`);
  mkdirSync(folder, { mode: 0o700 });
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  const end = (signal: NodeJS.Signals): void => {
    remove();
    process.exit(codeOfSignal(signal));
  };
  for (const signal of endingSignals) process.once(signal, end);
  try {
    return await work(folder);
  } finally {
    for (const signal of endingSignals) process.off(signal, end);
    remove();
  }
}
