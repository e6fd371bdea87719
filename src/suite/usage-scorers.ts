import { endpointOf } from "../api/endpoints.ts";
import { isByToken, type Price } from "../api/price.ts";
import type { ScorerSpec } from "../score/contract/spec.ts";
import { checksType } from "../score/row-checks.ts";
import { scorerSpecs } from "../score/contract/spec.ts";
import type { Target } from "./suite.ts";

/**
 * Scorers with prices in those of cost. Where every target tells its tokens they are compared as well, and the cost where
 * every target has a price and one is by the token: beside scorers that say what is good, never alone.
 */
export function withUsage(
  scorers: readonly ScorerSpec[],
  targets: readonly Target[],
  prices: Readonly<Record<string, Price>>,
): ScorerSpec[] {
  const asked = targets.filter(({ stored }) => stored === undefined);
  const has = (type: string): boolean => scorers.some((spec) => spec.type === type || spec.name === type);
  const added = [];
  if (scorers.length > 0 && asked.length > 0) {
    const isPriced = asked.every(({ name }) => prices[name] !== undefined);
    const isCounted = asked.every(({ endpoint }) => endpointOf(endpoint).tellsUsage);
    if (isCounted && !has("tokens")) added.push({ type: "tokens" });
    if (isPriced && Object.values(prices).some(isByToken) && !has("cost")) added.push({ type: "cost" });
  }
  const own = scorerSpecs(added).map((spec) => ({ ...spec, primary: false }));
  const hasPrices = Object.keys(prices).length > 0;
  return [...scorers, ...own].map((spec) =>
    (spec.type === "cost" || (hasPrices && spec.type === checksType)) &&
    Object.keys(Object(spec.options["prices"] ?? {})).length === 0
      ? { ...spec, options: { ...spec.options, prices } }
      : spec,
  );
}
