import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { completionsAt } from "../../src/report/query/completion.ts";
import { longestQuery, queryValue, readQuery, type Query } from "../../src/report/query/query-text.ts";
import { queryFrame, type RowCondition, rowVocabulary } from "../../src/report/query/row-conditions.ts";
import { countingRules } from "../../src/report/doc/result-table.ts";
import { findRows } from "../../src/viewer/app/data/query.ts";
import { saidOf } from "../../src/viewer/app/data/row-query.ts";
import type { ListQuery } from "../../src/viewer/app/data/source.ts";
import { rowTerms } from "../../src/report/query/row-terms.ts";
import { headOf, searchText } from "../../src/report/model/row-figures.ts";
import type { RowHead } from "../../src/report/shape/row-head.ts";
import type { ReportRow } from "../../src/report/shape/row.ts";
import { slowestOf, timeOfSlow } from "../../src/report/model/row-filters.ts";
import { RowIndexWriter, TextIndexWriter } from "../../src/report/row-index/index-writer.ts";
import { RowIndex } from "../../src/report/row-index/row-index.ts";
import { temporaryFolder } from "../store/batch.ts";
import { syntheticRows, syntheticSummary } from "./synthetic.ts";

/** Texts that are compared in some way of their own: numbers, accents, letters that are written as two, what SQL takes for something else. */
const odd = [
  "9",
  "9.0",
  " 9",
  "9e0",
  "09",
  "10",
  "-0",
  "0",
  "1e400",
  "",
  "Straße",
  "STRASSE",
  "किताब",
  "कि",
  "أحمد",
  "احمد",
  "مُحَمَّد",
  "محمد",
  "İstanbul",
  "istanbul",
  "café",
  "cafe\u0301",
  "ΣΑΣ",
  "σας",
  "100%",
  "100",
  "a_b",
  "aXb",
  "a\\b",
  "it's",
  '"quoted"',
  "a\u0000b",
  "a b",
  "a\u0001b",
  "|answer_0|",
  "👍🏽",
  "ﬁn",
  "fin",
];
const oddAt = (place: number): string => odd[place % odd.length] ?? "";

const columns = ["odd", "author", "note", "plan", "long text"];
const rows: ReportRow[] = [...syntheticRows(120)].map((row, place) => ({
  ...row,
  ...(place % 4 === 1 && { expected: oddAt(place * 5) }),
  tags: { ...row.tags, odd: oddAt(place * 7) },
  columns: {
    ...row.columns,
    odd: oddAt(place * 3),
    plan: ["gold", "Silver", "", "9", "10"][place % 5] ?? "",
    "long text": `${"x".repeat(40)} ${place}`,
  },
  // One of seven is no pair, and one of six lacks an answer that counts as the worst.
  changes: row.changes.map((change) => ({ ...change, turns: place % 7 === 3 ? [null, null] : ["same", "same"] })),
  sides: row.sides.map((side, at) => ({
    ...side,
    ...(place % 6 === at && { counted: 0.25 }),
    runs: side.runs.map((run) => ({
      ...run,
      ...(place % 5 === at && { answer: oddAt(place) }),
      ...(place % 3 === 0 && { cost: (place + at) / 1000 }),
      ...(place % 4 === 0 && { usage: { input: place, output: at } }),
    })),
  })),
}));
const summary = { ...syntheticSummary(rows.length), columns };
const frame = queryFrame(summary);
const labels = (place: number): ReturnType<typeof saidOf> =>
  saidOf(
    place % 7 === 0
      ? [{ scorer: "", label: place % 2 === 0 ? "good" : "bad", note: place % 3 === 0 ? "hm" : null }]
      : [],
  );

function read(text: string): Query<RowCondition> {
  const { query, fault } = readQuery(text, rowVocabulary(frame, 0));
  if (fault !== null) throw new Error(`${text}: ${fault.message}`);
  return query;
}

function faultOf(text: string): string {
  const { fault } = readQuery(text, rowVocabulary(frame, 0));
  return fault === null ? "no fault" : `${fault.at + 1}: ${fault.message} | ${fault.hint ?? ""}`;
}

