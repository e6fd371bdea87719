import { behaviourWords, factTexts, gateLine } from "../../src/report/say/findings.ts";
import type { ReportSummary } from "../../src/report/shape/model.ts";
import { flipBasis } from "../../src/report/say/changes.ts";
import { describe, expect, test } from "vitest";
import type { PairedResult } from "../../src/compare/cases/case-comparison.ts";
import type { ComparisonSettings } from "../../src/compare/comparison.ts";
import {
  accepting,
  aCase,
  answered,
  aTarget,
  candidate,
  failed,
  passing,
  prod,
  says,
  someCases,
  scored,
  unfinished,
} from "../compare/case-result.ts";
import { toldOf } from "./run-summary.ts";

/** The first gate in a line. */
const lineOf = ({ gates: [gate], metrics }: ReportSummary): string =>
  gate === undefined ? "" : gateLine(gate, metrics);

const behaviourOf = (model: ReportSummary): string | undefined =>
  model.behaviour.map((each) => behaviourWords(each, model))[0];

const modelOf = (results: Iterable<PairedResult>, given: Partial<ComparisonSettings> = {}) =>
  toldOf(results, {}, { metrics: [passing()], ...given }).model;

/** 40 conversations of three turns; of some the first turn fails on test, or of `whole` ones all turns. */
const talks = (lost: number, whole = 0): PairedResult[] =>
  Array.from({ length: 120 }, (_, i) =>
    aCase(`k${i}`, [says(prod, "a", scored(true)), says(candidate, "a", scored(i >= lost && i % 40 >= whole))], {
      cluster: `c${i % 40}`,
    }),
  );

const seconds = (value: number) => ({ scores: [{ value, pass: null, reason: null }] });

