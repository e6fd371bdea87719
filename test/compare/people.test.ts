import { causeWords } from "../../src/report/say/causes.ts";
import { describe, expect, test } from "vitest";
import { comparisonStream } from "../../src/compare/comparison.ts";
import { type ComparedMetric, isMargin, type LabelDraw, type PeopleLabels } from "../../src/compare/comparison-plan.ts";
import type { MetricSummary } from "../../src/compare/summary/metric-summary.ts";
import type { MarginFacts } from "../../src/compare/verdict/facts.ts";
import { answerMark } from "../../src/lib/answer-mark.ts";
import { aCase, answered, candidate, passing, prod, scored, settings, unfinished } from "./case-result.ts";

const cases = 80;

interface Given {
  /** Cases that people labelled, and that were drawn; of so many. */
  labels?: number;
  drawn?: number;
  of?: number;
  /** The text that was labelled, where it is another one than the answer. */
  labelled?: string;
  metric?: Partial<ComparedMetric>;
  /** The last cases of which the candidate has no answer. */
  lacking?: number;
  /** The first cases, of which the judge fails both answers. */
  failing?: number;
}

/** People find every answer of the candidate right, and every fourth of the baseline wrong; the judge finds all of them right. */
function gateWith(given: Given): MarginFacts {
  const [gate] = comparisonWith(given).gates;
  if (gate === undefined || !isMargin(gate)) throw new Error("there is no gate");
  return gate;
}

function summaryWith(given: Given): MetricSummary {
  const metric = comparisonWith(given).candidates[0]?.metrics[0];
  if (metric === undefined) throw new Error("there is no metric");
  return metric;
}

function comparisonWith({
  labels = 40,
  drawn = labels,
  of = cases,
  labelled,
  metric,
  lacking = 0,
  failing = 0,
}: Given) {
  const jobOf = (place: number, side: number): number => 1 + place * 2 + side;
  const answerOf = (place: number, side: number): string => `answer ${place} of ${side}`;
  const people: PeopleLabels = new Map(
    Array.from({ length: labels }, (_, place) => place).flatMap((place) =>
      [0, 1].map((side) => {
        const value = side === 0 && place % 4 === 0 ? 0 : 1;
        return [jobOf(place, side), { value, answer: answerMark(labelled ?? answerOf(place, side)) }] as const;
      }),
    ),
  );
  const chosen = Array.from({ length: drawn }, (_, place) => {
    return [place + 1, { part: 0, probability: drawn / cases }] as const;
  });
  const draw: LabelDraw = { cases: new Map(chosen), of };
  const compared: ComparedMetric = { ...passing(), judge: "unchecked", people, ...metric };
  const pairs = [{ baseline: 0, candidate: 1, ...(drawn > 0 && { drawn: draw }) }];
  const stream = comparisonStream({ ...settings, pairs, metrics: [compared], maxErrorShare: 1 });
  for (let place = 0; place < cases; place++) {
    const job = (target: typeof prod, side: number) => {
      const jobId = jobOf(place, side);
      if (side === 1 && place >= cases - lacking) return unfinished(target, { jobId, outcome: "missing" });
      return answered(target, { output_text: [answerOf(place, side)] }, { jobId, ...scored(place >= failing) });
    };
    stream.add(aCase(`k${place}`, [job(prod, 0), job(candidate, 1)], { caseId: place + 1 }));
  }
  return stream.summary();
}

describe("a gate of a judge", () => {
  test("is decided by people's labels of a draw", () => {
    const { people, decided, state } = gateWith({});
    expect(people).toMatchObject({ labels: 40, cases, better: 10, worse: 0, refused: null, corrected: { lambda: 0 } });
    expect(people?.judge.estimate).toBe(0);
    expect(decided?.by).toBe("corrected-t");
    expect(state).toBe("pass");
  });

  test("of a judge that always says the same is the labels' alone, and says so", () => {
    const { always } = summaryWith({});
    expect(always).toEqual({ value: 1, answers: 160 });
    expect(summaryWith({ metric: { judge: "checked" }, failing: 1 }).always).toBeUndefined();
  });

  test("is decided by the usual rule where every case has labels", () => {
    const { people, decided } = gateWith({ labels: cases, drawn: 0 });
    expect(people).toMatchObject({ labels: cases, refused: null, corrected: null });
    expect(decided?.by).toBe("exact-score");
  });

  test.each([
    ["its labels (40 rows) are no random draw", { drawn: 0 }],
    ["too few labels: 19 rows of at least 20", { labels: 19 }],
    ["the draw is incomplete: 40 of 50 rows have labels", { drawn: 50 }],
    ["the draw is of other rows: 10 rows more were answered after it", { of: cases - 10 }],
    ["the draw is incomplete", { labelled: "another text", drawn: 40 }],
  ] as const)("says why the labels decide nothing: %s", (why, given) => {
    const { people, decided } = gateWith(given);
    const refused = people?.refused ?? null;
    expect(refused === null ? "" : causeWords(refused)).toContain(
      why === "the draw is incomplete" ? "labels of both answers" : why,
    );
    expect(people?.corrected).toBeNull();
    expect(decided?.by).not.toBe("corrected-t");
  });

  test("counts labels of an answer that has another text now, and uses none", () => {
    expect(gateWith({ labelled: "another text" }).people).toMatchObject({ labels: 0, stale: 80 });
  });

  test("leaves out the cases that the judge was written with, labelled or not, and says how many", () => {
    const isExample = ({ key }: { key: string }): boolean => Number(key.slice(1)) % 8 === 0;
    const { people } = gateWith({ labels: 48, metric: { isExample } });
    expect(people).toMatchObject({ cases: 70, examples: 10, labels: 42, better: 6, unlabelled: 0, refused: null });
    const all = gateWith({ metric: { isExample: () => true } });
    expect(all.people?.refused).toEqual({ kind: "all-examples" });
    // They were among the cases that could be drawn: nothing came later.
    expect(gateWith({ labels: 48, of: cases - 1, metric: { isExample } }).people?.refused).toEqual({
      kind: "drawn-before",
      rows: 1,
    });
  });

  test("takes a few lost labels out of the chance of their part", () => {
    const { people } = gateWith({ labels: 38, drawn: 40 });
    expect(people).toMatchObject({ labels: 38, unlabelled: 2, refused: null });
  });

  test("is open where it asks for labels that do not decide", () => {
    const asking: Partial<ComparedMetric> = { gates: [{ kind: "margin", margin: 0.05, by: null, require: "labels" }] };
    const { state, word, reason, settle } = gateWith({ drawn: 0, metric: asking });
    expect({ state, word, settle }).toEqual({ state: "inconclusive", word: "cannot-tell", settle: null });
    expect(reason).toMatchObject({ kind: "labels-required", metric: "correct", why: { kind: "not-drawn" } });
    expect(gateWith({ metric: asking }).state).toBe("pass");
  });

  test("is decided by people although the judge is no better than chance", () => {
    const chance = { judge: "chance" } as const;
    expect(gateWith({ drawn: 0, metric: chance }).state).toBe("inconclusive");
    expect(gateWith({ metric: chance }).state).toBe("pass");
  });

  test("does not pass by labels where the candidate lacks too many answers", () => {
    expect(gateWith({ of: cases - 30, lacking: 30 }).state).toBe("inconclusive");
  });
});

test("a mark of an answer stays where white space around it changes, and no other", () => {
  expect(answerMark(" yes \n")).toBe(answerMark("yes"));
  expect(answerMark("yes")).not.toBe(answerMark("Yes"));
});
