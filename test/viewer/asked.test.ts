import fc from "fast-check";
import { expect, test } from "vitest";
import { groupCondition, queryOfRows, tagCondition } from "../../src/report/query/query-edit.ts";
import { type Query, readQuery } from "../../src/report/query/query-text.ts";
import { queryFrame, type RowCondition, rowVocabulary } from "../../src/report/query/row-conditions.ts";
import { rowGroup } from "../../src/report/model/row-groups.ts";
import { readAddress, writeAddress } from "../../src/viewer/app/data/address.ts";
import { askedBeside } from "../../src/viewer/app/data/asked.ts";
import { hostile } from "../hostile/texts.ts";
import { syntheticSummary } from "../report/synthetic.ts";

const plain = syntheticSummary(60);
const summary = {
  ...plain,
  tags: { ...plain.tags, worse: [{ value: "a", cases: 1 }], Case: [value("ab"), value("AB")] },
};
function value(text: string) {
  return { value: text, cases: 1 };
}
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
  expect([asked.filters, asked.valuesOf("language"), asked.labelled]).toEqual([["worse"], ["hi", "ar"], "no"]);
  expect(asked.others.map(({ text }) => text)).toEqual(["time>2s", "newly:failing"]);
  expect(asked.withFilter("errors")).toBe('could language:HI,ar labelled:no time>2s newly:failing "not find" errors');
  expect(asked.withFilter(null)).toBe('could language:HI,ar labelled:no time>2s newly:failing "not find"');
  expect(asked.withValues("language", [])).toBe('could worse labelled:no time>2s newly:failing "not find"');
  expect(beside("worse").withValues("topic", ["opening hours", ""])).toBe('worse topic:"opening hours",""');
  expect(beside("worse").withLabelled("comment")).toBe("worse labelled:comment");
  const [time] = asked.others;
  if (time === undefined) throw new Error("no condition");
  expect(asked.without(time)).toBe('could worse language:HI,ar labelled:no newly:failing "not find"');
});

test("a bound of a figure takes the place of one in the same direction, and names its target and metric whatever these are called", () => {
  const bound = { figure: "time", target: "test", isMost: false, value: 2 } as const;
  expect(beside("").withBound(bound)).toBe("time@test>=2s");
  // The candidate is meant where no target is named.
  expect(beside("worse time>1s time<9s").withBound(bound)).toBe("worse time<9s time@test>=2s");
  expect(beside("time@prod>=1s").withBound(bound)).toBe("time@prod>=1s time@test>=2s");
  expect(beside("worse or flaky").withBound({ ...bound, isMost: true, value: 0.0004 })).toBe(
    "(worse or flaky) time@test<=0s",
  );
  expect(beside("").withBound({ ...bound, value: -1 })).toBe("time@test>=0s");
  expect(beside("").withBound({ ...bound, figure: "cost", value: 1e-7 })).toBe("cost@test>=1e-7");
  expect(beside("").withBound({ ...bound, figure: { metric: "similar" }, value: -3.5 })).toBe(
    "score:similar@test>=-3.5",
  );
  for (const [, text] of hostile) {
    const name = text.toWellFormed().slice(0, 90);
    const named = {
      ...summary,
      targets: summary.targets.map((target, place) => (place === 0 ? { ...target, name } : target)),
      metrics: [...summary.metrics, ...summary.metrics.slice(0, 1).map((metric) => ({ ...metric, name }))],
    };
    const written = askedBeside(named, 0, "").withBound({
      figure: { metric: name },
      target: name,
      isMost: true,
      value: 1,
    });
    const { fault, query } = readQuery(written, rowVocabulary(queryFrame(named), 0));
    expect([written, fault]).toEqual([written, null]);
    expect(query).toMatchObject({
      condition: {
        ask: "figure",
        figure: { of: "score", side: 0, metric: summary.metrics.length },
        test: { operator: "<=", values: [1] },
      },
    });
  }
});

test("a tag called like a term, and values that differ by case alone, are meant exactly", () => {
  expect(beside("").withValues("worse", ["a"])).toBe('"worse":a');
  expect(beside("").withValues("Case", ["AB"])).toBe("Case==AB");
  expect(beside("Case==AB").valuesOf("Case")).toEqual(["AB"]);
  expect(beside("Case:ab").valuesOf("Case")).toEqual(["ab", "AB"]);
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
    tags: [{ name: "a b", value: 'c"d\\\n' }],
    group: rowGroup.flip("pass-to-fail"),
  });
  expect(text).toBe(String.raw`errors "a b"=="c\"d\\\n" newly:failing`);
  expect(readAddress(writeAddress({ ...readAddress(""), text })).text).toBe(text);
  expect(groupCondition(rowGroup.conversation("c-1"))).toBe("conversation==c-1");
  expect(groupCondition(["said", "test", "I am sorry"])).toBe('among:said,test,"I am sorry"');
  expect(tagCondition("topic", ["", "x"])).toBe('topic=="",x');
});
