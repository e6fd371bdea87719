import { describe, expect, test } from "vitest";
import {
  providerChanges,
  providerFinding,
  providerNights,
  type ToldNight,
} from "../../src/app/provider/provider-changes.ts";
import { providerWords } from "../../src/report/say/provider.ts";
import { seededRandom } from "../../src/lib/random.ts";

const day = 24 * 60 * 60_000;
const began = new Date(2026, 0, 1, 2).getTime();
const value = (text: string) => ({ hash: text, text });

type Targets = Record<string, { models: string[]; version?: string; body?: string }>;

/** A night whose targets tell these values of `model` and of `version`. */
function night(place: number, told: Targets, asked = ""): ToldNight {
  const targets = Object.entries(told).map(([name, { models, version, body = "" }]) => {
    const own = { model: models.map(value), ...(version !== undefined && { version: [value(version)] }) };
    return [name, { configuration: body, told: own }] as const;
  });
  return { batch: `night-${place}`, cases: "", asked, targets: new Map(targets) };
}

const dated = (nights: readonly ToldNight[]) =>
  providerNights(nights).map((provider, place) => ({ batch: `night-${place}`, at: began + place * day, provider }));

const found = (nights: readonly ToldNight[]): [number, string, string, string][] =>
  providerChanges(nights).flatMap((changes, place) =>
    changes.map(({ target, member, kind, now }): [number, string, string, string] => [
      place,
      `${target} ${member}`,
      kind,
      now.join("+"),
    ]),
  );

describe("what services tell of themselves", () => {
  test("is told once for each of 12 changes in 365 nights, with a loss or without, and nothing else is", () => {
    for (let seed = 0; seed < 5; seed++) {
      const random = seededRandom(`provider ${seed}`);
      const places = new Set<number>();
      while (places.size < 12) places.add(1 + Math.floor(random() * 364));
      const planted = [...places].toSorted((one, other) => one - other);
      const losses = new Set(planted.filter((_, i) => i % 2 === 0));
      let model = "m0";
      const nights = Array.from({ length: 365 }, (_, place) => {
        if (places.has(place)) model = `m${place}`;
        // The service is away in some nights, and one side never changes.
        return night(
          place,
          random() < 0.05 && !places.has(place) ? {} : { prod: { models: [model] }, test: { models: ["t"] } },
        );
      });
      expect(found(nights)).toEqual(planted.map((place) => [place, "prod model", "changed", `m${place}`]));
      const all = dated(nights);
      const said = nights.flatMap((_, place) => {
        const isAsked = losses.has(place);
        const finding = providerFinding(all.slice(0, place + 1), { isAsked, lastGood: place - 1, own: [] });
        return finding === null ? [] : [[place, finding.changes.map(({ at }) => Date.parse(at)), finding.isAsked]];
      });
      expect(said).toEqual(planted.map((place) => [place, [began + place * day], losses.has(place)]));
    }
  });

  test("in several values is a state of its own, told once however the values alternate", () => {
    const models = [["a"], ["a", "b"], ["a"], ["a", "b"], ["b", "a"], ["b"], ["b"], ["b", "c"], ["a", "b", "c"], ["a"]];
    expect(found(models.map((own, place) => night(place, { prod: { models: own } })))).toEqual([
      [1, "prod model", "several", "a+b"],
      [5, "prod model", "changed", "b"],
      [7, "prod model", "several", "b+c"],
      [8, "prod model", "several", "a+b+c"],
      [9, "prod model", "changed", "a"],
    ]);
  });

  test("begins anew where the suite asks for something else, and a member that comes or goes is no change", () => {
    const nights = [
      night(0, { prod: { models: ["a"], body: "x" } }),
      night(1, { prod: { models: ["b"], body: "y" } }),
      night(2, { prod: { models: ["b"], version: "1", body: "y" } }),
      night(3, { prod: { models: ["b"], body: "y" } }),
      night(4, { prod: { models: ["b"], version: "2", body: "y" } }),
    ];
    expect(found(nights)).toEqual([[4, "prod version", "changed", "2"]]);
  });

  test("is said with what we changed, and without a claim of a cause", () => {
    const models = ["X", "X", "Y", "Y"];
    const made = (asked: string[], tells = true): ToldNight[] =>
      models.map((model, place) => {
        const told: Targets = tells ? { prod: { models: [model], version: "1" }, test: { models: ["t"] } } : {};
        return night(place, told, asked[place]);
      });
    const say = (given: readonly ToldNight[], asked: Parameters<typeof providerFinding>[1]): string | null => {
      const finding = providerFinding(dated(given), asked);
      return finding === null ? null : providerWords(finding, (name) => name);
    };
    const same = made(["a", "a", "a", "a"]);
    const calm = { isAsked: false, lastGood: -1, own: [] };
    expect(say(same.slice(0, 3), calm)).toBe(
      "suite, rows and body are the same since 1 January; prod's `model` changed from X to Y",
    );
    expect(say(same, calm)).toBeNull();
    expect(say(same, { ...calm, isAsked: true, lastGood: 1 })).toBe(
      "suite, rows and body are the same since 1 January; prod's `model` changed from X to Y in the run of 3 January",
    );
    const quiet = "nothing that the services of prod and test tell of themselves changed";
    expect(say(made(["a", "b", "b", "b"]), { ...calm, isAsked: true, lastGood: 2 })).toBe(
      `suite, rows and body are the same since 2 January; ${quiet}`,
    );
    expect(say(made(["a", "a", "a", "b"]), { isAsked: true, lastGood: 2, own: ["dataset"] })).toBe(
      `since the run before this one has another: dataset; ${quiet}`,
    );
    expect(say(made(["a", "a", "a", "a"], false), { ...calm, isAsked: true })).toBe(
      "suite, rows and body are the same since 1 January; no answer tells of a model or version",
    );
    // Nothing is before a first run.
    expect(say(same.slice(0, 1), { ...calm, isAsked: true })).toBeNull();
  });
});
