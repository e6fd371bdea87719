import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { randomStream } from "../../src/lib/random.ts";
import { changeDate, changeEvidence, logSum, type SeriesPoint } from "../../src/stats/change-evidence.ts";
import { watchSeries } from "../../src/stats/watch-series.ts";
import { gauss } from "../bench/simulation/draws.ts";

const points = (values: readonly number[], step = 0): SeriesPoint[] => values.map((value) => ({ value, step }));

/** Normal nights of deviation 1 about these means. */
function drawn(seed: string, means: readonly number[]): SeriesPoint[] {
  const random = randomStream(seed);
  return points(means.map((mean) => mean + gauss(random)));
}

function flat(nights: number, mean = 0): number[] {
  return Array.from({ length: nights }, () => mean);
}

describe("the evidence that a mean has changed", () => {
  test("is the ratio that integrating mean, deviation and shift numerically gives", () => {
    // By the trapezoidal rule on a grid of 1,001 x 401 x 481 (numpy), which knows nothing of the closed form.
    const integrated = [-0.421663854717, 0.1284966872776, 0.181455158112, 2.0259107371713, -0.1553087012403];
    const logs = changeEvidence(points([0.71, 0.74, 0.69, 0.72, 0.6, 0.63]));
    expect(logs[0]).toBe(-Infinity);
    for (const [index, value] of integrated.entries()) expect(logs[index + 1]).toBeCloseTo(value, 11);
  });

  test("does not depend on the unit of the values, nor on where their zero is", () => {
    const values = [3, 1, 4, 1, 5, 9, 2, 6];
    const logs = changeEvidence(points(values));
    for (const moved of [values.map((value) => value * 1e-200), values.map((value) => 1e300 * (value - 3))]) {
      const others = changeEvidence(points(moved));
      const apart = logs.subarray(1).map((log, place) => Math.abs(log - (others[place + 1] ?? Number.NaN)));
      expect(Math.max(...apart)).toBeLessThan(1e-9);
    }
  });

  test("of two values is none: they have no deviation beside their difference", () => {
    expect(changeEvidence(points([1, 5]))[1]).toBeCloseTo(0, 12);
  });

  test("grows by one with each stable night in the mean, which is what the promise rests on", () => {
    const random = randomStream("martingale");
    const years = 20_000;
    let total = 0;
    for (let year = 0; year < years; year++) {
      const logs = changeEvidence(points(Array.from({ length: 6 }, () => gauss(random))));
      total += Math.exp(logSum(logs, 1));
    }
    expect(total / years).toBeGreaterThan(4.7);
    expect(total / years).toBeLessThan(5.3);
  });

  test("can only become smaller by the size of a step", () => {
    const values = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 2, maxLength: 20 });
    const isSmaller = fc.property(values, fc.double({ min: 0, max: 1, noNaN: true }), (found, step) => {
      const [without, stepped] = [changeEvidence(points(found)), changeEvidence(points(found, step))];
      return stepped.every((log, place) => place === 0 || log <= (without[place] ?? 0) + 1e-9);
    });
    expect(fc.check(isSmaller).failed).toBe(false);
  });
});

describe("the date of a change", () => {
  test("is the likeliest place, with the places that have 95 % of the chance together", () => {
    const logs = Float64Array.from([-Infinity, 0, Math.log(20), Math.log(78), 0]);
    expect(changeDate(logs, { from: 1, to: 4 })).toEqual({ place: 3, earliest: 2, latest: 3 });
    expect(changeDate(logs, { from: 1, to: 2 })).toEqual({ place: 2, earliest: 2, latest: 2 });
  });
});