const about = {
  pair: 0,
  frame: { ...summary, targets: [...frame.targets] },
  slowFrom: timeOfSlow(Float32Array.from(rows, slowestOf)),
};

const counting = countingRules(summary, 0) ?? [];

/** Places of the rows that a query finds, and the means of the targets over them. */
interface Answered {
  places: number[];
  means: (number | null)[];
}

/** As a page that holds them finds them. */
function inPage(text: string): Answered {
  const query = read(text);
  const held = rows.map((row, place) => {
    const head: RowHead = { ...headOf(row), place };
    return { row, head, words: searchText(row), said: labels(place) };
  });
  const asked: ListQuery = { text, sort: "place", candidate: 0 };
  const { found, means } = findRows(held, asked, { asked: query, frame: about.frame, counting });
  return { places: found.map(({ place }) => place), means: means ?? [] };
}

/** The same by an index. */
function indexed(): (text: string) => Promise<Answered> {
  const folder = join(temporaryFolder(), "index");
  const writer = new RowIndexWriter(folder, about.frame, columns);
  for (const [caseId, row] of rows.entries()) writer.add(caseId, row);
  writer.end(summary);
  const texts = new TextIndexWriter(folder, columns);
  for (const row of rows) texts.add(row);
  texts.end();
  const index = new RowIndex(folder);
  return async (text) => {
    const asked = { pair: 0, sort: "dataset", text, by: null };
    const said = {
      stamp: "",
      has: (caseId: number, choice: "yes" | "no" | "good" | "bad" | "comment") => labels(caseId).has(choice),
    };
    const { places, means = [] } = await index.list(asked, {
      query: read(text),
      said,
      keys: null,
      counting,
      signal: null,
    });
    return { places: Array.from(places), means };
  };
}