describe("the verdict", () => {
  test("says of a bot that stopped answering that there is no result, and tells its error once", () => {
    const error = "(HTTP 503) overloaded";
    const results = Array.from({ length: 60 }, (_, i) => {
      const lost = i < 20 ? failed(candidate, error) : i < 22 ? unfinished(candidate) : null;
      return aCase(`k${i}`, [says(prod, "a", scored(true)), lost ?? says(candidate, "a", scored(true))]);
    });
    const stopped = `the same error for case after case: ${error}`;
    const { verdict, findings } = modelOf(results, { sides: [prod, { ...candidate, stopped }] });
    expect(verdict.sentence).toBe(
      "test stopped answering. 20 of 60 rows failed, 2 never finished. This says nothing about its answers",
    );
    const [also] = findings.facts;
    const texts = also?.kind === "reasons" ? also.texts : [];
    expect([verdict.sentence, ...texts].join("\n").split(error)).toHaveLength(2);
    expect(texts[0]).toBe("test: stopped before its end: the same error for case after case: (HTTP 503) overloaded");
  });

  test("names both sides, how many cases turned, and the bound that decides beside what is allowed; the statistics stand apart", () => {
    const model = modelOf(talks(24), { clustered: true });
    const { verdict, gates, findings } = model;
    expect(verdict.sentence).toBe("test is worse than prod on `correct`: 24 of 120 rows newly fail");
    expect(lineOf(model)).toBe(
      "100 % -> 80 %, -20.0 points (likely -24.4 to -15.6, each end 95 %), limit 5 points; 24 of 120 rows worse, 0 better",
    );
    // A drop that was found is not followed by the smallest that could have been.
    expect([findings.facts, gates[0]?.smallestDrop]).toEqual([[], null]);
    expect(gates[0]?.method).toMatch(/^cluster-robust t with its one-sided bounds: /);
    expect(gates[0]?.details[0]).toBe("That it lost more than 5 points: p < 0.0001.");
  });

  test("says what drop would show also where none or few cases differ, and of a time as a share; else why none would", () => {
    const last = (results: PairedResult[], given: Partial<ComparisonSettings> = {}) =>
      modelOf(results, given).gates[0]?.smallestDrop;
    expect(last(talks(0).slice(0, 28))).toBe(
      "A drop of 22.8 points is the smallest that this gate calls a regression with 80 % power.",
    );
    expect(last(talks(0).slice(0, 4))).toBe(
      "No drop is sure to be called a regression (80 % power): 4 rows are too few, were all of them lost.",
    );
    expect(last(talks(0).slice(0, 80), { clustered: true })).toMatch(/^A drop of [\d.]+ points/);
    const { metric, ...rest } = passing({
      scale: { kind: "unbounded", unit: "s" },
      passes: false,
      lowerIsBetter: true,
    });
    const timed = someCases(30, (i) => [
      says(prod, "a", seconds(1 + (i % 3))),
      says(candidate, "a", seconds(1.1 + (i % 4))),
    ]);
    expect(last(timed, { metrics: [{ ...rest, metric, of: "ratio" }] })).toMatch(
      /^A drop of [\d.]+ % is the smallest that this gate calls a regression/,
    );
  });

  test("says how alike the cases of a conversation are, and what that costs", () => {
    const { details } = modelOf(talks(2, 8), { clustered: true }).gates[0] ?? { details: [] };
    expect(details.join("\n")).toMatch(
      /^Within the 40 conversations differences are alike \(ICC -?\d\.\d\d\): 120 rows tell as much as \d+ on their own \(design effect \d\.\d\)\.$/m,
    );
    expect(modelOf(talks(24)).gates[0]?.details.join("\n")).not.toContain("design effect");
    // Turns that differ more within a conversation than between them are no more cases than there are.
    expect(modelOf(talks(24), { clustered: true }).gates[0]?.details.join("\n")).not.toContain("design effect");
  });

  test("of runs that were repeated says how often one passes, and how often all do", () => {
    const results = someCases(40, (i) => [
      says(prod, "a", scored(true)),
      says(prod, "a", { repeat: 2, ...scored(i >= 10) }),
      says(candidate, "a", scored(true)),
    ]);
    const { notes, targets } = modelOf(results);
    expect(notes).toContain(
      "correct: prod passes in 100 % at least one of 2 runs (pass@2), in 75 % all of them (pass^2).",
    );
    expect(targets.map(({ scores }) => scores[0]?.repeated ?? null)).toEqual([
      { k: 2, cases: 40, passAtK: 1, passHatK: 0.75 },
      null,
    ]);
  });

  test("never puts an interval or a p beside its state that speaks against it", () => {
    const results = someCases(28, (i) => [says(prod, "a", scored(true)), says(candidate, "a", scored(i >= 4))]);
    const model = modelOf(results, { metrics: [{ ...passing(), gates: accepting(0.01) }] });
    const { verdict, gates } = model;
    // The two-sided interval reaches above no difference, the bound that decides does not.
    expect(verdict.state).toBe("regression");
    const [gate] = gates;
    expect(gate?.interval?.upper).toBeLessThan(-0.01);
    expect(gate?.p).toBeLessThan(0.05);
    expect(lineOf(model)).toMatch(/ \(likely -[\d.]+ to -[\d.]+, each end 9[\d.]+ %(?: or more)?\), limit 1 point; /);
  });

  test("counts what is lost where a gate counts, with no interval beside it", () => {
    const lossless = { ...passing(), gates: [{ kind: "losses" as const, losses: 0, by: null }] };
    const results = (lost: number) =>
      someCases(28, (i) => [says(prod, "a", scored(i > 0)), says(candidate, "a", scored(i >= lost))]);
    const model = modelOf(results(4), { metrics: [lossless] });
    const { verdict, gates } = model;
    expect([verdict.state, verdict.sentence]).toEqual([
      "regression",
      "3 of 28 rows newly fail in test on `correct`; the limit is 0",
    ]);
    expect(factTexts(model)).toContain(
      "Each row was asked once, and may fail by chance. Ask each three times: `--repeats 3`.",
    );
    const thrice = someCases(28, (i) =>
      [1, 2, 3].flatMap((repeat) => [
        says(prod, "a", { ...scored(true), repeat }),
        says(candidate, "a", { ...scored(i > 0), repeat }),
      ]),
    );
    const asked = modelOf(thrice, { metrics: [lossless] });
    expect([asked.verdict.state, factTexts(asked)]).toEqual(["regression", []]);
    expect(gates[0]).toMatchObject({ name: "correct (losses)", interval: null, p: null, margin: null });
    expect(modelOf(results(0), { metrics: [lossless] }).verdict.sentence).toBe(
      "0 of 28 rows newly fail in test on `correct`, 1 newly passes; the limit is 0; this tells of these rows alone",
    );
  });

  test("says by how much it is not worse, and that others passed too", () => {
    const second = { ...passing({ name: "polite" }), places: new Map([1, 2].map((id) => [id, 0])) };
    const { verdict } = modelOf(talks(0), { metrics: [passing(), second] });
    expect(verdict.state).toBe("pass");
    expect(verdict.sentence).toMatch(/^test is as good as prod on `correct`, within the limit of 5 points/);
  });

  test("with a loss within the limit does not claim that nothing is lost", () => {
    const results = someCases(200, (i) => [
      says(prod, "a", scored(i > 0)),
      says(candidate, "a", scored(i > 2 || i === 0)),
    ]);
    const { verdict } = modelOf(results);
    expect(verdict.state).toBe("pass");
    expect(verdict.sentence).toMatch(
      /^test is as good as prod on `correct`, within the limit of 5 points: 2 of 200 rows newly fail, 1 newly passes$/,
    );
  });

  test("with a loss at both ends is worse, and only the limit is open", () => {
    const results = someCases(58, (i) => [says(prod, "a", scored(true)), says(candidate, "a", scored(i > 5))]);
    const { verdict, gates } = modelOf(results);
    expect(verdict).toMatchObject({ state: "inconclusive", word: "worse", claim: "worse" });
    expect(gates[0]?.sureLoss).toMatchObject({ confidence: 0.99 });
    // The bound of 99 % is the one that is said, drawn and listed.
    expect(gates[0]?.interval?.upper).toBe(gates[0]?.sureLoss?.upper);
    expect(gates[0]).toMatchObject({ confidence: 0.95, upperConfidence: 0.99 });
    expect(verdict.sentence).toMatch(/^test is worse than prod on `correct`: 6 of 58 rows newly fail$/);
  });

  test("says what would settle it when it cannot be told", () => {
    const { verdict, gates } = modelOf(talks(1).slice(0, 30));
    expect(verdict.sentence).toMatch(
      /^1 of 30 rows newly fails in test on `correct`, none newly pass; \d newly failing rows would prove a regression$/,
    );
    expect(gates[0]?.advice).toBe(
      "First ask each row 3 times (`--repeats 3`), to see which changes are chance. 30 rows cannot decide it, nor can a few more: a limit of 5 points takes about 1,400; go by the rows that changed. To decide by these rows alone from the next run on, put `repeats: 3` and `gates: [{ metric: correct, losses: 0 }]` into the suite",
    );
  });

  test("says beside the cases why they do not add up to the loss: a side was asked twice", () => {
    const results = someCases(40, (i) => [
      says(prod, "a", scored(i !== 39)),
      says(prod, "a", { repeat: 2, ...scored(i > 9 && i !== 39) }),
      says(candidate, "a", scored(i > 19)),
    ]);
    const { verdict, findings } = modelOf(results);
    expect(verdict.sentence).toContain("test is worse than prod on `correct`: 20 of 40 rows worse, 1 better");
    expect(flipBasis(modelOf(results))).toBe("rows whose tries differ are not counted");
    expect(findings.facts).toContainEqual({ kind: "runs", targets: [{ target: "prod", runs: 2 }], halves: true });
    const once = results.map(({ key }, i) =>
      aCase(key, [says(prod, "a", scored(true)), says(candidate, "a", scored(i > 19))]),
    );
    expect(flipBasis(modelOf(once))).toBeNull();
    expect(modelOf(once).findings.facts).toEqual([]);
  });

  test("advises a number of cases that adds up with those there are", () => {
    for (const length of [37, 45, 55]) {
      const advice = modelOf(talks(1).slice(0, length)).gates[0]?.advice ?? "";
      const [, more = "", all = ""] = /Add ([\d,]+) rows \(([\d,]+) in all\)/.exec(advice) ?? [];
      expect(Number(all.replaceAll(",", ""))).toBe(length + Number(more.replaceAll(",", "")));
    }
  });

  test("of a score tells its scale with the first loss", () => {
    const metric = {
      ...passing({ name: "similar", scale: { kind: "bounded", min: 0, max: 100 }, passes: false }),
      of: "value" as const,
      gates: accepting(5),
    };
    const value = (found: number) => ({ scores: [{ value: found, pass: null, reason: null }] });
    const results = someCases(40, (i) => [says(prod, "a", value(80)), says(candidate, "a", value(60 + (i % 3)))]);
    expect(modelOf(results, { metrics: [metric] }).verdict.sentence).toMatch(
      /^test is worse than prod on `similar`: 19.0 points lower$/,
    );
  });

  test("of a comparison with incomplete data says why in the same sentence", () => {
    const results = talks(0).map((each, i) =>
      i % 2 === 0 ? each : aCase(each.key, [says(prod, "a", scored(true)), failed(candidate, "boom")]),
    );
    expect(modelOf(results).verdict).toEqual({
      state: "invalid",
      word: "invalid",
      claim: "none",
      metric: null,
      sentence:
        'test gave no answer in 60 of 120 rows (50 %, at most 5 % may be without one). The reason: run-failed: "boom". If this repeats, users get no answer either',
    });
    expect(modelOf(results).findings.headline).toMatchObject({ kind: "invalid", quotes: true });
  });

  test("says slower where lower is better, and so do its bounds", () => {
    const results = someCases(40, (i) => [
      says(prod, "a", seconds(2 + (i % 5))),
      says(candidate, "a", seconds(3 + (i % 5) + (i % 3) / 10)),
    ]);
    const metric = {
      ...passing({ name: "seconds", scale: { kind: "unbounded", unit: "s" }, passes: false, lowerIsBetter: true }),
      gates: accepting(0.5),
    };
    const model = modelOf(results, { metrics: [metric] });
    expect(model.verdict.sentence).toMatch(/^test is worse than prod on `seconds`: 1.10 s slower$/);
    expect(lineOf(model)).toMatch(
      /^4 s -> 5.\d+ s, \+1.10 s \(likely \+1.08 to \+1.12, each end 95 %(?: or more)?\), limit 0.500 s; /,
    );
    const ratio = { ...metric, of: "ratio" as const, gates: accepting(0.1) };
    expect(lineOf(modelOf(results, { metrics: [ratio] }))).toMatch(
      /, × 1.31 \(likely × 1.2\d to × 1.3\d, each end 95 %(?: or more)?\), /,
    );
  });

  test("without anything to compare tells what was answered, or what differs", () => {
    const alone = modelOf([aCase("a", [says(prod, "x")])], { sides: [prod], pairs: [], metrics: [] });
    expect(alone.verdict).toEqual({
      state: "none",
      word: null,
      claim: "none",
      metric: null,
      sentence: "prod answered 1 of 1 request",
    });
    expect(factTexts(alone)).toEqual(["no scorer grades the answers: `tandem score --scorer not-empty` does"]);
    expect(modelOf([aCase("a", [says(prod, "x"), says(candidate, "y")])], { metrics: [] }).verdict.sentence).toBe(
      "test answers 1 of 1 row differently from prod; not graded",
    );
  });

  test("of one target is its score with its interval, and by the values of tags the lowest first, by which nothing is decided", () => {
    const results = Array.from({ length: 40 }, (_, place) =>
      aCase(`k${place}`, [says(prod, "x", scored(place % 4 !== 0 && place < 30))], {
        tags: { kind: place >= 30 ? "typo" : "plain", part: "" },
      }),
    );
    const { verdict, targets } = modelOf(results, { sides: [prod], pairs: [] });
    expect(verdict).toMatchObject({
      state: "none",
      sentence: "prod passes 22 of 40 rows on `correct`",
    });
    expect(targets[0]?.byTag).toMatchObject([
      { tag: "kind", value: "typo", cases: 10, mean: 0 },
      { tag: "kind", value: "plain", cases: 30 },
    ]);
    expect(modelOf(results).targets[0]).not.toHaveProperty("byTag");
  });

  test("of several candidates is about the one that lost", () => {
    const third = aTarget(3, "third");
    const pairs = [1, 2].map((place) => ({ baseline: 0, candidate: place }));
    const results = talks(0).map(({ key }, i) =>
      aCase(key, [
        says(prod, "a", scored(true)),
        says(candidate, "a", scored(true)),
        says(third, "a", scored(i % 2 === 0)),
      ]),
    );
    const { sentence } = modelOf(results, { sides: [prod, candidate, third], pairs }).verdict;
    expect(sentence).toMatch(/^third is worse than prod on `correct`: 60 of 120 rows newly fail/);
  });
});

