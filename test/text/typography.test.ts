import { expect, test } from "vitest";
import { isOfTypography } from "../../src/text/typography.ts";

test.each([",", "!", "—", "？"])("a wanted text of marks alone means the ones that it has: %s", (mark) => {
  expect(isOfTypography(mark)).toBe(true);
});
