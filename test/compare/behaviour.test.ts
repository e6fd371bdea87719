import { behaviourReason } from "../../src/report/say/behaviour.ts";
import { describe, expect, test } from "vitest";
import type { PairedResult } from "../../src/compare/cases/case-comparison.ts";
import { comparisonStream, type ComparisonSettings } from "../../src/compare/comparison.ts";
import { compareCases } from "./compare-cases.ts";
import type { CandidateSummary } from "../../src/compare/summary/candidate-summary.ts";
import type { JsonObject } from "../../src/lib/json.ts";
import { seededRandom, type Random } from "../../src/lib/random.ts";
import { aCase, aTarget, answered, candidate, failed, passing, prod, says, scored, settings } from "./case-result.ts";
import { often } from "../often.ts";

function compare(results: Iterable<PairedResult>, given: Partial<ComparisonSettings> = {}): CandidateSummary {
  const [found] = compareCases(results, { ...settings, ...given }).candidates;
  if (found === undefined) throw new Error("nothing was compared");
  return found;
}

const changeOf = (result: PairedResult, given: Partial<ComparisonSettings> = {}) =>
  comparisonStream({ ...settings, ...given }).add(result).differences[0]?.change;

const words = "the library opens at nine and closes at five on every weekday but not on Sunday".split(" ");
const answer = (random: Random, shift = 0): string =>
  words.map((word) => (random() < 0.2 + shift ? word.toUpperCase() : word)).join(" ");

/** So many cases: two runs of prod and one of test, each a random answer. */
function noisy(count: number, shift: number, seed: string): PairedResult[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, (_, i) =>
    aCase(`k${i}`, [
      says(prod, answer(random)),
      says(prod, answer(random), { repeat: 2 }),
      says(candidate, answer(random, shift)),
    ]),
  );
}

describe("behaviour", () => {
  test("that varies as the baseline does is unchanged, however different the answers are", () => {
    const { behaviour, answerDiffers } = compare(noisy(60, 0, "a"));
    expect(answerDiffers).toBe(60);
    expect(behaviour).toMatchObject({ state: "unchanged", text: { cases: 60, exact: false }, measured: 60 });
  });

  test("says how many cases would be beyond noise by chance: of three answers one is the odd one out", () => {
    const { changes, changedByChance } = compare(noisy(120, 0, "a"));
    expect(changedByChance).toBeCloseTo(120 / 3, 0);
    expect(Math.abs((changes.changed ?? 0) - (changedByChance ?? 0))).toBeLessThan(16);
    const twice = noisy(120, 0, "a").map((result) => ({
      ...result,
      jobs: [...result.jobs, says(candidate, "the library", { repeat: 2 })],
    }));
    // At most two of six ways to choose the baseline's two answers put them closer than all others.
    expect(compare(twice).changedByChance).toBeLessThanOrEqual(40);
    expect(compare(noisy(0, 0, "a")).changedByChance).toBe(0);
    const alike = [aCase("k", [says(prod, "a"), says(prod, "a", { repeat: 2 }), says(candidate, "a")])];
    expect(compare(alike).changedByChance).toBe(0);
  });

  test("that differs more than the baseline from itself has changed", () => {
    const { behaviour } = compare(noisy(60, 0.5, "b"));
    expect(behaviour.state).toBe("changed");
    expect(behaviour.text?.greater.p).toBeLessThan(0.01);
    expect(behaviour.meanDistance).toBeGreaterThan(behaviour.meanNoise ?? 1);
  });

  test("is not called unchanged by fewer than five cases, which could not have shown a change", () => {
    expect(compare(noisy(4, 0, "b")).behaviour).toMatchObject({
      state: "too-few",
      few: { size: { count: 4, of: { kind: "rows" } }, needed: 5 },
    });
    expect(compare(noisy(5, 0, "a")).behaviour).toMatchObject({
      state: "unchanged",
      unseen: { part: "structure", size: { count: 5, of: { kind: "rows" } } },
    });
    expect(compare(noisy(6, 0, "a")).behaviour).toMatchObject({ state: "unchanged", unseen: null });
    expect(compare(noisy(5, 0.8, "a")).behaviour.state).toBe("changed");
  });

  test("is not judged when the baseline ran once: its own variation was not measured", () => {
    const { behaviour } = compare([aCase("a", [says(prod, "a"), says(candidate, "b")])]);
    expect(behaviour).toMatchObject({ state: "no-noise-floor", isRepeated: false });
  });

  test("is not known where no row has two answers of the baseline, though it ran twice", () => {
    const results = noisy(40, 0.5, "b").map(({ jobs: [first, , other], ...result }) => ({
      ...result,
      jobs: [first, failed(prod, "boom", { repeat: 2 }), other].flatMap((job) => job ?? []),
    }));
    const { behaviour, answerDiffers } = compare(results);
    expect(answerDiffers).toBe(40);
    expect(behaviour).toMatchObject({
      state: "no-noise-floor",
      isRepeated: true,
      measured: 0,
      text: null,
    });
  });

  test("counts no member as beyond noise where the baseline has no second answer to it", () => {
    const results = Array.from({ length: 40 }, (_, i) =>
      aCase(`k${i}`, [
        answered(prod, { output_text: ["a"], model: "m1" }),
        i < 30
          ? failed(prod, "boom", { repeat: 2 })
          : answered(prod, { output_text: ["a"], model: "m2" }, { repeat: 2 }),
        answered(candidate, { output_text: ["a"], model: "m3" }),
      ]),
    );
    const { behaviour } = compare(results);
    expect(behaviour).toMatchObject({ state: "unchanged", measured: 10 });
    expect(behaviour.paths.find(({ path }) => path === "model")).toMatchObject({ raw: 10, noise: 10, rawOnly: 0 });
  });

  test("is not called unchanged where no case has an answer of every run, so that no text is compared", () => {
    const results = noisy(40, 0.5, "b").map((result) => ({
      ...result,
      jobs: [...result.jobs, failed(candidate, "boom", { repeat: 2 })],
    }));
    expect(compare(results).behaviour).toMatchObject({
      state: "too-few",
      few: null,
    });
  });

  test("of two sides that are the same is called changed in at most 8 % of many repetitions", () => {
    const repetitions = often(40, 100);
    const cries = Array.from(
      { length: repetitions },
      (_, i) => compare(noisy(25, 0, `seed ${i}`)).behaviour.state,
    ).filter((state) => state === "changed");
    expect(cries.length / repetitions).toBeLessThanOrEqual(0.08);
  });
});

