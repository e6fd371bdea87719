import { describe, expect, test } from "vitest";
import { tablePieces } from "../../src/report/tables/selection.ts";
import { jsonLines } from "../../src/report/tables/json-rows.ts";
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
  Buffer.concat(Array.from(tablePieces(table, encoderOf), (piece: FilePiece) => Buffer.from(piece)));

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

  test("of an empty table are an empty file", () => {
    expect(written({ columns, rows: [] }, jsonLines).toString()).toBe("");
  });

  test("of many rows are a line for each, over several pages", () => {
    const many = Array.from({ length: 5_000 }, (_, i): Cell[] => [`k${i}`, i, null, null, "x".repeat(99)]);
    const lines = written({ columns, rows: many }, jsonLines).toString().trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line).row)).toEqual(many.map(([, row]) => row));
  });
});
