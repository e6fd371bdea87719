import { test } from "vitest";

const isSlow = process.env["TANDEM_TESTS"] === "slow";

/** Repetitions of a property: few at each change, all in `npm run test:slow`. */
export const often = <Repeated>(few: Repeated, all: Repeated): Repeated => (isSlow ? all : few);

/**
 * A test that takes long, of a rule that quicker ones hold for the most part and whose break would not lose, leak or pay
 * anything: `npm run test:slow` alone runs it, others skip it.
 */
export const slowTest = isSlow ? test : test.skip;
