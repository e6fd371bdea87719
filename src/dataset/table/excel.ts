import type { ChildProcess } from "node:child_process";
import { fstatSync, readSync } from "node:fs";
import { z } from "zod";
import { startOwnProcess } from "../../lib/own-worker.ts";
import type { FindingList } from "../finding.ts";
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

/** Asks the process for a sheet from its beginning; null asks for the next word of it. */
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
  request: ReadRequest;
  onNotice: (message: string) => void;
  /** Takes rows without any content, which are left out. */
  onEmpty: (place: { row: number; line: number }) => void;
}

/** Longest time until the next rows come: a file can be made so that it is read forever. */
const longestMs = 120_000;

type ReadWord = Exclude<ReadMessage, { isEnd: true }>;

/**
 * A workbook of Excel: what the cells of its sheets show as texts, dates in ISO 8601, results of formulas. It is unpacked once, in a process of
 * its own within bounds of memory and time, because it may be anybody's; that process keeps it until the workbook is closed.
 */
export class Workbook implements Disposable {
  readonly #descriptor: number;
  readonly #memoryMb: number;
  #reader: ChildProcess | null = null;
  /** Why the process cannot be asked any more. */
  #broken: string | null = null;

  constructor(descriptor: number, memoryMb = usualMemoryMb) {
    this.#descriptor = descriptor;
    this.#memoryMb = memoryMb;
  }

  /** The rows of a sheet. A file that cannot be read is noted as a fault. */
  async *rows({ file, faults, request, onNotice, onEmpty }: ExcelOptions): AsyncGenerator<RowBatch, void, undefined> {
    const refusal = refusalOf(this.#descriptor);
    if (refusal !== null) return faults.add({ kind: "excel", file, row: null, line: null, ...refusal });
    let header: string[] = [];
    let row = 0;
    let isInside = false;
    for await (const word of this.#words(request)) {
      if ("fault" in word) {
        const { fault, row: at = isInside ? row + 1 : null, hint = null } = word;
        return faults.add({ kind: "excel", file, row: at, line: null, message: `it cannot be read: ${fault}`, hint });
      }
      if ("sheets" in word) continue;
      if ("notice" in word) onNotice(`${file}: ${word.notice}`);
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
          const ofRow = failed.get(at);
          if (cells.every((cell) => cell === "")) onEmpty({ row, line: row });
          else
            rows.push({
              cells,
              row,
              line: row,
              ...(ofRow !== undefined && { failed: new Map(ofRow.map((each) => [each.column, each.cell])) }),
            });
        }
        isInside = true;
        yield { header, rows };
      }
    }
  }

  /** The sheets that are not hidden, in their order; empty where it cannot be read, which reading a sheet of it tells. */
  async sheets(): Promise<SheetSize[]> {
    if (refusalOf(this.#descriptor) !== null) return [];
    for await (const word of this.#words({ sheet: null, hasHeader: true, lists: true }))
      if ("sheets" in word) return word.sheets;
    return [];
  }

  [Symbol.dispose](): void {
    this.#reader?.kill("SIGKILL");
    this.#reader = null;
  }

  async *#words(request: ReadRequest): AsyncGenerator<ReadWord> {
    for (let asked: ReadRequest | null = request; ; asked = null) {
      const word = await this.#ask(asked);
      if ("isEnd" in word) return;
      yield word;
      if ("fault" in word) return;
    }
  }

  /** The next word of the process; a fault that it has not said where it ends without one, or takes too long. */
  async #ask(request: ReadRequest | null): Promise<ReadMessage> {
    if (this.#broken !== null) return { fault: this.#broken };
    const reader = (this.#reader ??= this.#start());
    const { promise, resolve } = Promise.withResolvers<ReadMessage>();
    const unsaid = (fault: string): void => {
      this.#broken = fault;
      this[Symbol.dispose]();
      resolve({ fault });
    };
    const timer = setTimeout(() => unsaid("it takes too long"), longestMs);
    const onWord = (word: unknown): void => resolve(readMessage.parse(word));
    const onError = (error: Error): void => unsaid(error.message);
    const onExit = (): void => unsaid("it takes too much memory");
    reader.once("message", onWord);
    reader.once("error", onError);
    reader.once("exit", onExit);
    if (reader.exitCode !== null || reader.signalCode !== null) onExit();
    else reader.send({ request });
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      reader.off("message", onWord);
      reader.off("error", onError);
      reader.off("exit", onExit);
    }
  }

  /** While nothing is asked of it, the process keeps no program from ending. */
  #start(): ChildProcess {
    const reader = startOwnProcess(excelProcess, { descriptor: this.#descriptor, memoryMb: this.#memoryMb });
    reader.unref();
    reader.channel?.unref();
    return reader;
  }
}

/** Bytes that a packed workbook may have: it is unpacked in memory. */
const mostMb = 128;

/** Says why a file is no workbook that can be read, by a look at its bytes. */
function refusalOf(descriptor: number): { message: string; hint: string | null } | null {
  const bytes = Buffer.alloc(4);
  readSync(descriptor, bytes, 0, 4, 0);
  const mark = bytes.toString("hex");
  if (mark === "d0cf11e0") {
    const hint = "Open it in a spreadsheet and save it as .xlsx without a password, or as CSV.";
    return { message: "it is protected by a password, or a workbook of Excel from before 2007", hint };
  }
  if (mark !== "504b0304")
    return { message: "it is no workbook of Excel", hint: "Save it as .xlsx, or give it the ending of what it is." };
  if (fstatSync(descriptor).size > mostMb * 1024 * 1024)
    return {
      message: `the workbook has more than ${mostMb} MB`,
      hint: "Save the sheet as CSV, which is read as it comes.",
    };
  return null;
}
