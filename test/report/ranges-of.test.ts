import { expect, test } from "vitest";
import { measure, rangesOf } from "../../src/report/say/figures.ts";

const rate = measure("pass");
const two = { confidence: 0.95, sides: 2 as const };
const bounds = { confidence: 0.95, sides: 1 as const };
const adjusted = { ...bounds, upperConfidence: 0.983 };
const interval = { lower: -0.2, upper: -0.05 };

test("ranges of one kind are named by their title", () => {
  expect(rangesOf([two, two]).name).toBe("95 % range");
  expect(rangesOf([bounds, bounds]).name).toBe("between, 95 % each");
  expect(rangesOf([two]).text(two, interval, rate)).toBe("-20.0 to -5.0");
});

test("where lines have several kinds each has its own mark, and the title claims none of them", () => {
  const { name, text } = rangesOf([two, bounds, adjusted]);
  expect(name).toBe("range (confidence)");
  expect(text(two, interval, rate)).toBe("-20.0 to -5.0 (95 %)");
  expect(text(bounds, interval, rate)).toBe("-20.0 to -5.0 (each end 95 %)");
  expect(text(adjusted, interval, rate)).toBe("-20.0 to -5.0 (ends 95 / 98.3 %)");
});