describe("structure", () => {
  const withReferences = (count: number | null): JsonObject => ({
    output_text: ["a"],
    references: count === null ? null : Array.from({ length: count }, () => ({ title: "t" })),
  });

  test("names the member, what became of it, and in how many cases beyond noise", () => {
    const results = Array.from({ length: 120 }, (_, i) =>
      aCase(`k${i}`, [
        answered(prod, withReferences(3)),
        answered(prod, withReferences(i < 2 ? 2 : 3), { repeat: 2 }),
        answered(candidate, withReferences(i % 4 === 0 ? null : 3)),
      ]),
    );
    const { members, behaviour } = compare(results);
    expect(members).toMatchObject([{ path: "references", change: "became-null", cases: 30 }]);
    expect(behaviour.paths[0]).toMatchObject({
      path: "references",
      about: "structure",
      raw: 30,
      noise: 2,
      rawOnly: 29,
      noiseOnly: 1,
    });
    expect(behaviour).toMatchObject({ state: "changed", by: expect.arrayContaining(["structure"]) });
  });

  test("counts whole conversations", () => {
    const results = Array.from({ length: 12 }, (_, i) =>
      aCase(
        `k${i}`,
        [
          answered(prod, withReferences(3)),
          answered(prod, withReferences(3), { repeat: 2 }),
          answered(candidate, withReferences(i < 6 ? null : 3)),
        ],
        { cluster: `c${Math.floor(i / 6)}` },
      ),
    );
    const { behaviour } = compare(results, { clustered: true });
    expect(behaviour.paths[0]).toMatchObject({ raw: 6, rawOnly: 1, p: 0.5 });
    expect(behaviour).toMatchObject({
      state: "too-few",
      few: { size: { count: 2, of: { kind: "conversations" } }, needed: 5 },
    });
    const grouped = compare(results, { clustered: true, clusterColumn: "article" }).behaviour;
    expect(behaviourReason(grouped)).toBe("too few groups by article to know: 2, and it takes 5 or more");
  });

  test("leaves out what the suite says does not count", () => {
    const results = [aCase("a", [answered(prod, withReferences(3)), answered(candidate, withReferences(null))])];
    expect(compare(results, { ignore: ["output.references"] }).members).toEqual([]);
    const titles = (title: string): JsonObject => ({ references: [{ title }] });
    const titled = [aCase("a", [answered(prod, titles("a")), answered(candidate, titles("b"))])];
    expect(compare(titled, { ignore: ["references[].title"] }).members).toEqual([]);
    expect(compare(titled).members).toHaveLength(1);
  });

  test("is not looked at where only answers are kept", () => {
    const results = [aCase("a", [answered(prod, { output_text: ["a"] }), answered(candidate, withReferences(3))])];
    const { members, drift } = compare(results, { sides: [{ ...prod, answersOnly: true }, candidate] });
    expect([members, drift]).toEqual([[], null]);
  });
});

