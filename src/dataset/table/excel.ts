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
const readMessage = z.union([
  /** `before`: number of rows before the first row of data, as a spreadsheet counts them. */
  z.strictObject({ header: z.array(z.string()), before: z.int().min(0) }),
  z.strictObject({ rows: z.array(z.array(z.string())), failed: z.array(failedCell) }),
  z.strictObject({ notice: z.string() }),
  z.strictObject({ sheets: z.array(z.strictObject({ name: z.string(), rows: z.int().min(0) })) }),
  z.strictObject({ isEnd: z.literal(true) }),
  z.strictObject({
    fault: z.string(),
    row: z.int().min(1).optional(),
    hint: z.string().optional(),
  }),
]);

export type ReadMessage = z.infer<typeof readMessage>;

/** Tells the process how to read, whenever it is asked for the next word. */
export interface ReadRequest {
  /** The name of the sheet to read; null: the one with most rows. */
  sheet: string | null;
  /** false: the first row is data. */
  hasHeader: boolean;
  /** The sheets are listed, and none is read. */
  lists?: true;
}

/** A sheet that is not hidden, and how many rows of it have content. */
export interface SheetSize {
  name: string;
  rows: number;
}

const excelProcess = { bundled: "excel-process", source: "dataset/table/excel-process.ts" };

/** Memory of the process, in MB: a file can be made so that a few of its bytes stand for any number of values. */
const usualMemoryMb = 1536;

interface ExcelOptions {
  file: string;
  faults: FindingList;
  memoryMb?: number;
  request?: ReadRequest;
  onNotice?: (message: string) => void;
  /** Takes rows without any content, which are left out. Without it they are rows like others. */
  onEmpty?: (place: { row: number; line: number }) => void;
}

/** Longest time until the next rows come: a file can be made so that it is read forever. */
const longestMs = 120_000;

/**
 * The rows of a sheet of an Excel workbook: what its cells show as texts, dates in ISO 8601, results of formulas. It is read
 * in a process of its own, within bounds of memory and time: it may be anybody's. A file that cannot be read is noted as a fault.
 */
