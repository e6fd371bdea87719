import type { ChildProcess } from "node:child_process";
import { type FileHandle, open } from "node:fs/promises";
import { z } from "zod";
import { startOwnProcess } from "../../lib/own-worker.ts";
import type { FindingList } from "../finding.ts";
import { requireFile, unreadable } from "../open.ts";
import type { Row, RowBatch } from "../row.ts";
import { headerFaults } from "./header-faults.ts";

/** A cell that shows an error, by the places of its row and column among those of the message, and its address in the sheet. */
const failedCell = z.strictObject({ row: z.int().min(0), column: z.int().min(0), cell: z.string() });
export type FailedCell = z.infer<typeof failedCell>;

/** Answers of the process that reads, one for each time that it is asked. */
const readWord = z.union([
  /** `before`: number of rows before the first row of data, as a spreadsheet counts them; none in a file that has no rows but data. */
  z.strictObject({ header: z.array(z.string()), before: z.int().min(0).optional() }),
  z.strictObject({ rows: z.array(z.array(z.string())), failed: z.array(failedCell).optional() }),
  z.strictObject({ notice: z.string() }),
  z.strictObject({ isEnd: z.literal(true) }),
  z.strictObject({
    fault: z.string(),
    row: z.int().min(1).optional(),
    column: z.string().optional(),
    hint: z.string().optional(),
  }),
]);

export type ReadWord = z.infer<typeof readWord>;

/** Tells the process how to read, whenever it is asked for the next word. */
export interface ReadWish {
  /** The name of the sheet to read; null: the first. */
  sheet: string | null;
  /** false: the first row is data. */
  hasHeader: boolean;
}

/** A kind of file that is read by a process of its own. */
export interface FileReadApart {
  /** Stable name of its faults. */
  kind: string;
  process: { bundled: string; source: string };
  /** Bytes of memory that the process may have, in MB: a file can be made so that a few of its bytes stand for any number of values. */
  memoryMb: number;
  /** Says why it is no such file, by a look at its bytes; null: it may be one. */
  refusal: (handle: FileHandle, size: number) => Promise<{ message: string; hint: string | null } | null>;
}

export interface ReadApartOptions {
  file: string;
  faults: FindingList;
  memoryMb?: number;
  wish?: ReadWish;
  onNotice?: (message: string) => void;
  /** Takes rows without any content, which are left out. Without it they are rows like others. */
  onEmpty?: (place: { row: number; line: number }) => void;
}

/** Longest time until the next rows come: a file can be made so that it is read forever. */
const longestMs = 120_000;

/**
 * The rows of a file that is read in a process of its own, within bounds of memory and time: it may be anybody's. A file
 * that cannot be read is noted as a fault.
 */
export async function* readApart(
  path: string,
  kind: FileReadApart,
  {
    file,
    faults,
    memoryMb = kind.memoryMb,
    wish = { sheet: null, hasHeader: true },
    onNotice,
    onEmpty,
  }: ReadApartOptions,
): AsyncGenerator<RowBatch, void, undefined> {
  await requireFile(path, file);
  const handle = await open(path).catch((cause: unknown) => {
    throw unreadable(file, cause);
  });
  let reader: ChildProcess | null = null;
  try {
    const { size } = await handle.stat();
    const refusal = await kind.refusal(handle, size);
    if (refusal !== null) return faults.add({ kind: kind.kind, file, row: null, line: null, ...refusal });
    reader = startOwnProcess(kind.process, { descriptor: handle.fd, memoryMb });
    let header: string[] = [];
    let row = 0;
    let isInside = false;
    for (;;) {
      const word = await nextWord(reader, wish);
      if ("fault" in word) {
        const { fault, row: at = isInside ? row + 1 : null, column = null, hint = null } = word;
        return faults.add({
          kind: kind.kind,
          file,
          row: at,
          line: null,
          column,
          message: `it cannot be read: ${fault}`,
          hint,
        });
      }
      if ("isEnd" in word) return;
      if ("notice" in word) onNotice?.(`${file}: ${word.notice}`);
      else if ("header" in word) {
        ({ header, before: row = 0 } = word);
        const found = headerFaults(header, file);
        for (const each of found) faults.add(each);
        if (found.length > 0) return;
      } else {
        const rows: Row[] = [];
        const failed = Map.groupBy(word.failed ?? [], (cell) => cell.row);
        for (const [at, cells] of word.rows.entries()) {
          row += 1;
          const failedCells = failed.get(at);
          if (onEmpty !== undefined && cells.every((cell) => cell === "")) onEmpty({ row, line: row });
          else
            rows.push({
              cells,
              row,
              line: row,
              ...(failedCells !== undefined && {
                failed: new Map(failedCells.map((each) => [each.column, each.cell])),
              }),
            });
        }
        isInside = true;
        yield { header, rows };
      }
    }
  } finally {
    reader?.kill("SIGKILL");
    await handle.close();
  }
}

/** The next word of the reading process; a fault where it ends without one, or takes too long. */
async function nextWord(reader: ChildProcess, wish: ReadWish): Promise<ReadWord> {
  const { promise, resolve } = Promise.withResolvers<ReadWord>();
  const timer = setTimeout(() => resolve({ fault: "it takes too long" }), longestMs);
  const onWord = (word: unknown): void => resolve(readWord.parse(word));
  const onError = (error: Error): void => resolve({ fault: error.message });
  const onExit = (): void => resolve({ fault: "it takes too much memory" });
  reader.once("message", onWord);
  reader.once("error", onError);
  reader.once("exit", onExit);
  if (reader.exitCode !== null || reader.signalCode !== null) onExit();
  else reader.send(wish);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    reader.off("message", onWord);
    reader.off("error", onError);
    reader.off("exit", onExit);
  }
}
