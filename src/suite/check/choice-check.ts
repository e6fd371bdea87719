import { isJsonObject } from "../../lib/json.ts";
import { type Fault, fault, type FaultPath } from "../fault.ts";
import { gridOf } from "../matrix/grid.ts";

type Members = Record<string, unknown>;

/**
 * A choice needs several to choose among; the cheapest one a loss that is accepted for it, and the price of each: a run whose
 * result would be that a cost is not known is not paid for.
 */
export function checkChoice(suite: Members, compare: Members, targets: readonly string[]): Fault[] {
  const { choose, margin, race } = compare;
  const path = ["compare", "choose"];
  const example = "Write `compare.margin: 0.02`, or type --set compare.margin=0.02: two points of a pass rate.";
  return [
    ...(choose !== undefined && targets.length < 2 ? [fault(path, "needs two targets or more")] : []),
    ...(choose === "cheapest" && margin === undefined
      ? [fault(path, "is cheapest, and needs the loss that is accepted for it", example)]
      : []),
    ...(choose !== "cheapest" && race === undefined && margin !== undefined
      ? [fault(["compare", "margin"], "is for `choose: cheapest` alone; the margin of a gate stands in `gates`")]
      : []),
    ...(choose === "cheapest" ? unpriced(suite, compare) : []),
  ];
}

const advice =
  "Write `price: 0.8` there (by flags: --set deployments.NAME.price=0.8), what one run costs in the unit that you count in, or {run, input, output} by tokens.";

const isPriced = (section: unknown): boolean => isJsonObject(section) && (section["price"] ?? null) !== null;

const missing = (path: FaultPath, of: string): Fault =>
  fault(path, `has no price, and compare.choose is cheapest: ${of} needs one`, advice);

/** Targets of which nobody could say what they cost. */
function unpriced(suite: Members, { baseline, candidates }: Members): Fault[] {
  const { targets, deployments, matrix } = suite;
  const deploymentOf = (name: unknown): unknown =>
    isJsonObject(deployments) && typeof name === "string" ? deployments[name] : undefined;
  if (isJsonObject(targets)) {
    const taking = Array.isArray(candidates) ? new Set([...candidates, baseline]) : null;
    return Object.entries(targets).flatMap(([name, target]) => {
      if (!isJsonObject(target) || (taking !== null && !taking.has(name)) || isPriced(target)) return [];
      const deployment = target["deployment"];
      // A deployment that is not there is told where it is named.
      if (deployment !== undefined && deploymentOf(deployment) === undefined) return [];
      if (isPriced(deploymentOf(deployment))) return [];
      return [missing(["targets", name], deployment === undefined ? "it" : "it, or its deployment,")];
    });
  }
  if (isPriced(matrix)) return [];
  const named = new Set(gridOf(matrix).targets.map(({ values }) => values.get("deployment")?.value));
  return [...named].flatMap((name) =>
    typeof name !== "string" || deploymentOf(name) === undefined || isPriced(deploymentOf(name))
      ? []
      : [missing(["deployments", name], "it, or the matrix,")],
  );
}
