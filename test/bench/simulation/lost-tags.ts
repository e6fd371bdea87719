import { type LostTag, lostTags } from "../../../src/compare/summary/lost-tags.ts";
import { type RandomStream, randomStream } from "../../../src/lib/random.ts";
import { type DrawnCase, passGate, tallied } from "./drawn-gates.ts";
import type { Situation } from "./situation.ts";

/** The values of tags that lost everything, by the product's own tallies. */
export function drawnLostTags(cases: readonly DrawnCase[]): LostTag[] {
  const compared = passGate(0.05);
  const results = tallied(compared, cases);
  const given = { ...results, tags: results.slices.tags, columns: () => [] };
  return lostTags([compared], given, { candidate: "test", baseline: "prod" });
}

interface Sheet {
  n: number;
  /** Share of the rows that newly fail, whatever their tags. */
  rate: number;
}

/** Three tags of ten values each, the first of which has about half of the rows and the last one or two. */
function drawnSheet({ n, rate }: Sheet, random: RandomStream): DrawnCase[] {
  const value = (): string => String(Math.min(9, Math.floor(-Math.log2(1 - random.next()) * 1.6)));
  return Array.from({ length: n }, () => ({
    baseline: random.next() < 0.9 ? 1 : 0,
    candidate: random.next() < rate ? 0 : 1,
    tags: { a: value(), b: value(), c: value() },
  }));
}

const isNamed = (sheet: Sheet, random: RandomStream): boolean => drawnLostTags(drawnSheet(sheet, random)).length > 0;

/** Comparisons of so many that name a value although rows are lost at random. */
export function falselyNamed(sheet: Sheet, repetitions: number): number {
  const random = randomStream(`lost tags ${sheet.n} ${sheet.rate}`);
  return Array.from({ length: repetitions }, () => isNamed(sheet, random)).filter(Boolean).length;
}

const named = "a value of a tag is said to have lost everything";

/** Rows that are lost at random. */
export const lostTagSituations: readonly Situation[] = [60, 150, 400].flatMap((n) =>
  [0.01, 0.02, 0.05, 0.1, 0.2].map((rate): Situation => ({
    name: `${n} rows with three tags of ten values, ${rate * 100} % lost at random`,
    asks: "false alarms: no value lost more than another",
    repetitions: 4_000,
    once: (random) => ({ [named]: isNamed({ n, rate }, random) }),
    promised: { [named]: 0.007 },
  })),
);
