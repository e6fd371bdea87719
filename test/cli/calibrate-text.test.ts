import fc from "fast-check";
import { expect, test } from "vitest";
import { calibrationText } from "../../src/cli/commands/calibrate/calibrate.text.ts";
import type { Calibration } from "../../src/app/calibrate/calibrate.ts";

type Row = Calibration["rows"][number];

const row = (given: Partial<Row["words"]>): Row => {
  const words = { regression: 0, worse: 0, "cannot-tell": 0, "too-few-cases": 0, pass: 0, better: 0, ...given };
  const repetitions = Object.values(words).reduce((sum, count) => sum + count, 0);
  return {
    drop: 0.1,
    words,
    states: {
      regression: words.regression,
      pass: words.pass + words.better,
      inconclusive: words.worse + words["cannot-tell"] + words["too-few-cases"],
    },
    repetitions,
    regression: words.regression / repetitions,
    falseAlarms: null,
    interval: null,
    promised: 0.5,
    kept: null,
    keptWorse: null,
    keptBetter: null,
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
  const text = found({ rows: [row({ regression: 1241, worse: 400, "too-few-cases": 359 })] });
  expect(text).toMatch(/^A true drop of 10 points is called REGRESSION in 62\.1 % and WORSE in 20\.0 %\.$/m);
  expect(text).toMatch(/^10 points +62\.1 % \(.*\) +20\.0 % +17\.9 % +0\.0 % /m);
  const count = fc.nat(3000);
  fc.assert(
    fc.property(fc.tuple(fc.integer({ min: 1, max: 3000 }), count, count, count, count, count), (counts) => {
      const [regression, worse, cannot, few, pass, better] = counts;
      const words = { regression, worse, "cannot-tell": cannot, "too-few-cases": few, pass, better };
      const line =
        found({ rows: [row(words)] })
          .split("\n")
          .find((each) => each.startsWith("10 points")) ?? "";
      const shares = Array.from(
        line.replace(/\(.*?\)/, "").matchAll(/(\d+\.\d) %(?! REGRESSION)/g),
        ([, share]) => Number(share) * 10,
      );
      expect(shares.reduce((sum, share) => sum + Math.round(share), 0)).toBe(1000);
    }),
  );
});

test("where nothing has changed WORSE is a false alarm as REGRESSION is, and BETTER a false finding", () => {
  const unchanged = (given: Partial<Row>): string =>
    found({
      rows: [{ ...row({ regression: 4, worse: 36, pass: 900, better: 60 }), drop: 0, promised: 0.05, ...given }],
    });
  const text = unchanged({ kept: true, keptWorse: false, keptBetter: false });
  expect(text).toContain(
    "\ncounted: the word of each verdict. Where nothing has changed, REGRESSION and WORSE (at most 1.0 %) are false alarms, and BETTER (at most 2.5 %) is a false finding\n",
  );
  expect(text).toContain(
    "\nWhere nothing has changed, 4.0 % of 1,000 comparisons give a false alarm (REGRESSION 0.4 %, WORSE 3.6 %).\n",
  );
  expect(text).toContain(
    "\n90.0 % say PASS, 6.0 % say BETTER: more WORSE than the 1.0 % that are promised; more BETTER than the 2.5 % that are promised.\n",
  );
  expect(text).toMatch(/^true drop +REGRESSION +WORSE +PASS +BETTER +promised$/m);
  expect(unchanged({ kept: true, keptWorse: true, keptBetter: true })).toContain(
    "\n90.0 % say PASS, 6.0 % say BETTER.\n",
  );
});

test("false passes are judged as false alarms are", () => {
  const at = (kept: boolean, savedPass: boolean): string => {
    const margin = row({ regression: 30, worse: 100, "too-few-cases": 1584, pass: 280, better: 6 });
    return found({ rows: [{ ...margin, drop: 0.05, promised: 0.05, kept, keptPass: savedPass }] });
  };
  const said =
    "A true drop of 5 points, which is just accepted, is called REGRESSION in 1.5 %, WORSE in 5.0 % and PASS in 14.3 %";
  expect(at(true, false)).toContain(`${said}: more PASS than the 5.0 % that are promised.\n`);
  expect(at(false, false)).toContain(
    `${said}: more REGRESSION than the 5.0 % that are promised; more PASS than the 5.0 % that are promised.\n`,
  );
  expect(at(true, true)).toContain(`${said}.\n`);
  expect(at(true, true)).toContain("at most 5.0 % each (REGRESSION, PASS)");
});

test("cases that a column puts together are no conversations", () => {
  expect(found({ clusters: 40 })).toContain("165 cases in 40 conversations of 1 batch");
  const grouped = found({ clusters: 40, clusterColumn: "article" });
  expect(grouped).toContain("165 cases in 40 groups by article of 1 batch");
  expect(grouped).toContain("whole groups by article drawn with replacement");
});
