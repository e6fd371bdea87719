import { expect, test } from "vitest";
import { randomStream, seededRandom } from "../../src/lib/random.ts";

test("an array is filled with the numbers that as many calls would give, and the next call gives the one after them", () => {
  const [one, other] = [randomStream("calls"), randomStream("calls")];
  const filled = new Float64Array(101);
  one.next();
  one.fillNext(filled);
  other.next();
  expect([...filled, one.next()]).toEqual(Array.from({ length: 102 }, () => other.next()));
});

test("the bulk method continues the same sequence, two numbers from each step", () => {
  const [one, other] = [randomStream("seed"), seededRandom("seed")];
  const filled = new Uint32Array(1001);
  one.fillBelow(filled, 10_000);
  const singles = Array.from({ length: 501 }, () => Math.floor(other() * 10_000));
  expect([...filled].filter((_, index) => index % 2 === 0)).toEqual(singles);
  expect(one.next()).toBe(other());
  expect(one.bits()).toBe(other() * 2 ** 32);
});

test("both numbers of a step are spread evenly, and the second does not follow the first", () => {
  const filled = new Uint32Array(400_000);
  randomStream("spread").fillBelow(filled, 20_000);
  const cells = new Float64Array(16);
  for (let index = 0; index < filled.length; index += 2) {
    const [first, second] = [filled[index] ?? 0, filled[index + 1] ?? 0];
    const cell = Math.floor(first / 5_000) * 4 + Math.floor(second / 5_000);
    cells[cell] = (cells[cell] ?? 0) + 1;
  }
  // Chi-squared with 15 degrees of freedom: above 45 once in 10,000 seeds.
  expect(cells.reduce((total, count) => total + (count - 12_500) ** 2 / 12_500, 0)).toBeLessThan(45);
});

test("a seed gives the sequence that it gave when results were stored", () => {
  const random = randomStream("tandem");
  expect(Array.from({ length: 3 }, () => random.bits())).toMatchInlineSnapshot(`
    [
      2689659869,
      1655953005,
      500449712,
    ]
  `);
});
