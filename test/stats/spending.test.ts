import { describe, expect, test } from "vitest";
import { spendingOf } from "../../src/stats/choice/spending.ts";

const of = (...values: number[]): Float64Array => Float64Array.from(values);

describe("what configurations spend", () => {
  test("is compared case by case on the logarithm: twice as much is twice as much, however the cases differ", () => {
    const spending = spendingOf({ values: [of(1, 10, 3, 7), of(2, 20, 6, 14)], clusters: null });
    const found = spending.ratio(1, 0, 0.95);
    expect(found?.ratio).toBeCloseTo(2, 12);
    expect(found?.interval.low).toBeCloseTo(2, 9);
    expect(spending.ratio(0, 1, 0.95)?.ratio).toBeCloseTo(0.5, 12);
  });

  test("has the interval of a paired t test where cases are independent, and a wider one where clusters vary as a whole", () => {
    const one = of(...Array.from({ length: 12 }, (_, at) => 1 + (at % 5)));
    const other = one.map((value, at) => value * Math.exp(at < 6 ? 0.3 : 0.1));
    const alone = spendingOf({ values: [one, other], clusters: null }).ratio(1, 0, 0.95);
    // Mean .2, deviation .1044, df 11: t = 2.201.
    expect(Math.log(alone?.interval.low ?? 0)).toBeCloseTo(0.2 - (2.2009852 * 0.10444659) / Math.sqrt(12), 6);
    const clusters = Int32Array.from(one, (_, at) => Math.floor(at / 3));
    const together = spendingOf({ values: [one, other], clusters }).ratio(1, 0, 0.95);
    expect(together?.interval.low ?? 0).toBeLessThan(alone?.interval.low ?? 0);
  });

  test("leaves out the cases that one has no figure of, and is not known where none is left", () => {
    const spending = spendingOf({
      values: [of(1, Number.NaN, 3), of(2, 4, Number.NaN), of(NaN, NaN, NaN)],
      clusters: null,
    });
    expect(spending.means.map((own) => own?.mean ?? null)).toEqual([2, 3, null]);
    expect(spending.ratio(0, 2, 0.95)).toBeNull();
  });

  test("is sure where neither varies, also of what is for free", () => {
    const spending = spendingOf({ values: [of(2, 2), of(0, 0), of(0, 0)], clusters: null });
    expect(spending.ratio(0, 1, 0.95)?.interval).toEqual({ low: Infinity, high: Infinity });
    expect(spending.ratio(1, 0, 0.95)?.interval).toEqual({ low: 0, high: 0 });
    expect(spending.ratio(1, 2, 0.95)?.ratio).toBe(1);
  });
});
