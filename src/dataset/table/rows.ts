import type { LeftOutRow } from "../left-out.ts";
import { relative } from "node:path";
import type { CaseMapping, DatasetFormat } from "../../suite/suite.ts";
import { readCsv } from "./csv.ts";
import { decodeText } from "../decode/decode.ts";
import type { FileFacts } from "../file-facts.ts";
import type { FindingList } from "../finding.ts";
import { widthFault } from "./header-faults.ts";
import { peek } from "../decode/head.ts";
import { readJsonl } from "./jsonl.ts";
import { withMembers } from "./members.ts";
import { openDataset, requireFile } from "../open.ts";
import { refuseNoSheet } from "./no-sheet.ts";
import type { RowBatch } from "../row.ts";
import { scriptColumns } from "../../lib/script-columns.ts";
import { foldMessages } from "./message-rows.ts";
import { readExcel } from "./excel.ts";
import { readParquet } from "./parquet.ts";
import { expandScripts } from "./turns.ts";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";

/** Options for reading the files of a dataset. */
export interface RowsOptions {
  /** Format of the files; anything that it leaves out is found. */
  format?: DatasetFormat | undefined;
  /** The stream that `-` reads. */
  standardInput?: AsyncIterable<Uint8Array>;
  /** Takes the decisions about a file that a person may want to know. */
  onNotice: (message: string) => void;
  onEmpty: (place: { file: string; row: number; line: number }) => void;
  keepText: boolean;
  faults: FindingList;
  /** Takes each message that is left out. */
  onSkipped?: (left: LeftOutRow) => void;
  /** It says which column holds whole conversations, or which columns are those of messages. */
  mapping: Partial<Pick<CaseMapping, "turns" | "messages" | "cluster" | "orderBy">>;
}

/** Opens a file; its rows and what is known about it, which is complete when all rows were read. */
export function openRows(
  path: string,
  file: string,
  options: RowsOptions,
): { facts: FileFacts; rows: AsyncGenerator<RowBatch, void, undefined> } {
  const format = formatOf(path);
  const facts: FileFacts = {
    file,
    format,
    compressed: false,
    encoding: "utf-8",
    delimiter: null,
    hasMark: false,
    decimal: null,
    emptyRows: 0,
    hasNul: false,
  };
  const rows = withMembers(narrow(readRows(path, facts, options), file, options.faults));
  return { facts, rows: inTurns(rows, file, options) };
}

function formatOf(path: string): FileFacts["format"] {
  if (/\.json(\.gz)?$/i.test(path)) return "json";
  if (/\.parquet$/i.test(path)) return "parquet";
  if (/\.(?:xlsx|xlsm|xls|xlsb)$/i.test(path)) return "excel";
  return /\.(jsonl|ndjson)(\.gz)?$/i.test(path) ? "jsonl" : "csv";
}

/** The rows until there are too many columns, which is noted as a fault. */
async function* narrow(
  batches: AsyncGenerator<RowBatch, void, undefined>,
  file: string,
  faults: FindingList,
): AsyncGenerator<RowBatch, void, undefined> {
  for await (const batch of batches) {
    const fault = widthFault(batch.header.length, file);
    if (fault !== null) {
      faults.add(fault);
      return;
    }
    yield batch;
  }
}

/** The rows, or where they are conversations the turns of these. */
function inTurns(
  rows: AsyncGenerator<RowBatch, void, undefined>,
  file: string,
  { mapping, faults, onSkipped = () => undefined }: RowsOptions,
): AsyncGenerator<RowBatch, void, undefined> {
  const { turns, messages: columns, cluster = null, orderBy = null } = mapping;
  if (turns !== undefined)
    return expandScripts(rows, turns, { file, faults, named: cluster === scriptColumns.conversation, onSkipped });
  if (columns === undefined) return rows;
  const conversation = cluster === scriptColumns.conversation ? null : cluster;
  return foldMessages(rows, { columns, conversation, orderBy, file, faults, onSkipped });
}

