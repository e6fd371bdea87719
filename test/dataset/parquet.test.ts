import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, gzipSync, zstdCompressSync } from "node:zlib";
import { type ColumnSource, parquetWriteBuffer } from "hyparquet-writer";
import { describe, expect, test, vi } from "vitest";
import { learnFrom } from "../../src/app/plan/chat-export.ts";
import { FindingList } from "../../src/dataset/finding.ts";
import { inspectDataset } from "../../src/dataset/inspect.ts";
import { readParquet } from "../../src/dataset/table/parquet.ts";
import { temporaryFolder } from "../store/batch.ts";
import { collect, faultOf, mapping, read } from "./reading.ts";
import { often, slowTest } from "../often.ts";

// Each reading starts a process, from sources.
vi.setConfig({ testTimeout: 60_000 });

const columns: ColumnSource[] = [
  { name: "id", data: [1n, 2n, 2n ** 60n], type: "INT64" },
  { name: "question", data: ["Wann?", "कब?", "=1+1\n2"], type: "STRING" },
  { name: "expected", data: ["9", null, " x "], type: "STRING" },
  { name: "share", data: [0.5, -0, null], type: "DOUBLE" },
  { name: "at", data: [new Date("2026-11-03T10:00:00.000Z"), null, null], type: "TIMESTAMP" },
  { name: "more", data: [{ a: [1, 2] }, null, []], type: "JSON" },
];
const cells = [
  { id: "1", question: "Wann?", expected: "9", share: "0.5", at: "2026-11-03T10:00:00.000Z", more: '{"a":[1,2]}' },
  { id: "2", question: "कब?", expected: "", share: "0", at: "", more: "" },
  { id: "1152921504606846976", question: "=1+1\n2", expected: " x ", share: "", at: "", more: "[]" },
];

type Codec = "UNCOMPRESSED" | "SNAPPY" | "GZIP" | "ZSTD" | "BROTLI" | "LZ4_RAW";
type Pack = (bytes: Uint8Array) => Uint8Array;

const parquet = (columnData: ColumnSource[], codec: Codec = "SNAPPY", pack: Pack | null = null): Buffer =>
  Buffer.from(parquetWriteBuffer({ columnData, codec, ...(pack === null ? {} : { compressors: { [codec]: pack } }) }));

const name = "x.parquet";

describe("a Parquet file", () => {
  test.each<[Codec, Pack | null]>([
    ["UNCOMPRESSED", null],
    ["SNAPPY", null],
    ["GZIP", (bytes) => gzipSync(bytes)],
    ["ZSTD", (bytes) => zstdCompressSync(bytes)],
    ["BROTLI", (bytes) => brotliCompressSync(bytes)],
  ])("is read as a sheet, packed by %s", async (codec, pack) => {
    const cases = await read(parquet(columns, codec, pack), { name });
    expect(cases.map(({ columns: row }) => row)).toEqual(cells);
    expect(cases.map(({ input, source }) => [input["input_prompt"], source.row])).toEqual([
      ["Wann?", 1],
      ["कब?", 2],
      ["=1+1\n2", 3],
    ]);
  });

  test.each(["hugging-face-squad", "hugging-face-chat"])(
    "as pyarrow writes it is read without a mapping: %s",
    async (file) => {
      const files = [fileURLToPath(new URL(`../fixtures/exports/${file}.parquet`, import.meta.url))];
      const { chat } = await learnFrom(files, { format: undefined, standardInput: process.stdin });
      const [first] = await collect({ files, mapping: chat?.mapping ?? mapping(), endpoints: ["video-bots"] });
      expect([first?.input["input_prompt"], first?.expected]).toEqual(["Wann öffnet die Bibliothek?", "Um 9 Uhr."]);
    },
  );

  slowTest("of many rows keeps their order", async () => {
    const data = Array.from({ length: 25_000 }, (_, i) => `q${i}`);
    const cases = await read(parquet([{ name: "question", data, type: "STRING" }]), { name });
    expect(cases.map(({ input }) => input["input_prompt"])).toEqual(data);
  });

  test("is named as what it is", async () => {
    const path = join(temporaryFolder(), name);
    writeFileSync(path, parquet(columns));
    const options = { mapping: mapping(), endpoints: ["video-bots"] as const };
    const { profile, faults } = await inspectDataset({ ...options, files: [path] });
    expect([faults.count, profile.files[0]]).toMatchObject([0, { format: "parquet", rows: 3 }]);
  });
});

