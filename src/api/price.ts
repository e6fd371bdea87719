import type { Usage } from "./usage.ts";

/** Price of one run, in the owner's unit; or of a run and of a million tokens read and written. */
export type Price =
  | number
  | {
      run: number;
      input: number;
      output: number;
      /** Price of a million tokens read that came from a cache; left out: that of `input`. */
      cached?: number;
    };

/** True for a price that depends on tokens. */
export function isByToken(price: Price | null): boolean {
  if (typeof price !== "object" || price === null) return false;
  return price.input > 0 || price.output > 0 || (price.cached ?? 0) > 0;
}

/** The cost of one run; null where no price is known, or it depends on tokens that nobody told. */
export function costOf(price: Price | null, usage: Usage | null): number | null {
  if (price === null || typeof price === "number") return price;
  if (!isByToken(price)) return price.run;
  if (usage === null) return null;
  const { input, output, cached = 0 } = usage;
  const ofCache = (price.cached ?? price.input) * cached;
  return price.run + (price.input * (input - cached) + ofCache + price.output * output) / 1e6;
}

/** Tokens of so many runs that told them. */
export interface TokenTotals {
  runs: number;
  input: number;
  output: number;
  /** Those of `input` that came from a cache. */
  cached: number;
}

/** The cost of so many runs; those that did not tell their tokens are taken to be like the others. */
export function costOfRuns(
  price: Price | null,
  { runs: telling, input, output, cached }: TokenTotals,
  runs: number,
): number | null {
  const one = telling === 0 ? null : { input: input / telling, output: output / telling, cached: cached / telling };
  const cost = costOf(price, one);
  return cost === null ? null : cost * runs;
}
