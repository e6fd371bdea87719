import fc from "fast-check";
import { expect, test } from "vitest";
import { calibrationText } from "../../src/cli/commands/calibrate/calibrate.text.ts";
import type { Calibration } from "../../src/app/calibrate/calibrate.ts";

const row = (states: Calibration["rows"][number]["states"]): Calibration["rows"][number] => {
  const repetitions = states.regression + states.pass + states.inconclusive;
  const regression = states.regression / repetitions;
  return {
    drop: 0.1,
    states,
    repetitions,
    regression,
    interval: null,
    promised: 0.5,
    kept: null,
    keptPass: null,
    losses: null,
  };
};

const found = (given: Partial<Calibration>): string =>
  calibrationText({
    batches: ["nightly-1"],
    target: "prod",
    cases: 165,
    clusters: 165,
    clusterColumn: null,
    left: 0,
    runs: { baseline: 1, candidate: 1 },
    configured: { baseline: 1, candidate: 1 },
    gates: [{ metric: "correct", of: "pass", margin: 0.05, losses: null, by: null }],
    alpha: 0.05,
    passAlpha: 0.05,
    nights: 1,
    rows: [],
    seed: "1",
    notes: [],
    ...given,
  });

test("the shares of a row add up to 100 %, and the sentence has the same number as the table", () => {
  const text = found({ rows: [row({ regression: 1241, pass: 0, inconclusive: 759 })] });
  expect(text).toMatch(/^A true drop of 10 points is found in 62\.1 %\.$/m);
  expect(text).toMatch(/^10 points +62\.1 % \(.*\) +0\.0 % +37\.9 % /m);
  fc.assert(
    fc.property(fc.nat(3000), fc.nat(3000), fc.integer({ min: 1, max: 3000 }), (regression, pass, inconclusive) => {
      const line =
        found({ rows: [row({ regression, pass, inconclusive })] })
          .split("\n")
          .find((each) => each.startsWith("10 points")) ?? "";
      const shares = Array.from(
        line.replace(/\(.*?\)/, "").matchAll(/(\d+\.\d) %/g),
        ([, share]) => Number(share) * 10,
      );
      expect(shares.slice(0, 3).reduce((sum, share) => sum + Math.round(share), 0)).toBe(1000);
    }),
  );
});

test("false passes are judged as false alarms are", () => {
  const at = (kept: boolean, savedPass: boolean): string => {
    const margin = row({ regression: 30, pass: 286, inconclusive: 1684 });
    return found({ rows: [{ ...margin, drop: 0.05, promised: 0.05, kept, keptPass: savedPass }] });
  };
  const said = "A true drop of 5 points, which is just accepted, makes 1.5 % call a regression and 14.3 % pass";
  expect(at(true, false)).toContain(`${said}: more pass than the 5.0 % that are promised.\n`);
  expect(at(false, false)).toContain(`${said}: more false alarms and pass than the 5.0 % that are promised.\n`);
  expect(at(true, true)).toContain(`${said}.\n`);
  expect(at(true, true)).toContain("at most 5.0 % of each");
});

test("cases that a column puts together are no conversations", () => {
  expect(found({ clusters: 40 })).toContain("165 cases in 40 conversations of 1 batch");
  const grouped = found({ clusters: 40, clusterColumn: "article" });
  expect(grouped).toContain("165 cases in 40 groups by article of 1 batch");
  expect(grouped).toContain("whole groups by article drawn with replacement");
});
