import { test } from "vitest";

const isSlow = process.env["TANDEM_TESTS"] === "slow";

/** Repetitions of a property: few at each change, all in `npm run test:slow`. */
export const often = <Repeated>(few: Repeated, all: Repeated): Repeated => (isSlow ? all : few);

/** A test that takes long for a rule that quicker ones hold too: `npm run test:slow` alone runs it, others leave it out. */
export const slowTest = isSlow ? test : test.skip;