describe("a case", () => {
  const metrics = [passing()];

  test("is classified by what became of it", () => {
    const two = (a: string, b: string) => [says(prod, a), says(prod, b, { repeat: 2 })];
    expect(changeOf(aCase("a", [...two("ten", "ten"), says(candidate, "ten")]))).toBe("same");
    expect(changeOf(aCase("a", [...two("ten", "ten"), says(candidate, "eleven")]))).toBe("changed");
    expect(changeOf(aCase("a", [...two("ten cm", "ten km"), says(candidate, "ten dm")]))).toBe("within-noise");
    expect(changeOf(aCase("a", [says(prod, "ten"), says(candidate, "eleven")]))).toBe("differs");
    expect(changeOf(aCase("a", [...two("ten", "ten"), failed(candidate, "x")]))).toBe("error-appeared");
    expect(changeOf(aCase("a", [failed(prod, "x"), says(candidate, "ten")]))).toBe("error-gone");
    expect(changeOf(aCase("a", [says(prod, "ten")]))).toBe("not-compared");
  });

  test("is changed too where a member has another value, and within noise where the baseline's own runs differ in it", () => {
    const by = (side: typeof prod, model: string, repeat = 1) =>
      answered(side, { output_text: ["ten"], model }, { repeat });
    const became = (first: string, second: string, now: string) =>
      changeOf(aCase("a", [by(prod, first), by(prod, second, 2), by(candidate, now)]));
    expect(became("m1", "m1", "m1")).toBe("same");
    expect(became("m1", "m1", "m2")).toBe("changed");
    expect(became("m1", "m2", "m3")).toBe("within-noise");
    expect(changeOf(aCase("a", [by(prod, "m1"), by(candidate, "m2")]))).toBe("differs");
  });

  test("is newly flaky or newly stable with two runs or more on both sides", () => {
    const runs = (side: typeof prod, passes: boolean[]) =>
      passes.map((pass, i) => says(side, "a", { repeat: i + 1, ...scored(pass) }));
    const became = (from: boolean[], to: boolean[]) =>
      changeOf(aCase("a", [...runs(prod, from), ...runs(candidate, to)]), { metrics });
    expect(became([true, true], [true, false])).toBe("newly-flaky");
    expect(became([true, false, true], [false, false])).toBe("newly-stable");
    expect(became([true, true], [false])).toBe("same");
  });

  test("is newly flaky where some runs of the candidate fail: a run without an answer does not pass", () => {
    const steady = (side: typeof prod) => [1, 2].map((repeat) => says(side, "a", { repeat, ...scored(true) }));
    const once = (side: typeof prod) => [...steady(side).slice(0, 1), failed(side, "boom", { repeat: 2 })];
    const became = (from: typeof once, to: typeof once, given = { metrics }) =>
      changeOf(aCase("a", [...from(prod), ...to(candidate)]), given);
    expect(became(steady, once)).toBe("newly-flaky");
    expect(became(once, steady)).toBe("newly-stable");
    expect(became(once, once)).toBe("within-noise");
    // Without a pass or a fail, too, it is not the same.
    expect(became(steady, once, { metrics: [] })).toBe("changed");
    const { flips } = compare([aCase("a", [...steady(prod), ...once(candidate)])], { metrics });
    expect(flips.lists.flatMap(({ kind, cases }) => (cases > 0 ? [kind] : []))).toEqual(["newly-flaky"]);
  });

  test("is ranked by how far it is beyond noise", () => {
    const results = [
      aCase("noisy", [says(prod, "abcdef"), says(prod, "uvwxyz", { repeat: 2 }), says(candidate, "klmnop")]),
      aCase("moved", [says(prod, "abcdef"), says(prod, "abcdef", { repeat: 2 }), says(candidate, "abcxyz")]),
    ];
    expect(compare(results).mostDifferent.map(({ key }) => key)).toEqual(["moved", "noisy"]);
  });
});