async function* readRows(
  path: string,
  facts: FileFacts,
  options: RowsOptions,
): AsyncGenerator<RowBatch, void, undefined> {
  const { faults, onNotice, onEmpty, keepText } = options;
  const { delimiter = null, encoding = null, header = true, lenient = false, sheet = null } = options.format ?? {};
  if (facts.format === "parquet") return yield* readParquet(path, { file: facts.file, faults });
  if (facts.format === "excel") {
    const empty = (place: { row: number; line: number }): void => {
      facts.emptyRows += 1;
      onEmpty({ file: facts.file, ...place });
    };
    const wish = { sheet, hasHeader: header };
    return yield* readExcel(path, { file: facts.file, faults, wish, onNotice, onEmpty: empty });
  }
  if (path !== "-") {
    await requireFile(path, facts.file);
    refuseNoSheet(path, facts.file);
  }
  const bytes = unpack(openDataset(path, facts.file, options.standardInput), {
    packed: /\.gz$/i.test(path),
    facts,
    faults,
  });
  const { head, all, close } = await peek(decodeText(bytes, { encoding, facts, faults, onNotice }), 1);
  try {
    // Standard input has no name to tell; no header begins with a brace, nor with a bracket and one.
    if (path === "-") facts.format = formatIn(head) ?? facts.format;
    if (facts.format === "jsonl") yield* readJsonl(all, { file: facts.file, faults });
    else if (facts.format === "json")
      yield* readJsonl(linesOfList(all, { file: facts.file, faults }), { file: facts.file, faults });
    else {
      const preferred = /\.(tsv|tab)(\.gz)?$/i.test(path) ? "\t" : ",";
      yield* readCsv(all, { facts, delimiter, preferred, hasHeader: header, lenient, faults, onEmpty, keepText });
    }
  } finally {
    await close();
  }
}

