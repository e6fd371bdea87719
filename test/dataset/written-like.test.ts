import { expect, test } from "vitest";
import type { FileFacts } from "../../src/dataset/file-facts.ts";
import { decimalIn, writtenLike } from "../../src/dataset/written-like.ts";

const facts = (about: Partial<FileFacts>): FileFacts => ({
  file: "a.csv",
  format: "csv",
  compressed: false,
  encoding: "utf-8",
  delimiter: ",",
  hasMark: false,
  decimal: null,
  emptyRows: 0,
  hasNul: false,
  ...about,
});

test.each<[string, Partial<FileFacts>[], unknown]>([
  ["commas", [{}], null],
  ["commas and a mark", [{ hasMark: true }], { bom: true }],
  ["semicolons", [{ delimiter: ";" }], { separator: ";", decimal: "," }],
  ["those of Excel", [{ delimiter: ";", encoding: "windows-1252" }], { separator: ";", decimal: ",", bom: true }],
  [
    "those of Switzerland",
    [{ delimiter: ";", hasMark: true, decimal: "." }],
    { separator: ";", decimal: ".", bom: true },
  ],
  ["tabs", [{ delimiter: "\t", hasMark: true }], null],
  ["two kinds", [{ delimiter: ";" }, {}], null],
  ["one with a mark of two", [{ hasMark: true }, {}], null],
  ["a workbook", [{ format: "excel", delimiter: null }], null],
  ["no file", [], null],
])("a dataset with %s has tables written like it, where it says more than the usual form", (_, files, form) => {
  expect(writtenLike(files.map(facts))).toEqual(form);
});

test.each([
  ["id;n\n1;0,5\n", ";", ","],
  ['id;n\n1;"-3.25"\n', ";", "."],
  ["id;n\n1;0,5\n2;0.5\n", ";", null],
  ["id;n\n1.2.2026;12:30,5 x\n", ";", null],
  ["a,b\n1,5\n", ",", null],
])("%j has its decimal mark told by its numbers", (text, delimiter, mark) => {
  expect(decimalIn(text, delimiter)).toBe(mark);
});
