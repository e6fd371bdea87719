import { type Price } from "../api/price.ts";
import type { SuiteFile } from "./schema/schema.ts";
import type { Suite, Target } from "./suite.ts";

/** The price of what a target of a suite runs: its own, or that of its deployment; null: not known. */
export function targetPrice(
  { deployments, targets }: Pick<Suite, "deployments" | "targets">,
  { name, deployment }: Pick<Target, "name" | "deployment">,
): Price | null {
  const own = targets.find((target) => target.name === name)?.price;
  return own ?? deployments.find((each) => each.name === deployment)?.price ?? null;
}

/** Target to its price, of those that have one. */
export function targetPrices(suite: Pick<Suite, "deployments" | "targets">): Record<string, Price> {
  return Object.fromEntries(
    suite.targets.flatMap((target) => {
      const price = targetPrice(suite, target);
      return price === null ? [] : [[target.name, price]];
    }),
  );
}

/** The same for a suite as it is written. */
export function pricesOf(file: Pick<SuiteFile, "deployments">, targets: readonly Target[]): Record<string, Price> {
  return Object.fromEntries(
    targets.flatMap(({ name, deployment, price = file.deployments?.[deployment]?.price }) =>
      price === undefined ? [] : [[name, price]],
    ),
  );
}
