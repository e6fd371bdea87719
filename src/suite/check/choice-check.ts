import { type Fault, fault, type FaultPath } from "../../lib/fault.ts";
import type { Grid } from "../matrix/grid.ts";
import type { Sections } from "../schema/sections.ts";

type WrittenCompare = NonNullable<Sections["compare"]>;

/** A choice needs several to choose among; the cheapest one a loss that is accepted for it, and the price of each. */
export function checkChoice(
  sections: Sections,
  compare: WrittenCompare,
  { grid, names }: { grid: Grid; names: readonly string[] },
): Fault[] {
  const { choose, margin, race } = compare;
  const path = ["compare", "choose"];
  const example = "Write `compare.margin: 0.02`, or type --set compare.margin=0.02: two points of a pass rate.";
  return [
    ...(choose !== undefined && names.length < 2 ? [fault(path, "needs two targets or more")] : []),
    ...(choose === "cheapest" && margin === undefined
      ? [fault(path, "is cheapest, and needs the loss that is accepted for it", example)]
      : []),
    ...(choose !== "cheapest" && race === undefined && margin !== undefined
      ? [fault(["compare", "margin"], "is for `choose: cheapest` alone; the margin of a gate stands in `gates`")]
      : []),
    ...(choose === "cheapest" ? unpriced(sections, compare, grid) : []),
  ];
}

const advice =
  "Write `price: 0.8` there (by flags: --set deployments.NAME.price=0.8), what one run costs in the unit that you count in, or {run, input, output} by tokens.";

const isPriced = (section: { price?: unknown } | undefined): boolean => (section?.price ?? null) !== null;

const missing = (path: FaultPath, of: string): Fault =>
  fault(path, `has no price, and compare.choose is cheapest: ${of} needs one`, advice);

/** Targets without a known cost. A deployment that is not there is told where it is named. */
function unpriced(
  { targets, deployments = {}, matrix }: Sections,
  { baseline, candidates }: WrittenCompare,
  grid: Grid,
): Fault[] {
  if (targets !== undefined) {
    const taking = candidates === undefined ? null : new Set([...candidates, baseline]);
    return Object.entries(targets).flatMap(([name, target]) => {
      if ((taking !== null && !taking.has(name)) || isPriced(target)) return [];
      const { deployment } = target;
      if (deployment === undefined) return [missing(["targets", name], "it")];
      const own = Object.hasOwn(deployments, deployment) ? deployments[deployment] : undefined;
      return own === undefined || isPriced(own) ? [] : [missing(["targets", name], "it, or its deployment,")];
    });
  }
  if (isPriced(matrix)) return [];
  const named = new Set(grid.targets.map(({ values }) => values.get("deployment")?.value));
  return [...named].flatMap((name) => {
    const own = typeof name === "string" && Object.hasOwn(deployments, name) ? deployments[name] : undefined;
    return typeof name !== "string" || own === undefined || isPriced(own)
      ? []
      : [missing(["deployments", name], "it, or the matrix,")];
  });
}
