import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readTime, TimeColumn } from "../../src/dataset/table/time.ts";
import { collect, mapping, read } from "./reading.ts";
import { Readable } from "node:stream";
import { often } from "../often.ts";

const at = (cell: string): number | null => readTime(cell)?.monthFirst ?? null;

describe("a time in a cell", () => {
  test.each([
    ["2026-11-03T10:05:00Z", "2026-11-03T10:05:00Z"],
    ["2026-11-03T10:05:00.123456+00:00", "2026-11-03T10:05:00.123Z"],
    ["2026-11-03 10:05", "2026-11-03T10:05:00Z"],
    ["2026-11-03 10:05:07 +05:30", "2026-11-03T04:35:07Z"],
    ["2026/11/3, 1:05 PM", "2026-11-03T13:05:00Z"],
    ["03.11.2026 10.05", "2026-11-03T10:05:00Z"],
    ["11/03/2026 12:30 AM", "2026-11-03T00:30:00Z"],
    ["2026-11-03", "2026-11-03T00:00:00Z"],
    ["10:05:01", "1970-01-01T10:05:01Z"],
  ])("%s is read", (cell, expected) => {
    expect(Math.floor(at(cell) ?? 0)).toBe(Date.parse(expected));
  });

  test("is also a number or a date in words, and nothing else", () => {
    expect(at("1793700000.5")).toBe(1793700000.5);
    expect(at("Nov 3, 2026, 10:05 AM")).toBeLessThan(at("4 Nov 2026 09:00") ?? 0);
    for (const cell of ["", "soon", "2026-13-01", "12:75", "Run 2026", "1/2"]) expect(readTime(cell), cell).toBeNull();
  });

  test("reads every date as it was written", () => {
    fc.assert(
      fc.property(fc.date({ min: new Date(0), max: new Date("2100-01-01"), noInvalidDate: true }), (date) => {
        expect(at(date.toISOString())).toBeCloseTo(date.getTime(), 3);
      }),
    );
  });

  test("of a column is month/day unless a cell cannot be that", () => {
    const orderOf = (...cells: string[]): boolean => {
      const column = new TimeColumn();
      for (const cell of cells) column.add(cell, null);
      const { timeOf } = column.times();
      return timeOf(0) < timeOf(1);
    };
    expect(orderOf("02/01/2026", "01/03/2026")).toBe(false);
    expect(orderOf("02/01/2026", "01/03/2026", "30/01/2026")).toBe(true);
  });
});

describe("turns by a time", () => {
  const columns = mapping({
    input: { input_prompt: "question" },
    cluster: "talk",
    turn: "__order",
    orderBy: "when",
  });
  const turns = (cases: Awaited<ReturnType<typeof read>>): Record<string, number> =>
    Object.fromEntries(cases.map(({ input, turn }) => [JSON.stringify(input["input_prompt"]).slice(1, -1), turn]));

  test("are those of the times, whatever the order of rows; equal times stay as they stand, no time stays behind its neighbour", async () => {
    const reported: string[] = [];
    const sheet =
      "question,talk,when\nd,t,2026-01-04\na,t,2026-01-01\nc,t,2026-01-03\nb,t,\nx,u,2026-01-02\ne,t,2026-01-04\nlone,,\n";
    const cases = await read(sheet, { ...columns, options: { onNotice: (notice) => reported.push(notice) } });
    expect(turns(cases)).toEqual({ a: 1, c: 2, b: 3, d: 4, e: 5, x: 1, lone: 1 });
    expect(reported).toEqual(["when: 1 row has no time; each stays behind the row of its conversation before it."]);
  });

  test("are those of a plain sort, whatever the rows", async () => {
    const row = fc.record({ talk: fc.constantFrom("a", "b", "c", ""), when: fc.integer({ min: 0, max: 9 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 40 }), async (rows) => {
        const text = `question,talk,when\n${rows.map(({ talk, when }, i) => `q${i},${talk},${when}\n`).join("")}`;
        const cases = await read(text, columns);
        const expected = rows.map(({ talk, when }, i) => {
          const before = (other: (typeof rows)[number], j: number): boolean =>
            other.talk === talk && (other.when < when || (other.when === when && j < i));
          return talk === "" ? 1 : rows.filter(before).length + 1;
        });
        expect(cases.map(({ turn }) => turn)).toEqual(expected);
      }),
      { numRuns: often(20, 50) },
    );
  });

  test("hold over several files, and of standard input", async () => {
    const text = "question,talk,when\nb,t,2\na,t,1\n";
    const standardInput = Readable.from([Buffer.from(text)]);
    const cases = await collect({ files: ["-"], mapping: columns, endpoints: ["video-bots"], standardInput });
    expect(turns(cases)).toEqual({ a: 1, b: 2 });
  });
});
