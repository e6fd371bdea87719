import { describe, expect, test } from "vitest";
import { type BiasFinding, biasFindings, type ObservedErrors } from "../../src/app/judge/bias-findings.ts";
import { checkVerdict } from "../../src/app/judge/finding-words.ts";
import { findingWords } from "../../src/app/judge/finding-words.ts";
import type { Answer } from "../../src/score/contract/scorer.ts";
import type { Preference } from "../../src/score/judge/pairwise.ts";
import type { ProbeGrade } from "../../src/score/probes/asked-probes.ts";
import { type JudgeProbe, type ProbeName, probeNames } from "../../src/score/probes/probe-plan.ts";
import { differenceOf } from "../../src/stats/difference.ts";

const answer = (unit: number, cluster = `c${unit}`): Answer => ({
  case: { key: `k${unit}`, input: {}, expected: null, cluster, turn: 1, tags: {}, columns: {} },
  target: "one",
  endpoint: "video-bots",
  repeat: 1,
  outcome: "ok",
  answer: "answered",
  record: null,
  error: null,
  latencyMs: null,
  firstMs: null,
  usage: null,
  attempts: 1,
});

const probe = (kind: JudgeProbe["kind"], unit: number, more: Partial<JudgeProbe> = {}): JudgeProbe => {
  return { kind, unit, variant: "", repeat: 0, answer: answer(unit), other: null, ...more };
};

const graded = (of: JudgeProbe, value: number | null, pair: ProbeGrade["pair"] = null): ProbeGrade => {
  return {
    probe: of,
    score: value === null ? { unscored: "nonsense" } : { value, pass: value >= 0.5, reason: "" },
    pair,
  };
};

const pairOf = (unit: number, first: Preference, second: Preference, cluster?: string): ProbeGrade => {
  const value = first !== second || first === "tie" ? 0.5 : first === "candidate" ? 1 : 0;
  return graded({ ...probe("plain", unit), answer: answer(unit, cluster), other: answer(unit) }, value, [
    first,
    second,
  ]);
};

const nobody: ObservedErrors = { pairs: [] };
const scale = { kind: "bounded", min: 0, max: 1 } as const;

function found(
  grades: readonly ProbeGrade[],
  names: readonly ProbeName[] = probeNames,
  observed = nobody,
): BiasFinding[] {
  return biasFindings(grades, { metric: { scale, lowerIsBetter: false }, observed, probes: names });
}

const one = (findings: readonly BiasFinding[], name: BiasFinding["probe"], variant = ""): BiasFinding => {
  const finding = findings.find((each) => each.probe === name && each.variant === variant);
  if (finding === undefined) throw new Error(`nothing of ${name}`);
  return finding;
};

const numbered = <Made>(count: number, make: (at: number) => Made): Made[] =>
  Array.from({ length: count }, (_, at) => make(at));

describe("the order of two answers", () => {
  /** 31 pairs in which the first one shown wins in both orders, 14 the second one, and the rest agree. */
  const leaning = numbered(100, (at) =>
    at < 31
      ? pairOf(at, "candidate", "baseline")
      : at < 45
        ? pairOf(at, "baseline", "candidate")
        : pairOf(at, "candidate", "candidate"),
  );

  test("is McNemar's mid-p of first against second, with the interval of the score test and the share that disagrees", () => {
    const finding = one(found(leaning, ["order"]), "order");
    expect(finding).toMatchObject({ cases: 100, estimate: 0.17, state: "alarm" });
    // Twice P(Bin(45, .5) < 14) plus P(= 14), with whole numbers.
    expect(finding.p).toBeCloseTo(0.011_351_591_4, 9);
    expect(finding.interval).toEqual(
      differenceOf({
        differences: new Float64Array(0),
        clusters: null,
        counts: { bothPass: 0, onlyA: 31, onlyB: 14, bothFail: 55 },
        range: 1,
      }).interval(0.95),
    );
    expect(finding.more[0]).toMatchObject({ name: "disagreeing", value: 0.45 });
    expect(checkVerdict([finding]).verdict).toBe("alarm: prefers the answer shown first");
  });

  test("counts a pair once, and turns of a conversation as one", () => {
    const talks = numbered(100, (at) =>
      pairOf(at, at < 31 ? "candidate" : "baseline", "baseline", `talk ${Math.floor(at / 10)}`),
    );
    const finding = one(found(talks, ["order"]), "order");
    expect(finding.cases).toBe(100);
    // Ten conversations, three of which lean: nothing is sure.
    expect(finding.state).toBe("inconclusive");
  });

  test("is fine where no more than five points are possible, and open where few pairs were asked", () => {
    expect(
      one(
        found(
          numbered(80, (at) => pairOf(at, "tie", "tie")),
          ["order"],
        ),
        "order",
      ).state,
    ).toBe("fine");
    expect(
      one(
        found(
          numbered(40, (at) => pairOf(at, "tie", "tie")),
          ["order"],
        ),
        "order",
      ).state,
    ).toBe("inconclusive");
  });
});

