import fc from "fast-check";
import { expect, test } from "vitest";
import { groupCondition, queryOfRows, tagCondition } from "../../src/report/query/query-edit.ts";
import { type Query, readQuery } from "../../src/report/query/query-text.ts";
import { queryFrame, type RowCondition, rowVocabulary } from "../../src/report/query/row-conditions.ts";
import { rowGroup } from "../../src/report/model/row-groups.ts";
import { readAddress, writeAddress } from "../../src/viewer/app/data/address.ts";
import { askedBeside } from "../../src/viewer/app/data/asked.ts";
import { syntheticSummary } from "../report/synthetic.ts";

const summary = syntheticSummary(60);
/** The conditions of a query, in any order; null: it cannot be read. */
function meaning(text: string): string[] | null {
  const read = readQuery(text, rowVocabulary(queryFrame(summary), 0));
  if (read.fault !== null) return null;
  return read.parts.flatMap(({ query }) => joined(query)).toSorted();
}

function joined(query: Query<RowCondition>): string[] {
  if (query.kind === "all") return query.parts.flatMap(joined);
  return query.kind === "words" ? [...query.words] : [JSON.stringify(query)];
}

const beside = (text: string) => askedBeside(summary, 0, text);

test("buttons show what a query says, and write it as a person would", () => {
  const asked = beside('could worse language:HI,ar labelled:no time>2s newly:failing "not find"');
  expect([asked.filters, asked.labelled]).toEqual([["worse"], "no"]);
  expect(asked.others.map(({ text }) => text)).toEqual(["language:HI,ar", "time>2s", "newly:failing"]);
  expect(asked.withFilter("errors")).toBe('could language:HI,ar labelled:no time>2s newly:failing "not find" errors');
  expect(asked.withFilter(null)).toBe('could language:HI,ar labelled:no time>2s newly:failing "not find"');
  expect(beside("worse").withLabelled("comment")).toBe("worse labelled:comment");
  const [, time] = asked.others;
  if (time === undefined) throw new Error("no condition");
  expect(asked.without(time)).toBe('could worse language:HI,ar labelled:no newly:failing "not find"');
});

test("what somebody joined with or, negated or wrote with a fault is kept, or stands alone", () => {
  expect(beside("worse or flaky").withFilter("errors")).toBe("(worse or flaky) errors");
  expect(beside("worse or flaky").filters).toEqual([]);
  expect(beside("worse AND -flaky and x").withFilter(null)).toBe("-flaky and x");
  // `not` behind a word would be a word.
  expect(beside("foo worse not flaky").withFilter(null)).toBe("not flaky foo");
  expect(beside("wrose:x").withFilter("errors")).toBe("errors");
  expect(beside("worse or").withFilter("flaky")).toBe("or flaky");
});

test("what was added and taken away again leaves what was meant before, whatever was asked", () => {
  const piece = fc.constantFrom(
    "worse",
    "-flaky",
    "not better",
    "language:hi",
    "x",
    "or",
    "OR",
    "and",
    "(a or b)",
    "time>2s",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
      const before = beside(pieces.join(" ")).withLabelled(null);
      const after = beside(before).withLabelled("no");
      expect(beside(after).labelled).toBe("no");
      if (meaning(before) !== null) expect(meaning(beside(after).withLabelled(null))).toEqual(meaning(before));
    }),
  );
});

test("a number's group and tags are a query that an address keeps", () => {
  const text = queryOfRows({
    text: "errors",
    tags: [{ tag: "a b", value: 'c"d\\\n' }],
    group: rowGroup.flip("pass-to-fail"),
  });
  expect(text).toBe(String.raw`errors "a b"=="c\"d\\\n" newly:failing`);
  expect(readAddress(writeAddress({ ...readAddress(""), text })).text).toBe(text);
  const [one, other] = [
    { tag: "lang", value: "hi" },
    { tag: "topic", value: "fees" },
  ];
  expect(
    queryOfRows({ tags: [one], without: [[other], [one, other]], group: rowGroup.metric("correct", "worse") }),
  ).toBe("lang==hi not (topic==fees) not (lang==hi topic==fees) among:metric,correct,worse");
  expect(groupCondition(rowGroup.conversation("c-1"))).toBe("conversation==c-1");
  expect(groupCondition(["said", "test", "I am sorry"])).toBe('among:said,test,"I am sorry"');
  expect(tagCondition("topic", ["", "x"])).toBe('topic=="",x');
});
