import type { PowerPlan } from "../../../app/plan/power.ts";
import { lossShown } from "../../../report/say/gate-details.ts";
import { falseAlarmWords } from "../../../report/say/gates.ts";
import { loss, type ShownMeasure, measure } from "../../../report/say/figures.ts";
import { counted, number } from "../../../report/say/quantity.ts";
import { fewestToPass } from "../../../stats/planning/gate-power.ts";
import { pad } from "../../../report/text/width.ts";
import { type VerdictWord, wordFacts } from "../../../compare/verdict-word.ts";
import { tableLines } from "../../../report/terminal/table.ts";
import { visible } from "../../../report/text/visible.ts";

/** Words that a comparison of this size is likely to say, for which true difference, and the cost of a larger one. `isLookedAt`: it stops when it is decided. */
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
  const sizes = (of: (row: Row) => number | null): string[] =>
    rows.map((row) => {
      const size = of(row);
      return size === null ? unknown(row.runs) : dropText(size, reported);
    });
  // Where one as small is a regression, it is not called WORSE.
  const worse = rows.map((row) => (row.worse === null && row.regression !== null ? "–" : null));
  const shown =
    gate === null
      ? [{ title: "shown from", cells: sizes(({ detectable }) => detectable) }]
      : [
          { title: "BETTER from", cells: sizes(({ better }) => better) },
          { title: "PASS up to", cells: sizes(({ pass }) => pass) },
          { title: "WORSE from", cells: sizes((row) => row.worse).map((cell, place) => worse[place] ?? cell) },
          { title: "REGRESSION from", cells: sizes(({ regression }) => regression) },
        ];
  const lines = [
    gate === null
      ? `The true drop that is shown at all, 4 times in 5 (alpha 5 %), ${source}:`
      : `Words that ${counted(rows[0]?.cases ?? 0, "row")} are likely to bring (4 times in 5), ${source}:`,
    ...wordLines(power, reported),
    ...tableLines(
      [
        { title: "cases", align: "right", most: 12 },
        { title: "runs of each", align: "left", most: 20 },
        ...shown.map(({ title }) => ({ title, align: "right" as const, most: 20 })),
        { title: "jobs", align: "right", most: 14 },
        { title: "cost", align: "right", most: 16 },
      ],
      rows.map(({ cases, runs, jobs, cost }, place) => [
        number(cases),
        `${runs.candidate} against ${runs.baseline}`,
        ...shown.map(({ cells }) => cells[place] ?? ""),
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
  const labels = (power.labels ?? []).map(labelsLine);
  return [...lines, ...(wanted === null ? [] : wantedLines(wanted, power, reported)), ...labels];
}

/** Labels that decide the gate of a judge: `88 labelled cases of 400 decide \`helpful\`, ...`. */
function labelsLine(plan: NonNullable<PowerPlan["labels"]>[number]): string {
  const { metric, of, margin, from, sd, correlation, cases, designEffect: effect } = plan;
  const { loss: supposed, labels, casesFirst, allLabelled } = plan;
  const [limit, unit] = [loss(margin, measure(of)), measure(of)];
  const truth = supposed === 0 ? "where people see no loss" : `where people see a loss of ${loss(supposed, unit)}`;
  const what = `\`${visible(metric)}\` with a limit of ${limit}, ${truth}`;
  const clustered = effect > 1 ? `; design effect of clusters ${effect.toFixed(1)}` : "";
  const [by, varied] = [from === null ? "assumed" : `by the labels of ${visible(from)}`, sd.toFixed(2)];
  const variation = `(${by}: standard deviation of people's differences ${varied}, r ${correlation.toFixed(2)} with the judge${clustered})`;
  if (labels !== null)
    return `Labels: ${counted(labels, "labelled row")} of ${number(cases)} decide ${what}, 4 times in 5 ${variation}: \`tandem label draw --labels ${labels}\` after the run.`;
  if (casesFirst === null) return `Labels: no number of them decides ${what}: that is the limit itself.`;
  const needed = allLabelled
    ? `it takes about ${counted(casesFirst, "row")}, all of them labelled`
    : `it takes at least ${counted(casesFirst, "row")} that the judge grades, and labels of some`;
  return `Labels: no number of them decides ${what}, on ${counted(cases, "row")}: ${needed} ${variation}.`;
}

/** Betting pays for its looks with cases. */
const lookedLine =
  "All of this is for a run that is looked at once, at its end. This one stops when it is decided: it finds a drop of the same size with more cases.";

function gateLine({ margin, alpha }: NonNullable<PowerPlan["gate"]>, of: ShownMeasure): string {
  const sure = alpha === 0.05 ? "" : ` REGRESSION is said at ${(alpha * 100).toFixed(2)} % in each comparison.`;
  return `BETTER is of a true gain, the others of a true loss; the limit is ${loss(margin, of)}.${sure}`;
}

/** Every word that can come out, and for which true difference it is likely: `  BETTER      from a true gain of 8.8 points`. */
function wordLines({ rows: [first], casesToPass, gate, of: measured }: PowerPlan, of: ShownMeasure): string[] {
  if (first === undefined || gate === null) return [];
  const { cases, better, pass, worse, regression } = first;
  const fewest = measured === "pass" ? fewestToPass(gate.margin, gate.passAlpha) : 0;
  const toPass = casesToPass === null ? "" : `; about ${counted(casesToPass, "row")} where they differ so much`;
  const open =
    cases < fewest
      ? `never with so few: ${number(fewest)} are enough where none is lost${toPass}`
      : `only where fewer cases differ${toPass}`;
  const lines: [VerdictWord, string][] = [
    ["better", better === null ? "never likely" : `from a true gain of ${dropText(better, of)}`],
    ["pass", pass === null ? open : `while at most ${dropText(pass, of)} are truly lost`],
    ...(worse === null
      ? []
      : [["worse", `from a true loss of ${dropText(worse, of)}`] satisfies [VerdictWord, string]]),
    ["regression", regression === null ? "never likely" : `from a true loss of ${dropText(regression, of)}`],
    ["too-few-cases", "mostly, for what is between these"],
  ];
  return lines.map(([word, text]) => `  ${pad(wordFacts(word).shown, 13, "left")}  ${text}`);
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
  const found =
    gate === null
      ? `To find a drop of ${size}`
      : `A true loss of ${size} is called ${cases === gateCases ? "REGRESSION" : "WORSE"}, 4 times in 5`;
  const line = `${found}: about ${counted(cases, "row")} (${counted(jobs, "job")}${costs})${repeats}.`;
  if (gate === null || cases === gateCases) return [line];
  if (gateCases === null) return [line, "It is within the limit: no number of cases makes it a REGRESSION."];
  return [line, `It is called REGRESSION with about ${counted(gateCases, "row")}.`];
}

type Row = PowerPlan["rows"][number];
type Wanted = NonNullable<PowerPlan["wanted"]>;

const costText = (cost: number): string => cost.toLocaleString("en-US", { maximumFractionDigits: 6 });

const share = (part: number): string => `${Math.round(part * 1000) / 10} %`;

/** Words for a drop, which for a ratio is a difference of logarithms. */
function dropText(drop: number, of: ShownMeasure): string {
  return loss(lossShown(drop, of), of);
}
