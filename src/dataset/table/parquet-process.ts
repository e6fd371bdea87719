import { mostColumns } from "./header-faults.ts";
import { fstatSync, readSync } from "node:fs";
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import { type FileMetaData, parquetMetadataAsync, parquetRead, parquetSchema, snappyUncompress } from "hyparquet";
import { givenDescriptor } from "../../lib/own-worker.ts";
import { answerWith } from "./answer-reader.ts";
import type { ReadWord } from "./read-apart.ts";

/** Bytes that the description of a file, one column of a row group, and a page of it may have. */
const mostFooter = 64 * 1024 * 1024;
const mostChunk = 512 * 1024 * 1024;
const mostPage = 256 * 1024 * 1024;
const mostRoom = 2048 * 1024 * 1024;

/** Rows that are read at once: few of them where they are long. */
const mostRows = 20_000;
const windowBytes = 32 * 1024 * 1024;
/** Rows, and characters in them, of one message. */
const messageRows = 500;
const messageCharacters = 1_000_000;

const { size } = fstatSync(givenDescriptor);

/** The bytes of the file from one place to another, as hyparquet asks for them. */
const file = {
  byteLength: size,
  slice(from: number, to = size): ArrayBuffer {
    const length = to - from;
    if (!Number.isSafeInteger(length) || from < 0 || to > size || length < 0)
      throw new Error("a part lies outside of it");
    if (length > mostChunk) throw new Error(`a part of it has more than ${mostChunk / 1024 / 1024} MB`);
    const bytes = new Uint8Array(length);
    for (let read = 0; read < length;) {
      const count = readSync(givenDescriptor, bytes, read, length - read, from + read);
      if (count === 0) throw new Error("it is cut off");
      read += count;
    }
    return bytes.buffer;
  },
};

/** Unpacks no more than a page says that it has, which is bounded. */
const bounded =
  (unpack: (bytes: Uint8Array, maxOutputLength: number) => Uint8Array) =>
  (bytes: Uint8Array, length: number): Uint8Array => {
    if (length > mostPage) throw new Error(`a page of it has more than ${mostPage / 1024 / 1024} MB`);
    return length === 0 ? new Uint8Array() : unpack(bytes, length);
  };

const otherwise = (): never => {
  throw new Error("it is packed with LZ4 or LZO; write it with Snappy, gzip, Zstandard or Brotli");
};

const compressors = {
  LZ4: otherwise,
  LZ4_RAW: otherwise,
  LZO: otherwise,
  SNAPPY: bounded((bytes, length) => {
    const unpacked = new Uint8Array(length);
    snappyUncompress(bytes, unpacked);
    return unpacked;
  }),
  GZIP: bounded((bytes, maxOutputLength) => gunzipSync(bytes, { maxOutputLength })),
  BROTLI: bounded((bytes, maxOutputLength) => brotliDecompressSync(bytes, { maxOutputLength })),
  ZSTD: bounded((bytes, maxOutputLength) => zstdDecompressSync(bytes, { maxOutputLength })),
};

/** Bytes that may be made room for until the next rows are read. */
let roomLeft = mostRoom;

/** A kind of array that makes no more room than is left: it lies outside of the memory that is limited for a process. */
function withinRoom<Kind extends new (...given: never[]) => object>(kind: Kind, width: number): Kind {
  return new Proxy(kind, {
    construct(target, given: unknown[], made) {
      if (typeof given[0] === "number") roomLeft -= given[0] * width;
      if (roomLeft < 0) throw new Error(`a part of it takes more than ${mostRoom / 1024 / 1024} MB`);
      const values: object = Reflect.construct(target, given, made);
      return values;
    },
  });
}

globalThis.Uint8Array = withinRoom(Uint8Array, 1);
globalThis.Int32Array = withinRoom(Int32Array, 4);
globalThis.BigInt64Array = withinRoom(BigInt64Array, 8);

async function* words(): AsyncGenerator<ReadWord> {
  const footer = new DataView(file.slice(Math.max(0, size - 8))).getUint32(0, true);
  if (footer > mostFooter) throw new Error(`its description has more than ${mostFooter / 1024 / 1024} MB`);
  const metadata = await parquetMetadataAsync(file, { geoparquet: false });
  if (metadata.schema.length > mostColumns) throw new Error(`it has more than ${mostColumns} columns`);
  // As a name within a value it would lead out of the value.
  if (metadata.schema.some(({ name }) => name === "__proto__")) throw new Error("a column is named __proto__");
  yield { header: parquetSchema(metadata).children.map(({ element }) => element.name) };
  let start = 0;
  for (const group of metadata.row_groups) {
    const end = start + Number(group.num_rows);
    const window = windowOf(group);
    for (; start < end; start += window) yield* windowWords(metadata, start, Math.min(end, start + window));
    start = end;
  }
}

function windowOf({ num_rows: rows, columns }: FileMetaData["row_groups"][number]): number {
  const bytes = columns.reduce((sum, { meta_data: about }) => sum + Number(about?.total_uncompressed_size ?? 0), 0);
  const fitting = Math.floor((windowBytes * Number(rows)) / Math.max(1, bytes));
  return Math.max(100, Math.min(mostRows, fitting));
}

async function* windowWords(metadata: FileMetaData, rowStart: number, rowEnd: number): AsyncGenerator<ReadWord> {
  roomLeft = mostRoom;
  let read: unknown[][] = [];
  await parquetRead({ file, metadata, compressors, rowStart, rowEnd, onComplete: (rows) => (read = rows) });
  if (read.length !== rowEnd - rowStart) throw new Error("it has fewer rows than it says");
  let rows: string[][] = [];
  let characters = 0;
  for (const values of read) {
    const cells = Array.from(values, cellOf);
    for (const cell of cells) characters += cell.length;
    rows.push(cells);
    if (rows.length < messageRows && characters < messageCharacters) continue;
    yield { rows };
    rows = [];
    characters = 0;
  }
  if (rows.length > 0) yield { rows };
}

/** A value as the cell of a sheet: texts as they are, times in ISO 8601, nothing as an empty cell, lists and the like as JSON. */
function cellOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (value === null || value === undefined) return "";
  if (typeof value === "number" || typeof value === "bigint" || typeof value === "boolean") return String(value);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "" : value.toISOString();
  return JSON.stringify(value, plainValue) ?? "";
}

function plainValue(_name: string, value: unknown): unknown {
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (value instanceof Date && Number.isNaN(value.getTime())) return null;
  return ArrayBuffer.isView(value) && "length" in value ? Array.from(Object.values(value)) : value;
}

answerWith(words);
