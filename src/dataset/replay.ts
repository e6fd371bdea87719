import { createReadStream, createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { ReadDatasetOptions } from "./read-options.ts";

/** Options by which a dataset can be read twice, and what is to be done when it has been read. */
interface Replayable {
  options: ReadDatasetOptions;
  close: () => Promise<void>;
}

/**
 * Standard input can be read once. Where the order of turns takes a reading before the reading, it is kept in a private
 * temporary file meanwhile.
 */
export async function withReplay(options: ReadDatasetOptions): Promise<Replayable> {
  const { mapping, files, standardInput } = options;
  if (mapping.orderBy === undefined || !files.includes("-") || standardInput === undefined) {
    return { options, close: async () => undefined };
  }
  const folder = await mkdtemp(join(tmpdir(), "tandem-input-"));
  const close = (): Promise<void> => rm(folder, { recursive: true, force: true });
  const path = join(folder, "input");
  try {
    await pipeline(standardInput, createWriteStream(path, { mode: 0o600 }));
  } catch (error) {
    await close();
    throw error;
  }
  const again = { [Symbol.asyncIterator]: () => createReadStream(path)[Symbol.asyncIterator]() };
  return { options: { ...options, standardInput: again }, close };
}
