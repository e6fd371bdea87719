import { describe, expect, test } from "vitest";
import { seededRandom } from "../../src/lib/random.ts";
import { scorerSpecs } from "../../src/score/contract/spec.ts";
import type { Answer, Laxity } from "../../src/score/contract/scorer.ts";
import { AnswerSample, isTried, laxityOf, saying } from "../../src/score/laxity.ts";
import { type MadeScorer, makeScorers } from "../../src/score/make.ts";
import { withLaxityOf, withoutLaxity } from "../../src/store/scores/stored-scorer.ts";

interface Row {
  expected: string;
  said: string;
}

async function made(entry: Record<string, unknown>): Promise<MadeScorer> {
  const [scorer] = await makeScorers(scorerSpecs([{ clean: false, not: false, ...entry }]), {
    trust: null,
    timeoutMs: 1000,
  });
  if (scorer === undefined) throw new Error("no scorer");
  return scorer;
}

function answerOf({ expected, said }: Row, place = 0): Answer {
  const row = { key: `k${place}`, input: {}, expected, cluster: `k${place}`, turn: 1, tags: {}, columns: {} };
  return saying({ case: row, endpoint: "video-bots" }, said);
}

const sampleOf = (rows: readonly Row[]): Answer[] => rows.map(answerOf);

const random = seededRandom("sheets");

/** Rows of which each expects one of some labels, with these shares; the bot is right in so many. */
function labelled(n: number, shares: Readonly<Record<string, number>>, right: number): Row[] {
  const labels = Object.keys(shares);
  const draw = (): string => {
    let left = random();
    return labels.find((label) => (left -= shares[label] ?? 0) < 0) ?? labels[0] ?? "";
  };
  return Array.from({ length: n }, () => {
    const expected = draw();
    const others = labels.filter((label) => label !== expected);
    return { expected, said: random() < right ? expected : (others[Math.floor(random() * others.length)] ?? "") };
  });
}

const shareOf = (found: Laxity | null): number => (found === null ? Number.NaN : found.passing / found.asked);

