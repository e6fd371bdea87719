import { expect, test } from "vitest";
import { writtenListBy } from "../../src/dataset/lint/written-list.ts";
import { readSheet } from "../datasets/sheet.ts";

test.each([
  ["['a', 'b']", "brackets"],
  ['["a"; "b"]', "brackets"],
  ["[ \u2018red\u2019, \u2018dark blue\u2019 ]", "brackets"],
  ["[\"Nairobi\", 'Mombasa',]", "brackets"],
  ["red, green, blue", ","],
  ["nyekundu,kijani,samawati", ","],
  ["a, b", ","],
  ["a | b", "|"],
  ["red, blue", ","],
  ["Paris | Lyon", "|"],
  ["yes|yeah|yep", "|"],
  ["लाल, हरा, नीला", ","],
])("%s is a list in a cell", (text, by) => {
  expect(writtenListBy(text)).toBe(by);
});

test.each([
  '["a", "b"]',
  "[1, 2]",
  "[see page 5]",
  "Paris, France",
  "Hello, world",
  "yes, please",
  "Smith, John",
  "It opens at nine, closes at five, and rests on Sunday.",
  "Yes, of course, you can",
  "Bring your card, the book, and two euros",
  "1,234,567",
  "52.5, 13.4, 8.0",
  "12 March, 2026",
  "Monday, 9:00, desk 2",
  "a || b",
  "if x | y then (x, y)",
  "No, sorry, closed",
  "| a | b |",
  "",
])("%s is one text", (text) => {
  expect(writtenListBy(text)).toBeNull();
});

test.each([
  ["help-desk/prompts.csv", "golden_answer"],
  ["help-desk/conversations.csv", "golden_answer"],
  ["functions/bike-fee.csv", "expected"],
  ["functions/late-fee.csv", "expected"],
  ["functions/read-date.csv", "expected"],
])("no wanted answer of %s is one", (file, column) => {
  const answers = readSheet(file).map((row) => row[column] ?? "");
  expect(answers.filter((answer) => writtenListBy(answer) !== null)).toEqual([]);
});
