import { afterAll, expect } from "vitest";

/** Counts what was tried, and keeps what got through. */
export interface Tally {
  /** Notes an input at a place, and the harm that it did there. */
  tried: (input: string, place: string, harm: readonly string[]) => void;
  /** Inputs that got through, each with its place. */
  through: () => string[];
}

/** Prints `name: N inputs tried, got through: 0` after the tests of the file. */
export function openTally(name: string, atLeast: number): Tally {
  let count = 0;
  const through: string[] = [];
  afterAll(() => {
    process.stdout.write(`hostile suite, ${name}: ${count} inputs tried, got through: ${through.length}\n`);
    expect(count).toBeGreaterThanOrEqual(atLeast);
  });
  return {
    tried: (input, place, harm) => {
      count += 1;
      if (harm.length > 0) through.push(`${input} in ${place}: ${harm.slice(0, 3).join("; ")}`);
    },
    through: () => through,
  };
}