describe("a Parquet file that cannot be read", () => {
  const twice: ColumnSource[] = [
    { name: "question", data: ["a"], type: "STRING" },
    { name: "Question", data: ["b"], type: "STRING" },
  ];
  const renamed = (from: string, to: string, file: Buffer): Buffer =>
    Buffer.from(file.toString("latin1").replaceAll(from, to), "latin1");

  test.each<[string, Buffer, string]>([
    ["is none", Buffer.from("id,question\n1,Wann?\n"), "it is no Parquet file"],
    ["is empty", Buffer.alloc(0), "it is no Parquet file"],
    ["is cut off", Buffer.concat([parquet(columns).subarray(0, 200), Buffer.from("PAR1")]), "it cannot be read"],
    [
      "is packed otherwise",
      parquet(columns, "LZ4_RAW", (bytes) => bytes),
      "write it with Snappy, gzip, Zstandard or Brotli",
    ],
    ["has a name twice", renamed("Question", "question", parquet(twice)), 'both named "question"'],
    [
      "has a name that leads elsewhere",
      renamed("questions", "__proto__", parquet([{ name: "questions", data: ["a"], type: "STRING" }])),
      "a column is named __proto__",
    ],
  ])("is refused with the reason: it %s", async (_, file, message) => {
    expect(await faultOf(file, { name })).toContain(message);
  });

  test("is refused before a small page becomes a large one", async () => {
    const bomb = gzipSync(Buffer.alloc(30 * 1024 * 1024));
    expect(bomb.length).toBeLessThan(100 * 1024);
    expect(
      await faultOf(
        parquet(columns, "GZIP", () => bomb),
        { name },
      ),
    ).toMatch(/it cannot be read: Cannot create a Buffer/);
  });

  test("ends its own process and not the program, where a few bytes stand for two thousand million values", async () => {
    const data = Array.from({ length: 4_000 }, (_, i) => `answer ${(i * 7919) % 13}`);
    // A run of equal values, as long as a run can be said to be.
    const run = [0xfe, 0xff, 0xff, 0xff, 0x0f, 0x00];
    const pack: Pack = (bytes) => {
      const isIndexes = bytes[0] === 4;
      return isIndexes
        ? gzipSync(Buffer.concat([bytes.subarray(0, 1), Buffer.from(run), bytes.subarray(7)]))
        : gzipSync(bytes);
    };
    const file = parquet([{ name: "question", data, type: "STRING", encoding: "RLE_DICTIONARY" }], "GZIP", pack);
    const path = join(temporaryFolder(), name);
    writeFileSync(path, file);
    const faults = new FindingList();
    // With all the memory that a process may have it takes as many seconds to fill that.
    for await (const { rows } of readParquet(path, { file: name, faults, memoryMb: 64 })) expect(rows).toEqual([]);
    expect(faults.listed.map(({ message }) => message)).toEqual(["it cannot be read: it takes too much memory"]);
  });

  test("is refused before room is made for values that are not there", async () => {
    const data = Array.from({ length: 100 }, (_, i) => BigInt(i));
    const whole = parquet([{ name: "question", data, type: "INT64", encoding: "DELTA_BINARY_PACKED" }], "UNCOMPRESSED");
    // The number of values of the only page, as its header has it: the fields of a page of the second version.
    const at = whole.indexOf(Buffer.from([0x15, 0xc8, 0x01]));
    const file = Buffer.concat([
      whole.subarray(0, at),
      Buffer.from([0x15, 0xfe, 0xff, 0xff, 0xff, 0x0f]),
      whole.subarray(at + 3),
    ]);
    expect(await faultOf(file, { name })).toContain("it cannot be read");
  });

  test("is refused or read, whichever of its bytes are others", async () => {
    const whole = parquet(columns, "UNCOMPRESSED");
    for (let round = 0; round < often(4, 12); round++) {
      const file = Buffer.from(whole);
      for (let change = 0; change <= round; change++)
        file[4 + ((round * 977 + change * 131) % (file.length - 12))] = (round * 37 + change * 101) % 256;
      const outcome = await read(file, { name }).then(
        () => "read",
        (error: { code?: string }) => error.code,
      );
      expect(["read", "DATASET_INVALID", "COLUMN_UNKNOWN"]).toContain(outcome);
    }
  });
});