describe("the query language of rows", () => {
  const queries = [
    ...rowTerms.map(({ example }) => example),
    "worse language:hi",
    "worse or better",
    "not worse",
    "-worse -better",
    "worse time>2s",
    "time@prod>1s time@test<=2500ms",
    "score=none",
    "score:correct<100%",
    "change:correct<0",
    "change:time>0s",
    "change:cost>0",
    "change:tokens=1",
    "diff>20% (language:hi or language:ar)",
    "language:hi,ar",
    "language!=hi",
    "topic~hours",
    'topic:"opening hours"',
    "plan:gold",
    "plan=SILVER",
    "plan!=gold",
    'plan=""',
    "plan>9",
    "plan in (9, 10)",
    "plan not in (gold, silver)",
    '"long text":11',
    '"long text"!~1',
    "cost>=0.003",
    "cost=none",
    "tokens>50 tokens<80",
    "length>300",
    "row<20",
    "outcome:answered",
    "outcome!=answered",
    "outcome@prod:answered -outcome:answered",
    "labelled:no",
    "labelled:good,comment",
    "labelled!=yes",
    "question:drill",
    "question!~drill",
    "answer:deposit answer@prod:deposit",
    "answer@test:deposit -answer@prod:deposit",
    "answer:किताब",
    'answer=""',
    "expected!=nothing",
    "key:fees-",
    'key="FEES-00003"',
    "conversation:talk",
    'conversation=""',
    "conversation==talk-1",
    "conversation==TALK-1",
    'topic=="opening hours",cards',
    "topic==CARDS",
    "plan==Silver",
    "plan==silver",
    "-newly:failing",
    "newly:failing,passing worse",
    "among:change,differs or flaky",
    "among!=metric,correct,worse",
    "worse -flaky members",
    "error~a",
    "could not find",
    '"could not find" or deposit',
    "twice -deposit",
    "card",
    "talk-1",
    "seed",
  ];

  test("finds the same rows in a page that holds them and by an index, whatever is asked", async () => {
    const byIndex = indexed();
    let some = 0;
    for (const text of queries) {
      const found = inPage(text);
      expect(await byIndex(text), text).toEqual(found);
      if (found.places.length > 0 && found.places.length < rows.length) some += 1;
    }
    expect(new Set(inPage("").means).size).toBe(2);
    // A query that finds all or nothing says little.
    expect(some).toBeGreaterThan(queries.length * 0.6);
  });

  test("finds the same in both by any condition on any text", async () => {
    const byIndex = indexed();
    const value = fc.oneof(
      fc.constantFrom(...odd),
      fc.constantFrom("9.00", "+9", "a", "strasse", "ß", "ا", "%", "_", "\\", "b", "\u0000", "i", "1"),
    );
    const condition = fc
      .tuple(
        fc.constantFrom("expected", '"odd"', "odd", "answer", "answer@prod", "question", "key", "plan", "conversation"),
        fc.constantFrom("=", "!=", "~", "!~", ":", "==", "<", ">="),
        fc.array(value, { minLength: 1, maxLength: 3 }),
      )
      .map(([name, operator, values]) => `${name}${operator}${values.map(queryValue).join(",")}`);
    const part = fc.oneof(
      { weight: 3, arbitrary: condition },
      value.map((text) => queryValue(text)),
      fc.constantFrom("worse", "score<1", "time>1s"),
    );
    const query = fc
      .array(fc.tuple(fc.constantFrom("", "-", "not "), part, fc.constantFrom(" ", " or ")), {
        minLength: 1,
        maxLength: 4,
      })
      .map((parts) => parts.map(([not, each, joint], at) => `${at === 0 ? "" : joint}${not}${each}`).join(""));
    let understood = 0;
    await fc.assert(
      fc.asyncProperty(query, async (text) => {
        if (readQuery(text, rowVocabulary(frame, 0)).fault !== null) return;
        understood += 1;
        expect(await byIndex(text)).toEqual(inPage(text));
      }),
      { numRuns: 400 },
    );
    expect(understood).toBeGreaterThan(100);
    const numbers = rows.flatMap(({ expected }, place) => (/^ ?0?9(?:\.0|e0)?$/.test(expected ?? "") ? [place] : []));
    expect(numbers.length).toBeGreaterThan(1);
    for (const nine of ["9", "9.0", "9e0", "9.000"])
      expect([inPage(`expected=${nine}`).places, (await byIndex(`expected=${nine}`)).places]).toEqual([
        numbers,
        numbers,
      ]);
  });

  test("reads words that people type as words", () => {
    for (const text of [
      "could not find",
      "don't know",
      "R & D",
      "hello, world!",
      "12:30",
      "https://example.com/a?b",
      "-5",
      "salt and pepper or not",
      "what?",
    ]) {
      expect(read(text), text).toEqual({ kind: "words", words: text.split(" ") });
    }
    expect(read('"worse"')).toEqual({ kind: "words", words: ["worse"] });
    expect(read("worse not found")).toMatchObject({
      kind: "all",
      parts: [{ kind: "condition" }, { kind: "words", words: ["not", "found"] }],
    });
    expect(read("")).toEqual({ kind: "all", parts: [] });
  });

  test.each([
    ["wrose:hi", "1: nothing here is called `wrose` | Did you mean `worse`?"],
    ["worse zzz=1", "7: nothing here is called `zzz` | There is: worse, better,"],
    ["time>2", "6: a time with its unit, such as 500ms or 2s, is expected, got `2` | For example: time>2s"],
    ["score:nope<2", "1: there is no score `nope` | There is: score:correct, score:similar."],
    ["time@nobody>2s", "1: there is no target `nobody` | There is: prod, test."],
    ["newly:poor", "7: `newly` is failing or passing | newly:failing, newly:passing"],
    ["among:folks,b", "7: there is no group `folks` | There is: error, outcome,"],
    ["outcome:throtled", "9: `outcome` is never `throtled` | Did you mean `throttled`? There is: answered,"],
    ["labelled:maybe", "10: `labelled` is one of a few words | labelled:yes"],
    ["question>5", "1: `question` is a text, which is not more or less than another"],
    ["time~5", "1: `time` is a number, which contains no text"],
    ["diff:x", "6: a number is expected, got `x`"],
    ["worse:yes", "1: `worse` stands alone | Write worse, or -worse for the others."],
    ["diff@prod>1", "1: `diff` is not of one target, and `@prod` is behind it"],
    ["time:x>1s", "1: `time` has no parts, and `:x` is behind it"],
    ["language:", "10: a value is expected, got the end"],
    ["(worse", "7: `)` is expected, got the end"],
    ["worse)", "6: a condition or a word is expected, got `)`"],
    ["worse OR", "9: a condition or a word is expected, got the end"],
    ["worse OR ()", "a condition or a word is expected"],
    ['"a', "1: this quote has no end"],
    ["x".repeat(10_000), `${longestQuery + 1}: a query has at most 2000 characters, and this one has 10000`],
    ["a ".repeat(500), "401: a query has at most 200 conditions and words"],
  ])("says where it is not understood, and what is known: %s", (text, message) => {
    expect(faultOf(text)).toContain(message);
  });

  test("reads anything without an end, and a value as it was written", () => {
    const piece = fc.constantFrom(
      "worse",
      "time>2s",
      "(",
      ")",
      "or",
      "and",
      "not",
      "-",
      '"',
      "'",
      ":",
      "@",
      "<",
      "a",
      "language:hi",
      "़",
      "👍🏽",
      "\\",
      ",",
      "\u0001",
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: "binary" }),
          fc.array(piece).map((parts) => parts.join(" ")),
          fc.array(piece).map((parts) => parts.join("")),
        ),
        (text) => {
          const { query, fault } = readQuery(text, rowVocabulary(frame, 0));
          expect((query === null) !== (fault === null)).toBe(true);
          if (fault !== null) expect(fault.at).toBeLessThanOrEqual(Math.max(text.length, longestQuery));
        },
      ),
    );
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 40 }), (value) => {
        const { query } = readQuery(`language==${queryValue(value)}`, rowVocabulary(frame, 0));
        expect(query).toMatchObject({ condition: { test: { values: [value] } } });
        // A field of one line takes line breaks away.
        expect(queryValue(value)).not.toMatch(/[\r\n]/);
      }),
    );
  });
});

