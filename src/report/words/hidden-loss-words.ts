import type { HiddenLoss } from "../../compare/verdict/facts.ts";
import type { ShownMeasure } from "./figures.ts";
import { loss as lossFigure } from "./figures.ts";
import { number } from "./quantity.ts";

/** `Counted by \`article\` (20) a loss of up to 13.9 points could hide.` */
export function hiddenLossWords({ column, groups, loss }: HiddenLoss, metric: ShownMeasure): string {
  const by = column === null ? "conversation" : `\`${column}\``;
  return `Counted by ${by} (${number(groups)}) a loss of up to ${lossFigure(loss, metric)} could hide.`;
}
