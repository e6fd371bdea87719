import { expect, test } from "vitest";
import { number } from "../../src/report/say/quantity.ts";

test("numbers are grouped as English groups them", () => {
  for (const count of [0, 7, 999, 1000, 12_345, 1_234_567, -1, -999, -1234, -123_456, 0.5, 1234.5, 1e21])
    expect(number(count)).toBe(count.toLocaleString("en-US"));
});