describe("what completes a query", () => {
  const completing = { ...frame, valuesOf: (tag: string) => (summary.tags[tag] ?? []).map(({ value }) => value) };
  const texts = (text: string, caret = text.length): string[] =>
    completionsAt(text, caret, completing).continuations.map((each) => each.text);

  test("offers names, values of tags, metrics and targets, each of which can be read", () => {
    expect(texts("wo")).toEqual(["worse"]);
    expect(texts("worse lang")).toEqual(["language:"]);
    expect(texts("language:h")).toEqual(["language:hi"]);
    expect(texts("language==h")).toEqual(["language==hi"]);
    expect(texts('topic:"open')).toEqual(['topic:"opening hours"']);
    // A value that is written out has nothing to go on with, in quotes that it needs or not.
    expect([texts("language:hi"), texts('language:"hi"'), texts('topic:"opening hours"')]).toEqual([[], [], []]);
    expect(texts("-labelled:")).toEqual([
      "labelled:yes",
      "labelled:no",
      "labelled:good",
      "labelled:bad",
      "labelled:comment",
    ]);
    expect(texts("change:")).toEqual([
      "change:correct",
      "change:similar",
      "change:time",
      "change:cost",
      "change:tokens",
      "change:length",
    ]);
    expect(texts("time@")).toEqual(["time@prod", "time@test"]);
    expect(texts("long")).toEqual(['"long text":']);
    expect(texts("worse")).toEqual([]);
    expect(texts("tmie")).toEqual(["time"]);
    const { from, to } = completionsAt("worse -langu", 12, completing);
    expect([from, to]).toEqual([7, 12]);
  });

  test("every term is offered and its example can be read", () => {
    for (const { name, example } of rowTerms) {
      expect(texts(name.slice(0, 3)).join(" "), name).toContain(name.slice(0, 3));
      expect(faultOf(example), example).toBe("no fault");
    }
  });
});