describe("Holm over the lines of a check", () => {
  test("takes an alarm back that one line alone would have given", () => {
    // 12 of 60 longer answers get more, 4 less.
    const longer = numbered(60, (unit) => [
      graded(probe("plain", unit), 0.5),
      graded(probe("padded", unit), unit < 12 ? 1 : unit < 16 ? 0 : 0.5),
    ]).flat();
    const steep = numbered(60, (at) => ({
      x: at % 2 === 0 ? 0.4 : -0.4,
      y: (at % 3) * 0.3 - 0.3 + (at % 2) * 0.02,
      cluster: `c${at}`,
      weight: 1,
    }));
    const planted = (findings: readonly BiasFinding[]): BiasFinding | undefined =>
      findings.find(({ of }) => of === "planted");
    const alone = planted(found(longer, ["length"]));
    const among = planted(found(longer, ["length"], { pairs: steep }));
    expect(alone?.adjusted).toBe(alone?.p);
    expect(among?.adjusted).toBeCloseTo(2 * (alone?.p ?? 0), 12);
    expect([alone?.state, among?.state]).toEqual(["alarm", "inconclusive"]);
  });
});

describe("planted wrong answers", () => {
  const of = (count: number, missed: number): BiasFinding => {
    const plain = numbered(count, (unit) => graded(probe("plain", unit), 1));
    const wrong = numbered(count, (unit) => graded(probe("wrong", unit, { variant: "half" }), unit < missed ? 1 : 0.2));
    return one(found([...plain, ...wrong], ["wrongs"]), "wrongs", "half");
  };

  test.each([
    [44, 3, "fine"],
    [44, 4, "alarm"],
    [50, 4, "fine"],
    [50, 5, "alarm"],
    [20, 0, "fine"],
    [15, 0, "inconclusive"],
    [20, 12, "alarm"],
  ] as const)("%i with %i that are not found are %s", (count, missed, state) => {
    expect(of(count, missed).state).toBe(state);
  });

  test("count only where the right one has more than the lowest mark", () => {
    const plain = numbered(50, (unit) => graded(probe("plain", unit), unit < 20 ? 0 : 1));
    const wrong = numbered(50, (unit) => graded(probe("wrong", unit, { variant: "empty" }), 0));
    expect(one(found([...plain, ...wrong], ["wrongs"]), "wrongs", "empty")).toMatchObject({
      cases: 30,
      estimate: 1,
      state: "fine",
    });
  });
});

describe("a judge and itself", () => {
  const asked = (count: number, flips: number): BiasFinding =>
    one(
      found(
        numbered(count, (unit) =>
          [0, 1, 2].map((repeat) =>
            graded(probe("plain", unit, { repeat }), repeat === 2 && unit < flips ? 0.45 : 0.55),
          ),
        ).flat(),
        ["consistency"],
      ),
      "consistency",
    );

  test("is fine up to a tenth of the answers, sure from the interval on, and open with few answers", () => {
    expect(asked(40, 0)).toMatchObject({ state: "fine", cases: 40, estimate: 0 });
    expect(asked(40, 4).state).toBe("fine");
    expect(asked(40, 5).state).toBe("inconclusive");
    expect(asked(40, 12).state).toBe("alarm");
    expect(asked(20, 0).state).toBe("inconclusive");
  });

  test("is an alarm where its marks scatter without a verdict that changes", () => {
    const grades = numbered(40, (unit) =>
      [0, 1, 2].map((repeat) => graded(probe("plain", unit, { repeat }), 0.55 + 0.2 * repeat)),
    ).flat();
    expect(one(found(grades, ["consistency"]), "consistency").state).toBe("alarm");
  });
});

describe("a judge beside people", () => {
  const points = numbered(60, (at) => ({
    x: at % 2 === 0 ? 0.4 : -0.4,
    y: (at % 2 === 0 ? 0.2 : 0) + (at % 3) * 0.01,
    cluster: `c${at}`,
    weight: 1,
  }));

  test("leans to length by the slope of its errors, for half as many characters more", () => {
    const finding = one(
      found([], ["length"], { ...nobody, pairs: points }).filter(({ of }) => of === "observed"),
      "length",
    );
    expect(finding.state).toBe("alarm");
    expect(finding.estimate).toBeCloseTo((0.2 / 0.8) * Math.log(1.5), 2);
  });

  test("is not tested by fewer than 20 labels", () => {
    const few = found([], ["length"], { ...nobody, pairs: points.slice(0, 19) }).find(({ of }) => of === "observed");
    expect(few).toMatchObject({ state: "untested", reason: "fewer than 20 labelled rows" });
  });
});

describe("the verdict", () => {
  test("of a judge whose replies are missing is that nothing can be told", () => {
    const grades = numbered(40, (unit) => graded(probe("plain", unit), unit < 10 ? null : 1));
    const findings = found(grades, ["consistency"]);
    expect(checkVerdict(findings)).toEqual({ state: "inconclusive", verdict: "too few replies to tell" });
    expect(findingWords(findings[0] as BiasFinding).said).toContain("nonsense");
  });

  test("of a judge that always says the same names that first", () => {
    const grades = numbered(50, (unit) => [
      graded(probe("plain", unit), 0.7),
      graded(probe("wrong", unit, { variant: "empty" }), 0.7),
    ]).flat();
    expect(checkVerdict(found(grades)).verdict).toMatch(/^alarm: gives every answer the same mark/);
  });

  test("is fit to use where all is fine, and nothing where nothing was tried", () => {
    expect(checkVerdict(found([], ["length"]))).toEqual({ state: "inconclusive", verdict: "nothing could be tested" });
  });
});
