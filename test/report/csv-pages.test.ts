import { parse } from "csv-parse/sync";
import { array, assert, constantFrom, property, string } from "fast-check";
import { expect, test } from "vitest";
import { CsvPages } from "../../src/report/tables/csv.ts";

const cell = constantFrom(
  "",
  "plain",
  "1.5",
  "a,b",
  "a;b",
  'say "no"',
  '"',
  "two\nlines",
  "\r\n",
  " ",
  "नमस्ते",
  "👩‍🌾, hi",
  "\ufeffx",
);
const anyCell = string({ unit: constantFrom(",", ";", '"', "\n", "\r", "a", " ", "\t", "é"), maxLength: 6 });

test.each([",", ";", "\t", "|", "."])(
  "rows with %j between their cells are read again cell by cell, page by page",
  (delimiter) => {
    const rows = array(
      array(cell, { minLength: 1, maxLength: 5 }).map((cells) => [...cells]),
      { maxLength: 30 },
    );
    const anyRows = array(array(anyCell, { minLength: 1, maxLength: 4 }), { maxLength: 10 });
    const check = (table: string[][]): void => {
      const pages = new CsvPages({ excel: false, raw: true, delimiter });
      for (const row of table) pages.add(row);
      const text = pages.take();
      // A row of one empty cell is an empty line, which csv-parse would leave out.
      const read: string[][] = parse(text, { delimiter, relax_column_count: true, skip_empty_lines: false });
      expect(text.endsWith("\n")).toBe(table.length > 0);
      expect(read).toEqual(table);
      expect(pages.take()).toBe("");
    };
    assert(property(rows, check));
    assert(property(anyRows, check));
  },
);
