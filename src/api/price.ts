import type { Usage } from "./usage.ts";

/** Price of one run, in the owner's unit; or of a run and of a million tokens read and written. */
export type Price = number | { run: number; input: number; output: number };

/** True for a price that depends on tokens. */
export function isByToken(price: Price | null): boolean {
  return typeof price === "object" && price !== null && (price.input > 0 || price.output > 0);
}

/** The cost of one run; null where no price is known, or it depends on tokens that nobody told. */
export function costOf(price: Price | null, usage: Usage | null): number | null {
  if (price === null || typeof price === "number") return price;
  if (!isByToken(price)) return price.run;
  return usage === null ? null : price.run + (price.input * usage.input + price.output * usage.output) / 1e6;
}

/** Tokens of so many runs that told them. */
export interface TokenTotals {
  runs: number;
  input: number;
  output: number;
}

/** The cost of so many runs; those that did not tell their tokens are taken to be like the others. */
export function costOfRuns(
  price: Price | null,
  { runs: telling, input, output }: TokenTotals,
  runs: number,
): number | null {
  const cost = costOf(price, telling === 0 ? null : { input: input / telling, output: output / telling });
  return cost === null ? null : cost * runs;
}
