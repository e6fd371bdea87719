import { parquetMetadata, parquetReadObjects } from "hyparquet";
import { describe, expect, test } from "vitest";
import { encodedTable } from "../../src/report/tables/encoded-table.ts";
import { jsonLines, jsonList } from "../../src/report/tables/json-rows.ts";
import { parquetEncoder } from "../../src/report/tables/parquet.ts";
import type { Cell } from "../../src/report/tables/spreadsheet.ts";
import type { FilePiece, Table, TypedColumn, TableEncoder } from "../../src/report/tables/table.ts";

const columns: TypedColumn[] = [
  { name: "case_key", type: "text" },
  { name: "row", type: "integer" },
  { name: "score", type: "number" },
  { name: "score.pass", type: "boolean" },
  { name: "created_at", type: "time" },
  { name: "tags", type: "json" },
  { name: "score", type: "text" },
  { name: "__proto__", type: "text" },
];

const rows: Cell[][] = [
  ["=नमस्ते, 👩‍🌾", 12, 0.25, true, "2026-11-20T19:30:12.123456+05:30", '{"language":"hi"}', "a\nb", "x"],
  [" ", null, null, null, null, null, null, null],
  ["half \ud800 \u009b31m", 3, -1, false, "yesterday", "{}", "", "__proto__"],
];

type EncoderOf = (columns: readonly TypedColumn[]) => TableEncoder;

const written = (table: Table, encoderOf: EncoderOf): Buffer =>
  Buffer.concat(Array.from(encodedTable(table, { encoderOf }), (piece: FilePiece) => Buffer.from(piece)));

const bytesOf = (file: Buffer): ArrayBuffer => new Uint8Array(file).buffer;

describe("JSON Lines", () => {
  test("keep numbers, truth values, nothing and nested tags, under a name of their own for each column", () => {
    const lines = written({ columns, rows }, jsonLines).toString().trimEnd().split("\n");
    expect(lines).toHaveLength(3);
    expect(lines[0]).toBe(
      '{"case_key":"=नमस्ते, 👩‍🌾","row":12,"score":0.25,"score.pass":true,"created_at":"2026-11-20T19:30:12.123456+05:30",' +
        '"tags":{"language":"hi"},"score (2)":"a\\nb","__proto__":"x"}',
    );
    expect(Object.values(JSON.parse(lines[1] ?? ""))).toEqual([" ", ...Array.from({ length: 7 }, () => null)]);
  });

  test("are read by every parser, and a terminal obeys nothing in them", () => {
    const text = written({ columns, rows }, jsonLines).toString();
    expect(text).toContain("half \ufffd \\u009b31m");
    expect(text.replaceAll("\n", "")).not.toMatch(/\p{Cc}/u);
  });

  test("of an empty table are an empty file, and as a list an empty list", () => {
    expect(written({ columns, rows: [] }, jsonLines).toString()).toBe("");
    expect(JSON.parse(written({ columns, rows: [] }, jsonList).toString())).toEqual([]);
  });

  test("are as a list the same objects", () => {
    const many = {
      columns,
      rows: Array.from({ length: 5_000 }, (_, i): Cell[] => [`k${i}`, i, null, null, "x".repeat(99)]),
    };
    const lines = written(many, jsonLines).toString().trimEnd().split("\n");
    expect(JSON.parse(written(many, jsonList).toString())).toEqual(lines.map((line) => JSON.parse(line)));
  });
});

describe("a Parquet file", () => {
  test("has typed columns and keeps what is not there", async () => {
    const file = bytesOf(written({ columns, rows }, parquetEncoder));
    const [first, second, third] = await parquetReadObjects({ file });
    expect(Object.entries(first ?? {})).toEqual([
      ["case_key", "=नमस्ते, 👩‍🌾"],
      ["row", 12n],
      ["score", 0.25],
      ["score.pass", true],
      ["created_at", new Date("2026-11-20T14:00:12.123Z")],
      ["tags", { language: "hi" }],
      ["score (2)", "a\nb"],
    ]);
    expect(Object.values(second ?? {}).slice(1)).toEqual(Array.from({ length: 6 }, () => null));
    expect(third).toMatchObject({ row: 3n, score: -1, "score.pass": false, created_at: null, tags: {} });
    const types = parquetMetadata(file).schema.slice(1);
    expect(
      types.map(({ name, type, converted_type, logical_type }) => [name, converted_type ?? logical_type?.type ?? type]),
    ).toEqual([
      ["case_key", "UTF8"],
      ["row", "INT64"],
      ["score", "DOUBLE"],
      ["score.pass", "BOOLEAN"],
      ["created_at", "TIMESTAMP"],
      ["tags", "JSON"],
      ["score (2)", "UTF8"],
      ["__proto__", "UTF8"],
    ]);
  });

  test("of an empty table has its columns", async () => {
    const file = bytesOf(written({ columns, rows: [] }, parquetEncoder));
    expect(await parquetReadObjects({ file })).toEqual([]);
    expect(parquetMetadata(file).schema).toHaveLength(columns.length + 1);
  });

  test("is written a row group at a time, so that memory holds only one", async () => {
    let made = 0;
    function* endless(count: number): Generator<Cell[]> {
      for (; made < count; made++)
        yield [`k${made}`, made, made / 3, made % 2 === 0, null, '{"n":1}', "x".repeat(2_000), null];
    }
    const pieces: Buffer[] = [];
    const madeAtFirst: number[] = [];
    for (const piece of encodedTable({ columns, rows: endless(12_000) }, { encoderOf: parquetEncoder })) {
      if (piece.length > 1_000) madeAtFirst.push(made);
      pieces.push(Buffer.from(piece));
    }
    expect(madeAtFirst[0]).toBeLessThan(6_000);
    const file = bytesOf(Buffer.concat(pieces));
    expect(parquetMetadata(file).row_groups.length).toBeGreaterThan(2);
    const read = await parquetReadObjects({ file, columns: ["row"] });
    expect(read.reduce((sum, { row }) => sum + row, 0n)).toBe((12_000n * 11_999n) / 2n);
  });
});