describe("how often a scorer passes answers of other rows", () => {
  test("ordinary sheets stay far below four in five: yes and no, A to D, spam, sentiment, refusals", async () => {
    const icontains = await made({ type: "icontains" });
    const equals = await made({ type: "equals" });
    const sheets: [MadeScorer, Row[]][] = [
      ...[0.6, 0.8, 0.9].map((yes): [MadeScorer, Row[]] => [icontains, labelled(100, { yes, no: 1 - yes }, 0.8)]),
      [equals, labelled(100, { A: 0.7, B: 0.1, C: 0.1, D: 0.1 }, 0.6)],
      [equals, labelled(100, { spam: 0.1, ham: 0.9 }, 0.95)],
      [icontains, labelled(100, { positive: 0.7, negative: 0.2, neutral: 0.1 }, 0.8)],
      [icontains, labelled(100, { "cannot help": 0.95, Paris: 0.05 }, 0.98)],
    ];
    for (const [scorer, rows] of sheets) {
      const found = laxityOf(scorer, sampleOf(rows));
      expect(found?.of).toBe("rows");
      expect(shareOf(found)).toBeLessThan(0.6);
    }
  });

  test("an answer with every label passes all of them, and one is kept as the example", async () => {
    const rows = labelled(100, { yes: 0.5, no: 0.5 }, 1).map((row) => ({ ...row, said: "yes or no" }));
    const found = laxityOf(await made({ type: "icontains" }), sampleOf(rows));
    expect(found).toMatchObject({ of: "rows", asked: 200, passing: 200, withinText: true });
    expect(found?.example?.answer).toBe("yes or no");
  });

  test("rows that expect the same but for case and white space are no pair", async () => {
    const rows = Array.from({ length: 30 }, (_, i) => ({ expected: ["Yes", "yes ", "YES"][i % 3] ?? "", said: "yes" }));
    expect(laxityOf(await made({ type: "icontains" }), sampleOf(rows))?.of).toBe("stock");
  });

  test("of fewer than twenty pairs answers that say nothing are tried instead", async () => {
    const four = labelled(4, { a: 0.5, b: 0.5 }, 1);
    expect(laxityOf(await made({ type: "icontains" }), sampleOf(four))?.of).toBe("stock");
    const all = Array.from({ length: 40 }, () => ({ expected: "a", said: "a" }));
    expect(laxityOf(await made({ type: "icontains" }), sampleOf(all))).toMatchObject({ asked: 3, passing: 2 });
    expect(laxityOf(await made({ type: "equals" }), sampleOf(all))).toMatchObject({ asked: 3, passing: 0 });
    const refusals = Array.from({ length: 40 }, () => ({ expected: "cannot", said: "I cannot." }));
    expect(laxityOf(await made({ type: "icontains" }), sampleOf(refusals))).toMatchObject({ asked: 3, passing: 1 });
  });

  test("a scorer that looks at something else, measures only, or is turned around is not tried", async () => {
    expect(isTried(await made({ type: "icontains" }))).toBe(true);
    expect(isTried(await made({ type: "token-f1", clean: true, threshold: 0.5 }))).toBe(true);
    expect(isTried(await made({ type: "icontains", value: "yes" }))).toBe(false);
    expect(isTried(await made({ type: "icontains", not: true }))).toBe(false);
    expect(isTried(await made({ type: "token-f1", clean: true }))).toBe(false);
  });

  test("does not grow with the rows, and is the same for the same rows", async () => {
    const scorer = await made({ type: "icontains" });
    const sample = (): AnswerSample => {
      const kept = new AnswerSample();
      for (let i = 0; i < 20_000; i++) {
        kept.add(() => answerOf({ expected: `answer ${i}`, said: `answer ${i % 7}` }, i), 20);
      }
      return kept;
    };
    const [one, other] = [sample(), sample()];
    expect(one.kept).toHaveLength(400);
    expect(one.kept.some(({ case: { key } }) => Number(key.slice(1)) > 10_000)).toBe(true);
    expect(laxityOf(scorer, one.kept)).toEqual(laxityOf(scorer, other.kept));
    one.add(() => {
      throw new Error("a long answer was kept");
    }, 1_000_000);
  });

  test("texts that take long to compare are tried in fewer pairs", async () => {
    const scorer = await made({ type: "edit-similarity", clean: true, threshold: 0.9 });
    const rows = Array.from({ length: 30 }, (_, i) => ({
      expected: `${i}`.repeat(14_000),
      said: `${i}`.repeat(7_000),
    }));
    const found = laxityOf(scorer, sampleOf(rows.slice(0, 6)));
    expect(found?.asked).toBeLessThan(40);
    expect(found?.asked).toBeGreaterThanOrEqual(20);
  });
});

describe("the trials of the parts of a run", () => {
  const spec = scorerSpecs([{ type: "icontains", clean: false, not: false }])[0];
  const found = (asked: number, passing: number, of: Laxity["of"] = "rows"): Laxity => {
    return { of, asked, passing, example: null, withinText: true };
  };

  test("are counted together by target, those of rows before those of stock answers", async () => {
    const { metric } = await made({ type: "icontains" });
    if (spec === undefined) throw new Error("no spec");
    const scorer = { metric, spec, code: null, graded: "now" as const };
    const parts = [
      [{ ...scorer, laxity: { prod: found(200, 10), test: found(3, 2, "stock") } }],
      [{ ...scorer, laxity: { prod: found(100, 90), test: found(50, 5) } }],
    ];
    expect(withLaxityOf(parts)[0]?.laxity).toEqual({ prod: found(300, 100), test: found(50, 5) });
    expect(withoutLaxity(parts[0] ?? [])).toEqual([scorer]);
    expect(withLaxityOf([[scorer], [scorer]])).toEqual([scorer]);
  });
});
