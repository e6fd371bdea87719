import type { PowerPlan } from "../../../app/plan/power.ts";
import { lossShown } from "../../../report/model/gate-details.ts";
import { falseAlarmWords } from "../../../report/words/cases-words.ts";
import { loss, type ShownMeasure, measure } from "../../../report/words/figures.ts";
import { counted, number } from "../../../report/words/quantity.ts";
import { tableLines } from "../../../report/terminal/table.ts";
import { visible } from "../../../report/text/visible.ts";

/** Drops that a comparison of this size can find, and the cost of a larger one. `isLookedAt`: it stops when it is decided. */
export function powerLines(power: PowerPlan, isLookedAt: boolean): string[] {
  const { metric, from, rows, wanted, gate } = power;
  const now = rows[0]?.runs;
  const reported = { ...measure(power.of), unit: power.unit, lowerIsBetter: power.lowerIsBetter };
  // Without a measured variation of runs nothing is known of more of them; else no outcome is surely a drop.
  const unknown = (runs: Row["runs"]): string =>
    power.within === null && runs.candidate !== now?.candidate ? "not known" : "never";
  const source =
    from === null
      ? `by an assumed variance (${share(power.between + (power.within ?? 0))} of the cases pass on one side only, half of that by chance; more where the drop is larger); compare two targets once to have its own`
      : `by the variance of ${visible(metric)} in ${visible(from)}`;
  const lines = [
    `The true drop that is shown at all${gate === null ? "" : ", and that the gate calls a regression"}, 4 times in 5 (alpha 5 %), ${source}:`,
    ...tableLines(
      [
        { title: "cases", align: "right", most: 12 },
        { title: "runs of each", align: "left", most: 20 },
        { title: "shown from", align: "right", most: 20 },
        { title: "gate calls from", align: "right", most: 20 },
        { title: "jobs", align: "right", most: 14 },
        { title: "cost", align: "right", most: 16 },
      ],
      rows.map(({ cases, runs, detectable, regression, jobs, cost }) => [
        number(cases),
        `${runs.candidate} against ${runs.baseline}`,
        detectable === null ? unknown(runs) : dropText(detectable, reported),
        regression === null ? (gate === null ? "-" : unknown(runs)) : dropText(regression, reported),
        number(jobs),
        cost === null ? "-" : costText(cost),
      ]),
    ),
    ...(power.within === null ? ["No case ran twice, so what more runs of each would show is not known."] : []),
    ...(gate === null ? [] : [gateLine(gate, reported)]),
    ...(isLookedAt ? [lookedLine] : []),
    ...(power.held ?? []).map(
      (asked) => `${visible(asked.metric)}, ${asked.pass} of ${asked.of} tries: ${falseAlarmWords(asked, asked.cases)}`,
    ),
  ];
  return wanted === null ? lines : [...lines, ...wantedLines(wanted, power, reported)];
}

/** Betting pays for its looks with cases. */
const lookedLine =
  "All of this is for a run that is looked at once, at its end. This one stops when it is decided: it finds a drop of the same size with more cases, as the table above tells.";

function gateLine({ margin, alpha }: NonNullable<PowerPlan["gate"]>, of: ShownMeasure): string {
  const sure = alpha === 0.05 ? "" : `, at an alpha of ${(alpha * 100).toFixed(2)} % in each comparison`;
  return `The gate accepts ${loss(margin, of)}: from the true drop in its column it calls a regression 4 times in 5${sure}.`;
}

function wantedLines(
  { drop, cases, jobs, cost, times, gateCases }: Wanted,
  { rows, gate }: PowerPlan,
  of: ShownMeasure,
): string[] {
  const size = loss(drop, of);
  const costs = cost === null ? "" : `, cost ${costText(cost)}`;
  const [first] = rows;
  const repeats =
    times === null || first === undefined
      ? ""
      : `, or ${times * first.runs.candidate} against ${times * first.runs.baseline} runs of these ${number(first.cases)}`;
  const line = `To find a drop of ${size}: about ${counted(cases, "case")} (${counted(jobs, "job")}${costs})${repeats}.`;
  if (gate === null) return [line];
  if (gateCases === null) return [line, "The gate accepts such a drop: found, it would still not be a regression."];
  return [line, `The gate calls it a regression with about ${counted(gateCases, "case")}.`];
}

type Row = PowerPlan["rows"][number];
type Wanted = NonNullable<PowerPlan["wanted"]>;

const costText = (cost: number): string => cost.toLocaleString("en-US", { maximumFractionDigits: 6 });

const share = (part: number): string => `${Math.round(part * 1000) / 10} %`;

/** Words for a drop, which for a ratio is a difference of logarithms. */
function dropText(drop: number, of: ShownMeasure): string {
  return loss(lossShown(drop, of), of);
}
