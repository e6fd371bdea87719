import type { Case } from "../../dataset/case.ts";
import { counted } from "../../report/words/quantity.ts";
import { isOfCost } from "../../score/row-checks.ts";
import { targetPrice } from "../../suite/prices.ts";
import type { Suite } from "../../suite/suite.ts";

/** Passes cases on, and says in the end which checks of the cost cannot be graded because a target has no price. */
export async function* noticingCosts(
  pages: AsyncIterable<Case[]>,
  suite: Pick<Suite, "deployments" | "targets">,
  onNotice: (message: string) => void,
): AsyncGenerator<Case[]> {
  let rows = 0;
  let first = 0;
  for await (const page of pages) {
    for (const { checks, source } of page) {
      if (checks?.scorers.some((written) => isOfCost(written) && written["prices"] === undefined) !== true) continue;
      if (rows === 0) first = source.row;
      rows += 1;
    }
    yield page;
  }
  const unpriced = suite.targets.filter((target) => target.stored === undefined && targetPrice(suite, target) === null);
  if (rows === 0 || unpriced.length === 0) return;
  const names = unpriced.map(({ name }) => name).join(", ");
  onNotice(
    `The checks of the cost (${counted(rows, "row")}, first in row ${first}) are not graded for ${names}: there is no price. ` +
      "Write `price: 0.02` (one run), or `price: { input: 2.5, output: 10 }` (a million tokens), into the suite's deployment or target.",
  );
}