describe("drift", () => {
  test("tells members that appear, vanish or change their type", () => {
    const results = Array.from({ length: 5 }, (_, i) =>
      aCase(`k${i}`, [
        answered(prod, { output_text: ["a"], old: 1, kind: "x" }),
        answered(candidate, { output_text: ["a"], metrics: { n: 1 }, more: null, kind: ["x"] }),
      ]),
    );
    expect(compare(results).drift).toEqual({
      members: { baseline: 3, candidate: 4 },
      appeared: ["metrics", "more"],
      vanished: ["old"],
      types: [{ path: "kind", baseline: "text", candidate: "list" }],
    });
  });

  test("tells when the configuration that outputs echo changed within a batch", () => {
    const model = (at: number): JsonObject => ({ output_text: ["a"], selected_model: at < 15 ? "one" : "two", n: at });
    const results = Array.from({ length: 30 }, (_, i) => {
      // Not in the order of the dataset.
      const at = (i * 7) % 30;
      return aCase(`k${i}`, [answered(prod, model(at), { sentAt: at * 1_000 })]);
    });
    const [target] = compareCases(results, { ...settings, sides: [prod], pairs: [] }).targets;
    expect(target?.echoChanges).toEqual([
      { path: "selected_model", before: "one", after: "two", at: 15_000, records: { before: 15, after: 15 } },
    ]);
  });

  test("tells so too when requests on their way at that moment, or servers renewed one by one, mix both for a while", () => {
    const echoOf = (value: (at: number) => JsonObject) =>
      compareCases(
        Array.from({ length: 120 }, (_, at) =>
          // Four requests leave together.
          aCase(`k${at}`, [answered(prod, value(at), { sentAt: Math.floor(at / 4) * 1_000 })]),
        ),
        { ...settings, sides: [prod], pairs: [] },
      ).targets[0]?.echoChanges;
    expect(echoOf((at) => ({ model: at < 62 ? "one" : "two" }))).toMatchObject([
      { path: "model", before: "one", after: "two", at: 15_000, records: { before: 62, after: 58 } },
    ]);
    const rolling = (at: number): string => (at < 56 || (at < 66 && at % 2 === 0) ? "one" : "two");
    expect(echoOf((at) => ({ model: rolling(at) }))).toMatchObject([{ before: "one", after: "two" }]);
    expect(echoOf((at) => ({ documents: at < 70 ? ["a.pdf"] : ["a.pdf", "b.pdf"] }))).toMatchObject([
      { path: "documents", before: "a.pdf", after: "a.pdf, b.pdf" },
    ]);
    expect(echoOf((at) => ({ model: at % 3 === 0 ? "one" : "two" }))).toEqual([]);
    expect(echoOf((at) => ({ model: at === 119 ? "two" : "one" }))).toEqual([]);
  });

  test("measures latency case by case, and warns when the sides were sent long apart", () => {
    const results = Array.from({ length: 40 }, (_, i) =>
      aCase(`k${i}`, [
        says(prod, "a", { sentAt: 0, doneAt: 100 + i * 50 }),
        says(candidate, "a", { sentAt: 1_200_000, doneAt: 1_200_000 + 2 * (100 + i * 50) + (i % 3) }),
      ]),
    );
    const { latency, medianGapMs, farApart } = compare(results);
    expect(latency?.ratio).toBeCloseTo(2, 1);
    expect(latency?.p).toBeLessThan(0.001);
    expect(medianGapMs).toBe(1_200_000);
    expect(farApart).toEqual({ minutes: 20, isBefore: false });
    const kept = compareCases(results, { ...settings, fixedBaseline: true }).candidates[0]?.farApart;
    expect(kept).toEqual({ minutes: 20, isBefore: true });
  });
});

test("the same results give the same comparison, bit for bit", () => {
  const third = aTarget(3, "third");
  const given = { ...settings, metrics: [passing()], sides: [prod, candidate, third] };
  const pairs = [1, 2].map((place) => ({ baseline: 0, candidate: place }));
  const results = Array.from(noisy(40, 0.2, "c"));
  const text = () => JSON.stringify(compareCases(results, { ...given, pairs }));
  expect(text()).toBe(text());
});
