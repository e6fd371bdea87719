import { expect, test } from "vitest";
import { type TableColumn, tableLines } from "../../src/report/terminal/table.ts";

const columns: TableColumn[] = [
  { title: "target", align: "left", most: 40, names: "cells" },
  { title: "nightly-20261121-135939:prod", align: "right", most: 40, names: "title" },
  { title: "difference", align: "right", most: 20 },
  { title: "worse", align: "right", most: 20, drop: 1 },
  { title: "cases", align: "right", most: 20, drop: 2 },
];
const rows = [["nightly-20261121-135802:test", "86.4 %", "-17.3 points", "31", "165"]];

test("names give way to figures and keep their ends, then columns that may go are left out", () => {
  const wide = tableLines(columns, rows);
  expect(wide[1]).toBe("nightly-20261121-135802:test                        86.4 %  -17.3 points     31    165");
  const [titles = "", cells = ""] = tableLines(columns, rows, 66);
  expect(titles).toMatch(/^target +…\S+:prod +difference {2}worse {2}cases$/);
  expect(cells).toMatch(/^…\S+:test +86.4 % {2}-17.3 points +31 +165$/);
  const narrow = tableLines(columns, rows, 46);
  expect(narrow.every((line) => line.length <= 46)).toBe(true);
  expect(narrow[0]).toMatch(/…\S*:prod +difference$/);
  expect(narrow[1]).toMatch(/^…\S*:test +86.4 % {2}-17.3 points$/);
});