describe("what stands behind a gate", () => {
  test("has what a run costs beside it, where prices differ", () => {
    const [cheap, dear] = [aTarget(1, "prod", { price: 0.02 }), aTarget(2, "test", { price: 0.05 })];
    const costs = (sides: (typeof prod)[]) =>
      modelOf(talks(0), { sides }).notes.filter((note) => note.includes("cost"));
    expect(costs([cheap, dear])).toEqual([
      "A run of test costs 2.50 times as much as one of prod (0.05 against 0.02).",
    ]);
    expect(costs([cheap, { ...dear, price: 0.02 }])).toEqual([]);
    // Runs of a stopped batch that were never sent cost nothing, and make no run cheaper.
    const spared = talks(0).map((result, i) => ({
      ...result,
      jobs: result.jobs.map((job) =>
        i % 3 === 0 && job.targetId === 2 ? unfinished(dear, { outcome: "spared" }) : job,
      ),
    }));
    const { notes } = modelOf(spared, { sides: [cheap, dear] });
    expect(notes.find((note) => note.includes("costs"))).toBe(
      "A run of test costs 2.50 times as much as one of prod (0.05 against 0.02).",
    );
    expect(costs([cheap, { ...dear, price: null }])).toEqual([]);
  });

  test("of a score without bounds that never varies cannot tell, and shows no bound", () => {
    const { metric, ...rest } = passing({ passes: false, scale: { kind: "unbounded", unit: null } });
    const five = { scores: [{ value: 5, pass: null, reason: null }] };
    const results = someCases(30, () => [says(prod, "a", five), says(candidate, "a", five)]);
    const { verdict, gates } = modelOf(results, { metrics: [{ ...rest, metric, of: "value", gates: accepting(1) }] });
    expect(gates[0]?.interval).toBeNull();
    expect([verdict.word, verdict.sentence]).toEqual([
      "cannot-tell",
      expect.stringContaining("Nothing varied in 30 rows"),
    ]);
  });

  test("says at which level it decides where alpha is spent over several nights", () => {
    const details = (nights: number) => modelOf(talks(24), { nights, alpha: 0.0017 }).gates[0]?.details[0];
    expect(details(1)).toBe("It decides at p 0.002: it asks for more than at the usual 0.05.");
    expect(details(30)).toMatch(/^It calls a regression at p 0.002, its share of the 30 nights/);
  });

  test("does not count the age of a pin among the cautions", () => {
    const late = { ...scored(true), sentAt: 90 * 60_000, doneAt: 90 * 60_000 + 100 };
    const results = talks(0).map(({ key }) => aCase(key, [says(prod, "a", scored(true)), says(candidate, "a", late)]));
    expect(modelOf(results).cautions).toHaveLength(1);
    const { cautions, notes } = modelOf(results, { fixedBaseline: true });
    expect(cautions).toEqual([]);
    expect(notes.join(" ")).toContain("what changed in between");
  });

  test("counts the scores that were edited, and those that are made of them", () => {
    const edit = { author: "Ada", at: 1, was: { value: 0, pass: false, reason: "" } };
    const results = talks(0).map(({ key }, i) => {
      const [own] = scored(true).scores;
      const made = { value: 1, pass: true, reason: "", edit: { ...edit, from: ["correct"] } };
      const scores = i > 1 || own === undefined ? [own] : [{ ...own, edit }, made];
      return aCase(key, [says(prod, "a", scored(true)), says(candidate, "a", { scores })]);
    });
    expect(modelOf(results).cautions).toEqual([
      "test: 2 scores edited by hand, and 2 made of them computed again; who did, and why, stands with the answers.",
    ]);
  });

  test("holds the pairs that were answered alone, and that answers could not be scored", () => {
    const unscored = { scores: [{ value: null, pass: null, reason: "unreadable" }] };
    const results = talks(0).map((each, i) => {
      if (i < 2) return aCase(each.key, [says(prod, "a", scored(true)), failed(candidate, "boom")]);
      return i === 2 ? aCase(each.key, [says(prod, "a", scored(true)), says(candidate, "a", unscored)]) : each;
    });
    const { details } = modelOf(results).gates[0] ?? { details: [] };
    expect(details.join("\n")).toMatch(/^Among those answered: 0.0 points \(.*; 2 runs brought no answer\.$/m);
    expect(details).toContain("1 answer could not be scored: left out.");
  });
});

describe("whether answers changed", () => {
  test("does not count answers that vary as the baseline does", () => {
    const [one, other] = ["Gladly! It opens at nine.", "It opens at nine."];
    const results = Array.from({ length: 80 }, (_, i) =>
      aCase(`k${i}`, [
        says(prod, one, scored(true)),
        says(prod, other, { repeat: 2, ...scored(true) }),
        says(candidate, i % 2 === 0 ? one : other, scored(true)),
        says(candidate, other, { repeat: 2, ...scored(true) }),
      ]),
    );
    const model = modelOf(results);
    expect([model.verdict.state, model.behaviour[0]?.differ]).toEqual(["pass", 80]);
    expect(model.findings.facts.filter(({ kind }) => kind === "changed")).toEqual([]);
  });

  test("says that other words are not wrong ones, and only what is worded differently is said to be", () => {
    const reported = (now: (answer: string) => { output_text: string[]; finish_reason?: string[] }) => {
      const results = Array.from({ length: 40 }, (_, i) => {
        const was = `Answer number ${i} of the help desk`;
        return aCase(`k${i}`, [says(prod, was), says(prod, was, { repeat: 2 }), answered(candidate, now(was))]);
      });
      return behaviourOf(modelOf(results));
    };
    expect(reported(() => ({ output_text: ["Nobody knows"], finish_reason: ["stop"] }))).toBe(
      "test behaves differently from prod: answers changed in 40 of 40 rows",
    );
    expect(reported((was) => ({ output_text: [was] }))).toBe(
      "test behaves differently from prod: answers changed in 40 of 40 rows",
    );
  });

  test("counts no answer as usual variation that is as before, and says what else differs where answers do not", () => {
    const results = Array.from({ length: 40 }, (_, i) => {
      const base = [says(prod, "one answer"), says(prod, i < 20 ? "one answer" : "another answer", { repeat: 2 })];
      if (i < 15) return aCase(`k${i}`, [...base, failed(candidate, "overloaded")]);
      return aCase(`k${i}`, [...base, says(candidate, i < 30 ? "one answer" : "another answer")]);
    });
    const model = modelOf(results);
    const [behaviour] = model.behaviour;
    expect(behaviourOf(model)).toBe(
      "test behaves differently from prod: 15 of 40 rows ended in another way, such as without an answer",
    );
    // Of those that vary by themselves one answer of the baseline is another, whichever the candidate gave.
    expect(behaviour?.measured).toMatch(/ 20 of 25 answers differ, 20 of them no more than prod varies by itself\.$/);
  });

  test("is a sentence by itself, that says when the noise is not known", () => {
    expect(behaviourOf(modelOf(talks(0)))).toBe("0 of 120 answers of test differ from those of prod");
  });
});

test("few conversations that look alike are not said to behave alike: they could not have shown it", () => {
  const results = Array.from({ length: 12 }, (_, i) =>
    aCase(`k${i}`, [says(prod, "a"), says(prod, "a", { repeat: 2 }), says(candidate, "a")], { cluster: `c${i % 3}` }),
  );
  const few = modelOf(results, { clustered: true });
  expect(few.behaviour[0]).toMatchObject({ changed: null });
  expect(behaviourOf(few)).toBe("test beside prod: too few conversations to know: 3, and it takes 5 or more");
  const enough = modelOf(
    results.map((each, i) => ({ ...each, cluster: `c${i}` })),
    { clustered: true },
  );
  expect(behaviourOf(enough)).toBe("test gives the same answers as prod");
});

test.each([
  ["test was asked second in 97 % of rows: a cache may have helped", 2],
  ["prod was asked second in 97 % of rows: a cache may have helped", 58],
  [null, 12],
])("of gated times the side that was asked second in more than 80 %% of rows is named: %s", (said, first) => {
  const results = Array.from({ length: 60 }, (_, i) => {
    const [early, late] = [1_000 * i, 1_000 * i + 400];
    const isFirst = i < first;
    return aCase(`k${i}`, [
      says(prod, "a", { ...seconds(1 + i / 60), sentAt: isFirst ? late : early }),
      says(candidate, "a", { ...seconds(0.5 + i / 60), sentAt: isFirst ? early : late }),
    ]);
  });
  const time = passing({ scale: { kind: "bounded", min: 0, max: 10, unit: "s" }, passes: false, lowerIsBetter: true });
  const model = modelOf(results, { metrics: [{ ...time, gates: accepting(0.2) }] });
  const lines = factTexts(model).filter((text) => text.startsWith("times: "));
  expect(lines).toEqual(said === null ? [] : [`times: ${said}`]);
  // Of passes nothing is said of it.
  expect(factTexts(modelOf(results.map((each) => each))).filter((text) => text.startsWith("times: "))).toEqual([]);
});