function formatIn(head: Buffer): FileFacts["format"] | null {
  const start = head.toString("utf8", 0, 100).trimStart();
  if (start.startsWith("{")) return "jsonl";
  return /^\[\s*\{/.test(start) ? "json" : null;
}

/** A path as people are shown it: relative to the folder when it lies inside of it. */
export function shownPath(path: string, folder: string | null): string {
  if (path === "-") return "standard input";
  if (folder === null) return path;
  const inside = relative(folder, path);
  return inside.startsWith("..") ? path : inside;
}

/** Unpacks what begins like gzip; other bytes pass as they are. A packed file that is damaged or cut off raises DATASET_INVALID. */
async function* unpack(
  chunks: AsyncIterable<Uint8Array>,
  { packed, facts, faults }: { packed: boolean; facts: FileFacts; faults: FindingList },
): AsyncGenerator<Uint8Array, void, undefined> {
  const { head, all, close } = await peek(chunks, 2);
  const refuse = (message: string, hint: string): never => {
    faults.add({ kind: "gzip", file: facts.file, row: null, line: null, message, hint });
    throw faults.error();
  };
  try {
    facts.compressed = head[0] === 0x1f && head[1] === 0x8b;
    if (!facts.compressed) {
      if (packed && head.length > 0)
        refuse("the name ends with .gz, but the file is not gzip", "Take .gz off its name.");
      yield* all;
      return;
    }
    // The error of a source that breaks comes out of the iteration as well.
    const gunzip: AsyncIterable<Uint8Array> = pipeline(all, createGunzip(), () => undefined);
    try {
      yield* gunzip;
    } catch (error) {
      const code = error instanceof Error && "code" in error ? String(error.code) : "";
      if (code === "Z_BUF_ERROR")
        refuse("the packed file is cut off: its end is missing", "Copy or download it again.");
      if (code.startsWith("Z_")) refuse(`the packed file is damaged (${code})`, "Copy or download it again.");
      throw error;
    }
  } finally {
    await close();
  }
}

const sign = {
  quote: 0x22,
  backslash: 0x5c,
  comma: 0x2c,
  open: [0x5b, 0x7b],
  close: [0x5d, 0x7d],
  blank: [0x20, 0x09, 0x0a, 0x0d],
} as const;
const newline = Buffer.from("\n");

/**
 * A JSON text that is one list, as JSON Lines: an entry a line, whatever stands in it. A text that begins otherwise is
 * passed on as it is. A text behind the list, or a missing end of it, is noted as a fault.
 */
export async function* linesOfList(
  chunks: AsyncIterable<Buffer>,
  { file, faults }: { file: string; faults: FindingList },
): AsyncGenerator<Buffer> {
  const splitter = new ListSplitter();
  for await (const chunk of chunks) {
    const piece = splitter.push(chunk);
    if (piece.length > 0) yield piece;
  }
  const message = splitter.fault();
  if (message === null) return;
  const hint = "It must be one list of objects, or an object a line.";
  faults.add({ kind: "json-list", file, row: null, line: null, message, hint });
}

class ListSplitter {
  #state: "before" | "inside" | "after" | "lines" = "before";
  /** Lists and objects that are open within the list. */
  #depth = 0;
  #isText = false;
  #isEscaped = false;
  #hasMore = false;

  /** The entries that end in a piece, and the beginning of one that does not. */
  push(chunk: Buffer): Buffer {
    if (this.#state === "lines") return chunk;
    const parts: Buffer[] = [];
    let from = this.#state === "inside" ? 0 : -1;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0;
      if (this.#state === "before") {
        if (isBlank(byte)) continue;
        if (byte !== sign.open[0]) {
          this.#state = "lines";
          return chunk.subarray(at);
        }
        this.#state = "inside";
        from = at + 1;
      } else if (this.#state === "after") this.#hasMore ||= !isBlank(byte);
      else if (this.#isText) at = this.#throughText(chunk, at);
      else if (byte === sign.quote) this.#isText = true;
      else if (byte === sign.open[0] || byte === sign.open[1]) this.#depth += 1;
      else if (this.#depth > 0 && (byte === sign.close[0] || byte === sign.close[1])) this.#depth -= 1;
      else if (this.#depth === 0 && (byte === sign.comma || byte === sign.close[0])) {
        parts.push(chunk.subarray(from, at), newline);
        from = at + 1;
        if (byte === sign.close[0]) this.#state = "after";
      } else if (isLineEnd(byte)) {
        // Between values it is a blank like any other, and would end the line of the entry.
        parts.push(chunk.subarray(from, at), Buffer.from(" "));
        from = at + 1;
      }
    }
    if (this.#state === "inside") parts.push(chunk.subarray(from));
    return Buffer.concat(parts);
  }

  /** The fault of the whole text; null: there is none. */
  fault(): string | null {
    if (this.#state === "inside") return "the list of the file is not closed: the file is cut off";
    return this.#hasMore ? "something stands behind the list of the file" : null;
  }

  /** Goes on to the end of a text, and returns its place; that of the last byte where the text goes on in the next piece. */
  #throughText(chunk: Buffer, from: number): number {
    let isEscaped = this.#isEscaped;
    for (let at = from; at < chunk.length; at++) {
      const byte = chunk[at];
      if (isEscaped) isEscaped = false;
      else if (byte === sign.backslash) isEscaped = true;
      else if (byte === sign.quote) {
        this.#isText = false;
        this.#isEscaped = false;
        return at;
      }
    }
    this.#isEscaped = isEscaped;
    return chunk.length - 1;
  }
}

const isLineEnd = (byte: number): boolean => byte === sign.blank[2] || byte === sign.blank[3];
const isBlank = (byte: number): boolean => byte === sign.blank[0] || byte === sign.blank[1] || isLineEnd(byte);
