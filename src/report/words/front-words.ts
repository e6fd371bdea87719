import type { ReportChoice } from "../shape/choice.ts";
import { shareFigure } from "./figures.ts";
import { names, subject } from "./target-names.ts";

/** Says what of each front is sure: which are beaten in both, and which nobody can beat. */
export function frontWords({ fronts, intervals }: ReportChoice): string[] {
  // Where nothing is priced, time is what is spent.
  const front = fronts.find(({ by }) => by === "cost") ?? fronts.find(({ by }) => by === "time");
  if (front === undefined || intervals.length < 3) return [];
  const [less, more] = front.by === "cost" ? ["cheaper", "cost"] : ["faster", "take"];
  const sure = front.targets.flatMap(({ target, state }) => (state === "yes" ? [target] : []));
  const beaten = front.targets.filter(({ state }) => state === "no");
  const winners = [...new Set(beaten.flatMap(({ beatenBy }) => beatenBy ?? []))];
  const [one] = beaten;
  const spends = `${more}${beaten.length === 1 ? "s" : ""} ${front.by === "cost" ? "more" : "longer"}`;
  return [
    ...(sure.length > 0 ? [`Surely no other is both better and ${less} than ${oneOf(sure)}.`] : []),
    ...(one === undefined
      ? []
      : [`${subject(beaten.map(({ target }) => target))} surely no better than ${oneOf(winners)}, and surely ${spends}.`]),
  ];
}

const oneOf = (targets: readonly string[]): string => names(targets, "or");

type Cheapest = NonNullable<ReportChoice["cheapest"]>;

/** `It costs 58 % less than a (54 to 62 %).` */
export function ratioWords({ ratio }: Cheapest, highest: string): string[] {
  if (ratio === null || ratio.value === 1) return [];
  const { value, lower, upper } = ratio;
  const way = (share: number): string => (share <= 1 ? "less" : "more");
  const part = (share: number): string => shareFigure(Math.abs(1 - share));
  const [least, most] = value <= 1 ? [upper, lower] : [lower, upper];
  const ends =
    part(least) === part(most)
      ? ""
      : ` (${part(least)}${way(least) === way(most) ? "" : ` ${way(least)}`} to ${part(most)}${way(least) === way(most) ? "" : ` ${way(most)}`})`;
  return [`Case by case it costs ${part(value)} ${way(value)} than ${highest}${ends}.`];
}

/** Those that cost the same as the one that is named. */
export function sameCostWords({ sameCost, named }: Cheapest): string[] {
  const others = sameCost.filter((target) => target !== named);
  if (named === null || others.length === 0) return [];
  return [`${names(others)} ${others.length === 1 ? "costs" : "cost"} the same, as far as is known, and ${named} scores higher.`];
}
