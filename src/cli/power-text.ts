import type { PowerPlan } from "../pipeline/power.ts";
import { loss, measure } from "../report/figures.ts";
import { number } from "../report/quantity.ts";
import { tableLines } from "../report/table.ts";
import { visible } from "../report/visible.ts";

/** What a comparison of this size can find, and what a larger one would cost. */
export function powerLines(power: PowerPlan): string[] {
  const { metric, from, rows, wanted } = power;
  const of = power.of === "value" || power.of === "ratio" ? power.of : "pass";
  const source =
    from === null
      ? "by an assumed variance (15 % of the cases pass on one side only, half of that by chance); run the suite once to have its own"
      : `by the variance of ${visible(metric)} in ${visible(from)}`;
  const lines = [
    `The smallest drop that is found (80 % power, alpha 5 %), ${source}:`,
    ...tableLines(
      [
        { title: "cases", align: "right", most: 12 },
        { title: "runs of each", align: "left", most: 20 },
        { title: "drop", align: "right", most: 20 },
        { title: "jobs", align: "right", most: 14 },
        { title: "cost", align: "right", most: 16 },
      ],
      rows.map(({ cases, runs, detectable, jobs, cost }) => [
        number(cases),
        `${runs.candidate} against ${runs.baseline}`,
        dropText(detectable, of),
        number(jobs),
        cost === null ? "-" : cost.toLocaleString("en-US", { maximumFractionDigits: 6 }),
      ]),
    ),
  ];
  if (wanted === null) return lines;
  return [...lines, `To find a drop of ${dropText(wanted.drop, of)}: about ${number(wanted.cases)} cases.`];
}

/** Of a ratio the drop is a difference of logarithms. */
function dropText(drop: number, of: "pass" | "value" | "ratio"): string {
  return loss(of === "ratio" ? Math.expm1(Math.abs(drop)) : drop, measure(of));
}
