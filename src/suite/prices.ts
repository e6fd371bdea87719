import { type Price } from "../api/price.ts";
import type { Suite, Target } from "./suite.ts";

/** The price of what a target of a suite runs: its own, or that of its deployment. */
export function targetPrice(
  { deployments, targets }: Pick<Suite, "deployments" | "targets">,
  { name, deployment }: Pick<Target, "name" | "deployment">,
): Price | null {
  const own = targets.find((target) => target.name === name)?.price;
  return own ?? deployments.find((each) => each.name === deployment)?.price ?? null;
}

/** The price of a question to a judge, by the name that a suite or a batch has for it. */
export function judgePrice(
  { deployments, judges }: Pick<Suite, "deployments" | "judges">,
  { name, deployment }: Pick<Target, "name" | "deployment">,
): Price | null {
  // One that has changed since an earlier grading has a number behind its name.
  const own = judges.find((judge) => judge.name === name.replace(/~\d+$/, ""))?.price;
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
