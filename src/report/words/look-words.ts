import type { ReportConfirmation, ReportLook, ReportMetric } from "../shape/model.ts";
import { scoreFigure } from "./figures.ts";
import { counted, number } from "./quantity.ts";

/** Tells what came of asking the cases of a regression once more, a sentence for each gate. */
export function confirmationLines(
  { unfinished, gates }: ReportConfirmation,
  metrics: readonly ReportMetric[],
): string[] {
  if (unfinished !== null) return [`Not confirmed: ${unfinished}. The first look stands.`];
  return gates.flatMap((gate) => {
    const metric = metrics.find(({ name }) => name === gate.metric);
    const { first, second, together, state, name } = gate;
    if (metric === undefined || second === null || together === null) return [];
    const [early, late, both] = [first, second, together].map((look) => lookWords(look, metric));
    if (state === "regression" && isWorse(second))
      return `The regression of ${name} is confirmed: at first ${early}; asked again ${late}; both together ${both}.`;
    const decision = state === "regression" ? "are a regression still" : "decide";
    return `${name} was worse at first (${early}), and is not when asked again (${late}): both together ${decision} (${both}).`;
  });
}

/** The same in a sentence behind that of the verdict; empty where there is nothing to add. */
export function confirmationEnd({ unfinished, gates }: ReportConfirmation): string {
  if (unfinished !== null) return `. Not confirmed: ${unfinished}`;
  if (gates.length === 0) return "";
  const takenBack = gates.filter(({ state }) => state !== "regression");
  if (takenBack.length > 0) {
    const names = [...new Set(takenBack.map(({ name }) => name))].join(", ");
    return `. At first ${names} was worse; asked once more it is not`;
  }
  const isSo = gates.every(({ second }) => second !== null && isWorse(second));
  return isSo
    ? ". The regression was asked once more, and is confirmed"
    : ". Asked once more it was not worse, but both times together are";
}

const isWorse = ({ worse, better }: ReportLook): boolean => worse > better;

/** `14 of 220 cases got worse, 2 better, 90 % -> 84 %` */
function lookWords({ cases, worse, better, lost, baseline, now }: ReportLook, metric: ReportMetric): string {
  const sides = `${scoreFigure(baseline, metric)} -> ${scoreFigure(now, metric)}`.replaceAll("−", "-");
  if (lost !== null) return `${number(lost)} of ${counted(cases, "case")} lost, ${sides}`;
  return `${number(worse)} of ${counted(cases, "case")} got worse, ${number(better)} better, ${sides}`;
}
