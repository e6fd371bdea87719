import { expect, test } from "vitest";
import type { SuiteReason, SuiteStanding } from "../../src/report/shape/standing.ts";
import { nightVerdict } from "../../src/report/say/nights.ts";
import { byNeed, needWords, standingPlace } from "../../src/viewer/app/batches/suite-need.ts";

const began = { batch: "b", at: 1, day: "2026-11-01", time: null };

function standing(suite: string, reasons: Partial<SuiteReason>[], isDecided = true): SuiteStanding {
  const metric = {
    name: "correct",
    kind: "pass",
    unit: null,
    lowerIsBetter: false,
  } as unknown as SuiteStanding["metric"];
  return {
    suite,
    nights: 1,
    last: {
      ...began,
      state: "finished",
      verdict: null,
      word: null,
      beside: [],
      chosen: [],
      spared: 0,
      targets: [],
      differences: [],
    },
    resume: null,
    reasons: reasons.map((reason): SuiteReason => {
      return {
        kind: "regression",
        isNew: false,
        isKnown: false,
        known: null,
        sentence: "",
        more: null,
        quotesError: false,
        began,
        nights: 1,
        ...reason,
      };
    }),
    worstSlice: null,
    error: null,
    metric: isDecided ? metric : null,
    targets: [],
    past: [],
    marks: [],
    undecided: isDecided ? null : "Nothing grades its answers.",
  };
}

const known = standing("known", [{ isKnown: true }]);
const fine = standing("fine", []);
const ungraded = standing("ungraded", [], false);

test("a suite is known where all that is wrong in it is, and needs a look for anything else", () => {
  const more = standing("more", [{ kind: "alarm" }, { isKnown: true }]);
  expect([known, more, fine, ungraded].map(standingPlace)).toEqual(["known", "needing", "quiet", "undecided"]);
});

test("a regression stands before a run that was not finished, new before old, whatever is known beside it", () => {
  const suites = [
    standing("alarm", [{ kind: "alarm", isNew: true }]),
    standing("unfinished", [{ kind: "unfinished", isNew: true }, { isKnown: true }]),
    standing("old", [{}, { kind: "alarm", isNew: true }]),
    standing("invalid", [{ kind: "invalid", isNew: true }]),
    standing("new", [{ isNew: true }]),
  ];
  const names = suites.toSorted(byNeed).map(({ suite }) => suite);
  expect(names).toEqual(["new", "old", "invalid", "unfinished", "alarm"]);
});

test("suites are not called quiet where something is known, or nothing was checked", () => {
  const look = standing("look", [{}]);
  expect(needWords([look, known, fine, ungraded])).toBe("1 of 4 suites needs a look");
  expect(needWords([known, fine])).toBe("No suite needs a look");
  expect(needWords([fine, fine])).toBe("All 2 suites are quiet");
  expect(needWords([fine, ungraded])).toBe("No suite needs a look; no verdict yet in 1 of 2 suites");
  expect(needWords([ungraded, ungraded])).toBe("No verdict yet in 2 suites");
});

test("a night that was cut off is not finished, one that ended as a target was stopped is invalid, and one that decides nothing has no verdict", () => {
  const words = (state: string, verdict: string | null) => nightVerdict({ state, verdict, word: verdict });
  expect(words("stopped", "invalid")).toBe("invalid");
  expect(words("stopped", null)).toBe("not finished (stopped)");
  expect(words("stopped", "regression")).toBe("regression, not confirmed");
  expect(words("finished", null)).toBe("no verdict");
  expect(words("running", null)).toBe("running");
});
