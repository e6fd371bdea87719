import { appendFileSync, closeSync, openSync, read, statSync, unlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { promisify } from "node:util";
import { AppError } from "../errors.ts";
import { tempSuffix } from "../lib/leftovers.ts";
import type { DatasetFormat } from "../suite/suite.ts";
import type { FileFacts } from "./file-facts.ts";
import { FindingList } from "./finding.ts";
import type { RowBatch } from "./row.ts";
import { type SheetSize, Workbook } from "./table/excel.ts";
import { refuseNoSheet } from "./table/no-sheet.ts";
import { unreadFacts, readRows, type RowsOptions } from "./table/rows.ts";

/** Rows below the header that are enough to see what kind of sheet it is. */
export const firstRows = 50;

interface SheetSource {
  /** Opens the stream that the path `-` reads. */
  standardInput?: (() => AsyncIterable<Uint8Array>) | undefined;
  /** Bytes that are read at once; default 16 KB. */
  chunkSize?: number;
}

/** The sheets of one command: each is opened once, and closed with the command or before. Paths inside of `folder` are shown relative to it. */
export class Sheets implements Disposable {
  readonly #tables = new Map<string, SheetTable>();
  readonly #folder: string | null;
  readonly #source: SheetSource;

  constructor({ folder = null, ...source }: { folder?: string | null } & SheetSource = {}) {
    this.#folder = folder;
    this.#source = source;
  }

  table(path: string): SheetTable {
    const key = path === "-" ? path : resolve(path);
    const known = this.#tables.get(key);
    if (known !== undefined) return known;
    const table = new SheetTable(path, shownPath(path, this.#folder), this.#source);
    this.#tables.set(key, table);
    return table;
  }

  [Symbol.dispose](): void {
    for (const table of this.#tables.values()) table[Symbol.dispose]();
  }
}

/** A path as people are shown it: relative to the folder when it lies inside of it. */
function shownPath(path: string, folder: string | null): string {
  if (path === "-") return "standard input";
  if (folder === null) return path;
  const inside = relative(folder, path);
  return inside.startsWith("..") ? path : inside;
}

/** The names of a table's columns, and the cells of its first rows. */
export interface Beginning {
  /** null where it cannot be read; reading the rows says why. */
  header: readonly string[] | null;
  rows: readonly (readonly string[])[];
}

/**
 * One file of a dataset. It is opened when something is first asked of it, and read from its beginning as often as that takes: memory
 * does not grow with it.
 */
export class SheetTable implements Disposable {
  readonly path: string;
  /** Its name as people are shown it. */
  readonly file: string;
  readonly #source: SheetSource;
  #descriptor: number | null = null;
  #workbook: Workbook | null = null;

  constructor(path: string, file: string, source: SheetSource) {
    this.path = path;
    this.file = file;
    this.#source = source;
  }

  /**
   * Its rows, and what is known about it, which is complete when all of them were read. DATASET_NOT_FOUND when it cannot be opened
   * or read.
   */
  rows(options: RowsOptions): { facts: FileFacts; rows: AsyncGenerator<RowBatch, void, undefined> } {
    const facts = unreadFacts(this.path, this.file);
    const source = {
      path: this.path,
      bytes: () => this.#bytes(),
      workbook: () => this.#openWorkbook(),
    };
    return { facts, rows: readRows(source, facts, options) };
  }

  /** The rows as far as another reading tells what is wrong with them. */
  quietRows(format: DatasetFormat | undefined): AsyncGenerator<RowBatch, void, undefined> {
    const quiet = { onNotice: () => undefined, onEmpty: () => undefined, mapping: {} };
    return this.rows({ ...quiet, format, faults: new FindingList() }).rows;
  }

  /** Never throws. */
  async beginning(format: DatasetFormat | undefined): Promise<Beginning> {
    const first: string[][] = [];
    let known: readonly string[] | null = null;
    try {
      for await (const { header, rows } of this.quietRows(format)) {
        known ??= header;
        first.push(...rows.slice(0, firstRows - first.length).map(({ cells }) => cells));
        if (first.length >= firstRows) break;
      }
    } catch {
      // Faults of the file are told when it is read.
    }
    return { header: known, rows: first };
  }

  /** The sheets of a workbook that are not hidden; none for any other file. */
  async sheets(): Promise<SheetSize[]> {
    return unreadFacts(this.path, this.file).format === "excel" ? (await this.#openWorkbook()).sheets() : [];
  }

  /** Closes the file; it is opened again if something is asked of it, but for standard input. */
  [Symbol.dispose](): void {
    this.#workbook?.[Symbol.dispose]();
    this.#workbook = null;
    if (this.#descriptor !== null) closeSync(this.#descriptor);
    this.#descriptor = null;
  }

  async #openWorkbook(): Promise<Workbook> {
    return (this.#workbook ??= new Workbook(await this.#open()));
  }

  async #open(): Promise<number> {
    return (this.#descriptor ??= this.path === "-" ? await keepInput(this.#source.standardInput) : this.#openFile());
  }

  /** A pipe in the place of a file would be waited for, and a device be read forever. */
  #openFile(): number {
    let found: "file" | "folder" | "other";
    try {
      const stats = statSync(this.path);
      found = stats.isFile() ? "file" : stats.isDirectory() ? "folder" : "other";
      if (found === "file") {
        refuseNoSheet(this.path, this.file);
        return openSync(this.path, "r");
      }
    } catch (cause) {
      throw cause instanceof AppError ? cause : unreadable(this.file, cause);
    }
    if (found === "folder") throw unreadable(this.file, { code: "EISDIR" });
    throw new AppError(
      "DATASET_NOT_FOUND",
      `The dataset ${this.file} cannot be used: it is a pipe, a device or a socket.`,
      { hint: "Name a file; rows from another program come by standard input: `PROGRAM | tandem run -`." },
    );
  }

  async *#bytes(): AsyncGenerator<Uint8Array> {
    const descriptor = await this.#open();
    const { chunkSize = usualChunk } = this.#source;
    for (let at = 0; ;) {
      const { bytesRead, buffer } = await readAt(descriptor, Buffer.allocUnsafe(chunkSize), 0, chunkSize, at).catch(
        (cause: unknown) => {
          throw unreadable(this.file, cause);
        },
      );
      if (bytesRead === 0) return;
      at += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  }
}

const readAt = promisify(read);

const usualChunk = 16 * 1024;

/** Keeps standard input in a private file without a name, so that it can be read more than once. */
async function keepInput(open: SheetSource["standardInput"]): Promise<number> {
  if (open === undefined)
    throw new AppError("DATASET_NOT_FOUND", "There is no standard input to read the dataset from.");
  const path = join(tmpdir(), `tandem-input-${tempSuffix()}`);
  const descriptor = openSync(path, "wx+", 0o600);
  try {
    unlinkSync(path);
    for await (const chunk of open()) appendFileSync(descriptor, chunk);
    return descriptor;
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/** DATASET_NOT_FOUND for a file that the system does not give. */
function unreadable(shown: string, cause: unknown): AppError {
  const code = typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : String(cause);
  const reason = reasons[code] ?? `it cannot be read (${code})`;
  return new AppError("DATASET_NOT_FOUND", `The dataset ${shown} cannot be used: ${reason}.`, {
    cause,
    hint: "Check the path; paths in a suite are relative to the suite file.",
  });
}

const reasons: Partial<Record<string, string>> = {
  ENOENT: "there is no such file",
  EISDIR: "it is a folder",
  EACCES: "this user may not read it",
};
