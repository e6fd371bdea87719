import { test } from "vitest";

/** `slow` repeats everything as often as it should, `all` as seldom as `npm test` does, which skips what takes long. */
const way = process.env["TANDEM_TESTS"];

/** Repetitions of a property: few at each change, all in `npm run test:slow`. */
export const often = <Repeated>(few: Repeated, all: Repeated): Repeated => (way === "slow" ? all : few);

/**
 * A test that takes long, of a rule that quicker ones hold for the most part and whose break would not lose, leak or pay
 * anything: `npm test` skips it by hand, `.ci/run` and `npm run test:slow` run it.
 */
export const slowTest = way === undefined ? test.skip : test;
