import type { SpentOn } from "../../compare/choice/front.ts";
import type { ReportChoice } from "../shape/choice.ts";
import { shareFigure } from "./figures.ts";
import { names, subject } from "./target-names.ts";

/** Says what of each front is sure, a line each: which are beaten in both, and which nobody can beat. */
export function frontWords({ fronts, intervals }: ReportChoice): string[] {
  if (intervals.length < 3) return [];
  const told = new Set<string>();
  return fronts.flatMap(({ by, targets }, place) => {
    const sure = targets.flatMap(({ target, state }) => (state === "yes" ? [target] : []));
    // Cost comes first: of those that it has told of, time has no more to say.
    const beaten = targets.filter(({ target, state }) => state === "no" && !told.has(target));
    for (const { target } of beaten) told.add(target);
    const winners = [...new Set(beaten.flatMap(({ beatenBy }) => beatenBy ?? []))];
    const lost = beaten.map(({ target }) => target);
    const sentences = [
      ...(place === 0 && sure.length > 0
        ? [`Surely no other is both better and ${by === "cost" ? "cheaper" : "faster"} than ${oneOf(sure)}.`]
        : []),
      ...(lost.length === 0
        ? []
        : [`${subject(lost)} surely no better than ${oneOf(winners)}, and surely ${spends(by, lost.length === 1)}.`]),
    ];
    return sentences.length === 0 ? [] : [sentences.join(" ")];
  });
}

const spends = (by: SpentOn, isOne: boolean): string =>
  by === "cost" ? (isOne ? "costs more" : "cost more") : isOne ? "takes longer" : "take longer";

const oneOf = (targets: readonly string[]): string => names(targets, "or");

type Cheapest = NonNullable<ReportChoice["cheapest"]>;

const way = (share: number): string => (share <= 1 ? "less" : "more");
const part = (share: number): string => shareFigure(Math.abs(1 - share));

/** `Case by case b costs 58 % less than a (54 to 62 %).` */
export function ratioWords({ named, ratio }: Cheapest, highest: string): string[] {
  if (ratio === null || ratio.value === 1) return [];
  const { value, lower, upper } = ratio;
  const [least, most] = value <= 1 ? [upper, lower] : [lower, upper];
  const ends =
    part(least) === part(most)
      ? ""
      : ` (${part(least)}${way(least) === way(most) ? "" : ` ${way(least)}`} to ${part(most)}${way(least) === way(most) ? "" : ` ${way(most)}`})`;
  return [`Case by case ${named ?? "it"} costs ${part(value)} ${way(value)} than ${highest}${ends}.`];
}

/** Those that cost the same as the one that is named. */
export function sameCostWords({ sameCost, named }: Cheapest): string[] {
  const others = sameCost.filter((target) => target !== named);
  if (named === null || others.length === 0) return [];
  return [
    `${names(others)} ${others.length === 1 ? "costs" : "cost"} the same, as far as is known, and ${named} scores higher.`,
  ];
}
