import type { LeftOutRow } from "../left-out.ts";
import type { CaseMapping, DatasetFormat } from "../../suite/suite.ts";
import { readCsv } from "./csv.ts";
import { decodeText } from "../decode/decode.ts";
import type { FileFacts } from "../file-facts.ts";
import { sheetKind } from "../sheet-kind.ts";
import type { FindingList } from "../finding.ts";
import { boundsFault } from "./header-faults.ts";
import { peek } from "../decode/head.ts";
import { JsonList } from "./json-list.ts";
import { readJsonl } from "./jsonl.ts";
import { withMembers } from "./members.ts";
import type { RowBatch } from "../row.ts";
import { scriptColumns } from "../../lib/script-columns.ts";
import { foldMessages } from "./message-rows.ts";
import type { Workbook } from "./excel.ts";
import { expandScripts } from "./turns.ts";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";

/** Options for reading the files of a dataset. */
export interface RowsOptions {
  /** Format of the files; anything that it leaves out is found. */
  format?: DatasetFormat | undefined;
  /** Takes the decisions about a file that a person may want to know. */
  onNotice: (message: string) => void;
  onEmpty: (place: { file: string; row: number; line: number }) => void;
  faults: FindingList;
  /** Takes each message that is left out. */
  onSkipped?: (left: LeftOutRow) => void;
  /** It says which column holds whole conversations, or which columns are those of messages. */
  mapping: Partial<Pick<CaseMapping, "turns" | "messages" | "cluster" | "orderBy">>;
}

/** A file that can be read from its beginning: its bytes, or the workbook that it is. */
export interface RowsSource {
  path: string;
  bytes: () => AsyncIterable<Uint8Array>;
  workbook: () => Promise<Workbook>;
}

/** The facts about a file before it was read. */
export function unreadFacts(path: string, file: string): FileFacts {
  return {
    file,
    format: sheetKind(path) ?? "csv",
    compressed: false,
    encoding: "utf-8",
    delimiter: null,
    hasMark: false,
    decimal: null,
    emptyRows: 0,
    hasNul: false,
  };
}

/** The rows of a file, from its beginning; its facts are complete when all of them were read. */
export function readRows(
  source: RowsSource,
  facts: FileFacts,
  options: RowsOptions,
): AsyncGenerator<RowBatch, void, undefined> {
  const { file } = facts;
  return inTurns(withMembers(narrow(rawRows(source, facts, options), file, options.faults)), file, options);
}

/** The rows until there are too many columns, which is noted as a fault. */
async function* narrow(
  batches: AsyncGenerator<RowBatch, void, undefined>,
  file: string,
  faults: FindingList,
): AsyncGenerator<RowBatch, void, undefined> {
  for await (const batch of batches) {
    const fault = boundsFault(batch.header, file);
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

async function* rawRows(
  { path, ...source }: RowsSource,
  facts: FileFacts,
  { faults, onNotice, onEmpty, format }: RowsOptions,
): AsyncGenerator<RowBatch, void, undefined> {
  const { delimiter = null, encoding = null, header = true, lenient = false, sheet = null } = format ?? {};
  if (facts.format === "excel") {
    const empty = (place: { row: number; line: number }): void => {
      facts.emptyRows += 1;
      onEmpty({ file: facts.file, ...place });
    };
    const workbook = await source.workbook();
    const request = { sheet, hasHeader: header };
    return yield* workbook.rows({ file: facts.file, faults, request, onNotice, onEmpty: empty });
  }
  const bytes = unpack(source.bytes(), { packed: /\.gz$/i.test(path), facts, faults });
  const { head, all, close } = await peek(decodeText(bytes, { encoding, facts, faults, onNotice }), 1);
  try {
    // Standard input has no name to tell; no header begins with a brace, nor with a bracket and one.
    if (path === "-") facts.format = formatIn(head) ?? facts.format;
    if (facts.format === "jsonl") yield* readJsonl(all, { file: facts.file, faults });
    else if (facts.format === "json") {
      const list = new JsonList(facts.file, faults);
      yield* readJsonl(list.lines(all), { file: facts.file, faults, list });
    } else {
      const preferred = /\.(tsv|tab)(\.gz)?$/i.test(path) ? "\t" : ",";
      yield* readCsv(all, { facts, delimiter, preferred, hasHeader: header, lenient, faults, onEmpty });
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
