import { open } from "node:fs/promises";
import type { ChildProcess } from "node:child_process";
import { z } from "zod";
import { startOwnProcess } from "../../lib/own-worker.ts";
import type { FindingList } from "../finding.ts";
import { requireFile, unreadable } from "../open.ts";
import type { RowBatch } from "../row.ts";
import { headerFaults } from "./header-faults.ts";

/** Answers of the process that reads, one for each time that it is asked. */
const parquetWord = z.union([
  z.strictObject({ header: z.array(z.string()) }),
  z.strictObject({ rows: z.array(z.array(z.string())) }),
  z.strictObject({ isEnd: z.literal(true) }),
  z.strictObject({ fault: z.string() }),
]);

export type ParquetWord = z.infer<typeof parquetWord>;

/** Longest time until the next rows come: a file can be made so that it is read forever. */
const longestMs = 120_000;
/** A file can be made so that a few of its bytes stand for any number of values. */
const mostMemoryMb = 512;

/**
 * The rows of a Parquet file: texts as they are, numbers and times as texts, lists and objects as JSON. It is read in a
 * process of its own within bounds of memory and time, some thousand rows at once. A file that cannot be read is noted as a fault.
 */
export async function* readParquet(
  path: string,
  { file, faults, memoryMb = mostMemoryMb }: { file: string; faults: FindingList; memoryMb?: number },
): AsyncGenerator<RowBatch, void, undefined> {
  await requireFile(path, file);
  const handle = await open(path).catch((cause: unknown) => {
    throw unreadable(file, cause);
  });
  const fault = (message: string, row: number | null = null): void =>
    faults.add({ kind: "parquet", file, row, line: null, message, hint: null });
  let reader: ChildProcess | null = null;
  try {
    const { size } = await handle.stat();
    if (!(await isParquet(handle, size))) return fault("it is no Parquet file");
    const own = { bundled: "parquet-process", source: "dataset/table/parquet-process.ts" };
    reader = startOwnProcess(own, { descriptor: handle.fd, memoryMb });
    let header: string[] = [];
    let row = 0;
    for (;;) {
      const word = await nextWord(reader);
      if ("fault" in word) return fault(`it cannot be read: ${word.fault}`, row === 0 ? null : row + 1);
      if ("isEnd" in word) return;
      if ("header" in word) {
        ({ header } = word);
        const found = headerFaults(header, file);
        for (const each of found) faults.add(each);
        if (found.length > 0) return;
      } else yield { header, rows: word.rows.map((cells) => ({ cells, row: ++row, line: row })) };
    }
  } finally {
    reader?.kill("SIGKILL");
    await handle.close();
  }
}

type Handle = Awaited<ReturnType<typeof open>>;

/** True for a file that begins and ends with the mark of Parquet. */
async function isParquet(handle: Handle, size: number): Promise<boolean> {
  if (size < 12) return false;
  const marks = Buffer.alloc(8);
  await handle.read(marks, 0, 4, 0);
  await handle.read(marks, 4, 4, size - 4);
  return marks.toString("latin1") === "PAR1PAR1";
}

/** The next word of the reading process; a fault where it ends without one, or takes too long. */
async function nextWord(reader: ChildProcess): Promise<ParquetWord> {
  const { promise, resolve } = Promise.withResolvers<ParquetWord>();
  const timer = setTimeout(() => resolve({ fault: "it takes too long" }), longestMs);
  const onWord = (word: unknown): void => resolve(parquetWord.parse(word));
  const onError = (error: Error): void => resolve({ fault: error.message });
  const onExit = (): void => resolve({ fault: "it takes too much memory" });
  reader.once("message", onWord);
  reader.once("error", onError);
  reader.once("exit", onExit);
  if (reader.exitCode !== null || reader.signalCode !== null) onExit();
  else reader.send("next");
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    reader.off("message", onWord);
    reader.off("error", onError);
    reader.off("exit", onExit);
  }
}