export async function* readExcel(
  path: string,
  {
    file,
    faults,
    memoryMb = usualMemoryMb,
    request = { sheet: null, hasHeader: true },
    onNotice,
    onEmpty,
  }: ExcelOptions,
): AsyncGenerator<RowBatch, void, undefined> {
  await requireFile(path, file);
  const handle = await open(path).catch((cause: unknown) => {
    throw unreadable(file, cause);
  });
  try {
    const { size } = await handle.stat();
    const refusal = await refusalOf(handle, size);
    if (refusal !== null) return faults.add({ kind: "excel", file, row: null, line: null, ...refusal });
    let header: string[] = [];
    let row = 0;
    let isInside = false;
    for await (const word of wordsOf(handle, request, memoryMb)) {
      if ("fault" in word) {
        const { fault, row: at = isInside ? row + 1 : null, hint = null } = word;
        return faults.add({ kind: "excel", file, row: at, line: null, message: `it cannot be read: ${fault}`, hint });
      }
      if ("sheets" in word) continue;
      if ("notice" in word) onNotice?.(`${file}: ${word.notice}`);
      else if ("header" in word) {
        ({ header, before: row } = word);
        const found = headerFaults(header, file);
        for (const each of found) faults.add(each);
        if (found.length > 0) return;
      } else {
        const rows: Row[] = [];
        const failed = Map.groupBy(word.failed, (cell) => cell.row);
        for (const [at, cells] of word.rows.entries()) {
          row += 1;
          const failedCells = failed.get(at);
          if (onEmpty !== undefined && cells.every((cell) => cell === "")) onEmpty({ row, line: row });
          else
            rows.push({
              // Those who read add cells of their own.
              cells: cells.slice(),
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
    await handle.close();
  }
}

/** The sheets of a workbook in its order; empty where it cannot be read, which reading a sheet of it tells. */
export async function sheetSizes(path: string): Promise<SheetSize[]> {
  const handle = await open(path).catch(() => null);
  if (handle === null) return [];
  try {
    const { size } = await handle.stat();
    if ((await refusalOf(handle, size)) !== null) return [];
    for await (const word of wordsOf(handle, { sheet: null, hasHeader: true, lists: true }, usualMemoryMb))
      if ("sheets" in word) return word.sheets;
    return [];
  } finally {
    await handle.close();
  }
}

type ReadWord = Exclude<ReadMessage, { isEnd: true }>;

/** All words of the workbook that was read last: a command looks at its dataset several times. */
let lastRead: { key: string; words: readonly ReadWord[] } | null = null;

/** Characters of a workbook that are kept. */
const mostKept = 4_000_000;

/** The words of the reading process; from memory where it was read before and has not changed. */
async function* wordsOf(handle: FileHandle, request: ReadRequest, memoryMb: number): AsyncGenerator<ReadWord> {
  const { dev, ino, size, mtimeNs, ctimeNs } = await handle.stat({ bigint: true });
  const key = JSON.stringify([`${dev} ${ino} ${size} ${mtimeNs} ${ctimeNs}`, memoryMb, request]);
  if (lastRead?.key === key) return yield* lastRead.words;
  const reader = startOwnProcess(excelProcess, { descriptor: handle.fd, memoryMb });
  try {
    const words: ReadWord[] = [];
    let characters = 0;
    for (;;) {
      const { word, isSaid } = await nextWord(reader, request);
      if ("isEnd" in word) break;
      words.push(word);
      if ("fault" in word) {
        if (!isSaid) return yield* words;
        break;
      }
      characters += "rows" in word ? word.rows.reduce((sum, row) => sum + row.join("").length, 0) : 0;
      // It is passed on as it comes.
      if (characters > mostKept) yield* words.splice(0);
    }
    if (characters <= mostKept) lastRead = { key, words };
    yield* words;
  } finally {
    reader.kill("SIGKILL");
  }
}

/** The next word of the reading process; a fault that it has not said where it ends without one, or takes too long. */
async function nextWord(reader: ChildProcess, request: ReadRequest): Promise<{ word: ReadMessage; isSaid: boolean }> {
  const { promise, resolve } = Promise.withResolvers<{ word: ReadMessage; isSaid: boolean }>();
  const unsaid = (fault: string): void => resolve({ word: { fault }, isSaid: false });
  const timer = setTimeout(() => unsaid("it takes too long"), longestMs);
  const onWord = (word: unknown): void => resolve({ word: readMessage.parse(word), isSaid: true });
  const onError = (error: Error): void => unsaid(error.message);
  const onExit = (): void => unsaid("it takes too much memory");
  reader.once("message", onWord);
  reader.once("error", onError);
  reader.once("exit", onExit);
  if (reader.exitCode !== null || reader.signalCode !== null) onExit();
  else reader.send(request);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    reader.off("message", onWord);
    reader.off("error", onError);
    reader.off("exit", onExit);
  }
}

/** Bytes that a packed workbook may have: it is unpacked in memory. */
const mostMb = 128;

/** Says why a file is no workbook that can be read, by a look at its bytes; null: it may be one. */
async function refusalOf(handle: FileHandle, size: number): Promise<{ message: string; hint: string | null } | null> {
  const mark = await firstBytes(handle);
  if (mark === "d0cf11e0") {
    const hint = "Open it in a spreadsheet and save it as .xlsx without a password, or as CSV.";
    return { message: "it is protected by a password, or a workbook of Excel from before 2007", hint };
  }
  if (mark !== "504b0304")
    return { message: "it is no workbook of Excel", hint: "Save it as .xlsx, or give it the ending of what it is." };
  if (size > mostMb * 1024 * 1024)
    return {
      message: `the workbook has more than ${mostMb} MB`,
      hint: "Save the sheet as CSV, which is read as it comes.",
    };
  return null;
}

async function firstBytes(handle: FileHandle): Promise<string> {
  const bytes = Buffer.alloc(4);
  await handle.read(bytes, 0, 4, 0);
  return bytes.toString("hex");
}
