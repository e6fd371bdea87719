import { stringify } from "csv-stringify/sync";
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
  "rows with %j between their cells are what csv-stringify makes of them",
  (delimiter) => {
    const rows = array(
      array(cell, { minLength: 1, maxLength: 5 }).map((cells) => [...cells]),
      { maxLength: 30 },
    );
    const anyRows = array(array(anyCell, { minLength: 1, maxLength: 4 }), { maxLength: 10 });
    const check = (table: string[][]): void => {
      const pages = new CsvPages({ excel: false, raw: true, delimiter });
      for (const row of table) pages.add(row);
      const options = { delimiter, record_delimiter: "\n", quote_record_delimiter: true };
      expect(pages.take()).toBe(table.length === 0 ? "" : stringify(table, options));
      expect(pages.take()).toBe("");
    };
    assert(property(rows, check));
    assert(property(anyRows, check));
  },
);
