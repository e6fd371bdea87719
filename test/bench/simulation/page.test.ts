import { expect, test } from "vitest";
import { placedParts } from "./page.ts";
import { parts } from "./simulation.ts";

test("every part of the simulation has one place in docs/reference/simulations.md, and every place its part", () => {
  expect(placedParts().toSorted()).toEqual(Object.keys(parts).toSorted());
});
