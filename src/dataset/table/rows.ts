import type { LeftOutRow } from "../left-out.ts";
import { relative } from "node:path";
import type { CaseMapping, DatasetFormat } from "../../suite/suite.ts";
import { readCsv } from "./csv.ts";
import { decodeText } from "../decode/decode.ts";
import type { FileFacts } from "../file-facts.ts";
import type { FindingList } from "../finding.ts";
import { unpack } from "../decode/gunzip.ts";
import { peek } from "../decode/head.ts";
import { linesOfList } from "./json-list.ts";
import { readJsonl } from "./jsonl.ts";
import { withMembers } from "./members.ts";
import { openDataset } from "../open.ts";
import type { RowBatch } from "../row.ts";
import { scriptColumns } from "../../lib/script-columns.ts";
import { foldMessages } from "./message-rows.ts";
import { readParquet } from "./parquet.ts";
import { expandScripts } from "./turns.ts";

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
    emptyRows: 0,
    hasNul: false,
  };
  const rows = withMembers(readRows(path, facts, options));
  return { facts, rows: inTurns(rows, file, options) };
}

function formatOf(path: string): FileFacts["format"] {
  if (/\.json(\.gz)?$/i.test(path)) return "json";
  if (/\.parquet$/i.test(path)) return "parquet";
  return /\.(jsonl|ndjson)(\.gz)?$/i.test(path) ? "jsonl" : "csv";
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
  const { delimiter = null, encoding = null, header = true, lenient = false } = options.format ?? {};
  if (facts.format === "parquet") return yield* readParquet(path, { file: facts.file, faults });
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