describe("a series of nights that is watched", () => {
  test("gives far less than one alarm a year while nothing changes, and finds a step of two deviations in a week", () => {
    let alarms = 0;
    const delays: number[] = [];
    for (let year = 0; year < 20; year++) {
      alarms += watchSeries(drawn(`stable ${year}`, flat(365)), { nights: 365 }).alarms.length;
      const step = watchSeries(drawn(`step ${year}`, [...flat(60), ...flat(40, 2)]), { nights: 365 });
      const found = step.alarms.find(({ noticed }) => noticed >= 60);
      if (found !== undefined) delays.push(found.noticed - 59);
    }
    expect(alarms / 20).toBeLessThan(1);
    // In one of these years a false alarm two nights before has become that of the step.
    expect(delays).toHaveLength(19);
    expect(delays.toSorted((a, b) => a - b)[10]).toBeLessThanOrEqual(7);
  });

  test("dates a change only by what was known then, and more precisely with each night", () => {
    const nights = drawn("a drop", [...flat(18, 5), ...flat(12)]);
    const { alarms } = watchSeries(nights, { nights: 365 });
    expect(alarms).toMatchObject([{ place: 18, end: null }]);
    const [alarm] = alarms;
    expect(alarm?.before).toBeGreaterThan(4);
    expect(alarm?.since).toBeLessThan(1);
    for (let night = 0; night < nights.length; night++) {
      const known = watchSeries(nights.slice(0, night + 1), { nights: 365 }).alarms.map(({ noticed }) => noticed);
      expect(known).toEqual(night < (alarm?.noticed ?? 0) ? [] : [alarm?.noticed]);
    }
  });

  test("ends an alarm when the level of before is back, and goes on with the nights of before", () => {
    const nights = drawn("there and back", [...flat(20), ...flat(6, 8), ...flat(14)]);
    const { alarms, length } = watchSeries(nights, { nights: 365 });
    expect(alarms).toMatchObject([{ place: 20, end: "returned", until: 26 }]);
    expect(alarms[0]?.ended).toBeLessThan(30);
    expect(length).toBe(34);
  });

  test("one night that is far off is an alarm for one night", () => {
    const nights = drawn("one night", [...flat(20), 25, ...flat(5)]);
    expect(watchSeries(nights, { nights: 365 }).alarms).toMatchObject([
      { noticed: 20, place: 20, end: "returned", until: 21 },
    ]);
  });

  test("a second change while the first goes on is an alarm of its own", () => {
    const nights = drawn("down the stairs", [...flat(20), ...flat(20, -6), ...flat(20, -12)]);
    const { alarms } = watchSeries(nights, { nights: 365 });
    expect(alarms).toMatchObject([
      { place: 20, end: "changed", until: 40 },
      { place: 40, end: null },
    ]);
    expect(alarms[1]?.before).toBeLessThan(-5);
  });

  test("a change that is known of is no alarm, and one that is acknowledged later ends its alarm", () => {
    const nights = drawn("known", [...flat(20), ...flat(20, -6)]);
    expect(watchSeries(nights, { nights: 365, restarts: [{ from: 20 }] })).toEqual({ alarms: [], length: 20 });
    const { alarms, length } = watchSeries(nights, { nights: 365, restarts: [{ from: 20, known: 30 }] });
    expect(alarms).toMatchObject([{ place: 20, end: "restarted", until: 20, ended: 30 }]);
    expect(length).toBe(20);
    const late = watchSeries(nights, { nights: 365, restarts: [{ from: 20, known: 40 }] });
    expect(late.alarms).toMatchObject([{ end: "restarted", ended: 40 }]);
  });

  test("what was known before a change does not end its alarm, then or later", () => {
    const nights = drawn("known", [...flat(20), ...flat(20, -6)]);
    const { alarms: without } = watchSeries(nights, { nights: 365 });
    for (const from of [0, 12, (without[0]?.earliest ?? 0) - 1]) {
      for (const known of [30, 40]) {
        const { alarms } = watchSeries(nights, { nights: 365, restarts: [{ from, known }] });
        expect(alarms, `${from}, known in ${known}`).toMatchObject([
          { place: 20, noticed: without[0]?.noticed, end: null },
        ]);
        expect(alarms[0]?.before).toBeCloseTo(without[0]?.before ?? 0, 12);
      }
    }
    const back = [...nights, ...drawn("back", flat(10))];
    const { alarms, length } = watchSeries(back, { nights: 365, restarts: [{ from: 12, known: 30 }] });
    expect(alarms).toMatchObject([{ place: 20, end: "returned", until: 40 }]);
    expect(length).toBe(18);
  });

  test("passes over missing nights, and counts them in its dates", () => {
    const nights = drawn("missing", [...flat(20), ...flat(10, 8)]);
    const withGaps = nights.flatMap((point) => [point, null]);
    const plain = watchSeries(nights, { nights: 365 }).alarms[0];
    const gaps = watchSeries(withGaps, { nights: 365 }).alarms[0];
    expect(gaps?.place).toBe((plain?.place ?? 0) * 2);
    expect(gaps?.noticed).toBe((plain?.noticed ?? 0) * 2);
  });

  test("one case more or less of a suite that always passes is no alarm, ten of them are", () => {
    const rate = (last: readonly number[]): SeriesPoint[] => points([...flat(30, 1), ...last], 0.01);
    expect(watchSeries(rate([0.99, 1, 0.99, 0.99]), { nights: 365 }).alarms).toEqual([]);
    expect(watchSeries(rate([0.9]), { nights: 365 }).alarms).toMatchObject([{ noticed: 30, before: 1, since: 0.9 }]);
  });

  test("has no alarm and no number that is none, whatever the values are", () => {
    const odd = fc.oneof(
      fc.constantFrom(0, 1, -1, 1e308, -1e308, 5e-324, Number.NaN, Infinity),
      fc.double({ noNaN: true }),
    );
    fc.assert(
      fc.property(fc.array(fc.option(odd), { maxLength: 40 }), fc.constantFrom(0, 0.01), (values, step) => {
        const { alarms } = watchSeries(
          values.map((value) => (value === null ? null : { value, step })),
          { nights: 3 },
        );
        for (const alarm of alarms) {
          const { before, since, place, earliest, latest, noticed } = alarm;
          expect([before, since].every(Number.isFinite)).toBe(true);
          expect(earliest).toBeLessThanOrEqual(place);
          expect(latest).toBeGreaterThanOrEqual(place);
          expect(noticed).toBeGreaterThanOrEqual(latest);
        }
      }),
    );
    expect(watchSeries([], { nights: 365 })).toEqual({ alarms: [], length: 0 });
    expect(watchSeries(points(flat(40, 7)), { nights: 365 }).alarms).toEqual([]);
    expect(watchSeries(points([0, 1e9]), { nights: 3 }).alarms).toEqual([]);
  });
});
