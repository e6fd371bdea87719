import { expect, test } from "vitest";
import type { ReportChange, ReportRow } from "../../src/report/shape/model.ts";
import { headOf, rankOf, searchText } from "../../src/report/model/row-figures.ts";
import { syntheticRows } from "./synthetic.ts";
import { folded } from "../../src/text/search-fold.ts";

const [first] = syntheticRows(1);
const row = first as ReportRow;

function ranked(change: Partial<ReportChange>): number {
  return rankOf({ kind: "same", trend: null, excess: null, distance: null, ...change });
}

test("errors that appeared come first, then worse, better, changed, different, and within each the farthest", () => {
  const order = [
    ranked({ kind: "error-appeared", trend: "worse" }),
    ranked({ kind: "changed", trend: "worse", excess: 0.9 }),
    ranked({ kind: "changed", trend: "worse", excess: 0.1 }),
    ranked({ kind: "within-noise", trend: "worse", excess: 0.99 }),
    ranked({ kind: "changed", trend: "better", excess: 0.99 }),
    ranked({ kind: "changed", excess: 0.99 }),
    ranked({ kind: "differs", distance: 0.7 }),
    ranked({ kind: "differs", distance: 0.2 }),
    ranked({ kind: "same" }),
  ];
  expect(order.toSorted((a, b) => b - a)).toEqual(order);
});

test("a list shows the beginning of a text, white space drawn together, and never half a character", () => {
  const text = `${"a".repeat(169)}👍🏽 and more`;
  const head = headOf({
    ...row,
    input: [{ field: "input_prompt", text: `two\n\n  lines` }],
    sides: row.sides.map((side) => ({ ...side, runs: side.runs.map((run) => ({ ...run, answer: text })) })),
  });
  expect(head.question).toBe("two lines");
  expect(head.sides[0]?.excerpt).toBe(`${"a".repeat(169)} …`);
});

test("a row of a function is told by the values that it was given, and any other by its prompt", () => {
  const values = [
    { field: "variables.age", text: "34" },
    { field: "variables.item", text: "book" },
  ];
  expect(headOf({ ...row, input: values }).question).toBe("age: 34, item: book");
  const asked = [{ field: "input_prompt", text: "When?" }, ...values];
  expect(headOf({ ...row, input: asked }).question).toBe("When?");
});

test("a list shows the place where two long answers begin to differ, from the start of a word", () => {
  const alike = "You can renew a book twice, unless somebody else has reserved it, and you will be told by mail. ";
  const answers = [`${alike}Fees are 2 crowns.`, `${alike}Fees are 3 crowns.`];
  const sides = row.sides.map((side, index) => ({
    ...side,
    runs: side.runs.map((run) => ({ ...run, answer: answers[index] ?? "" })),
  }));
  expect(headOf({ ...row, sides }).sides.map(({ excerpt }) => excerpt)).toEqual([
    "… and you will be told by mail. Fees are 2 crowns.",
    "… and you will be told by mail. Fees are 3 crowns.",
  ]);
});

test("a search finds compatible forms and any case of a letter, and the key and the error too", () => {
  const text = searchText({ ...row, key: "ÅNGSTRÖM-1", expected: "ﬁnd me" });
  for (const wanted of ["ångström", "angstrom", "find", "Å"]) expect(text).toContain(folded(wanted));
});

test("a search finds letters with and without accents and vowel signs, and keeps Hindi apart", () => {
  const alike = [
    ["Café", "cafe\u0301", "CAFE"],
    ["كِتَابٌ", "كتاب", "كـتاب"],
    ["أحمد", "احمد"],
    ["שָׁלוֹם", "שלום"],
    ["Ελλάς", "ΕΛΛΑΣ"],
    ["Straße", "STRASSE"],
    ["ёлка", "ЕЛКА"],
    ["क\u093C", "\u0958"],
    ["한국어".normalize("NFD"), "한국어"],
  ];
  for (const forms of alike) expect(new Set(forms.map(folded)).size, forms[0]).toBe(1);
  expect(folded("किताब")).not.toBe(folded("कताब"));
  expect(folded("й")).not.toBe(folded("и"));
});
