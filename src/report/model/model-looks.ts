import { ofValue } from "../words/tag-words.ts";
import type { Comparison } from "../../compare/comparison.ts";
import type { ConfirmedGate, LookFigures } from "../../compare/summary/confirmation.ts";
import type { GateKind } from "../../suite/gate-settings.ts";
import type { ReportConfirmation, ReportLook, ReportMetric, Verdict } from "../shape/model.ts";
import { scoreFigure } from "../words/figures.ts";
import { counted, number } from "../words/quantity.ts";

/** Both looks at a regression, as reports show them; null: none was asked once more. */
export function confirmationOf(
  { confirmation, candidates }: Comparison,
  metrics: readonly ReportMetric[],
): ReportConfirmation | null {
  if (confirmation === undefined) return null;
  const measured = candidates[0]?.metrics ?? [];
  const gates = confirmation.gates.flatMap(
    ({ candidate, slice: segment, kind, state, first, second, together, ...about }) => {
      const metric = metrics[measured.findIndex((each) => each.metric === about.metric && each.of === about.of)];
      if (metric === undefined) return [];
      const name = gateName(metric.name, { slice: segment, kind });
      const looks = { first: lookOf(first), second: second && lookOf(second), together: together && lookOf(together) };
      return [{ candidate, metric: metric.name, name, state, ...looks }];
    },
  );
  return { unfinished: confirmation.unfinished, gates };
}

/** Behind the name of a gate, where its metric may have one of another kind. */
const nameEnds: Record<GateKind, string> = { margin: "", losses: " (losses)", cases: " (cases)" };

/** As the gate itself is called. */
export function gateName(metric: string, { slice: segment, kind }: Pick<ConfirmedGate, "slice" | "kind">): string {
  return `${metric}${ofValue(segment)}${nameEnds[kind]}`;
}

function lookOf({ candidate, ...figures }: LookFigures): ReportLook {
  return { ...figures, now: candidate };
}

/** A verdict that tells of both looks. */
export function withLooks(
  verdict: Verdict,
  confirmation: ReportConfirmation | null,
  metrics: readonly ReportMetric[],
): Verdict {
  if (confirmation === null) return verdict;
  const { details } = verdict;
  return {
    ...verdict,
    details: [...confirmationLines(confirmation, metrics), ...details],
  };
}

/** Tells what came of asking the cases of a regression once more, a sentence for each gate. */
function confirmationLines({ unfinished, gates }: ReportConfirmation, metrics: readonly ReportMetric[]): string[] {
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

/** The same in one sentence for the line below the figures; empty where there is nothing to add. */
export function confirmationEnds({ unfinished, gates }: ReportConfirmation): string[] {
  if (unfinished !== null) return [`not confirmed: ${unfinished}`];
  if (gates.length === 0) return [];
  const takenBack = gates.filter(({ state }) => state !== "regression");
  if (takenBack.length > 0) {
    const names = [...new Set(takenBack.map(({ name }) => name))].join(", ");
    return [`at first ${names} was worse; asked once more it is not`];
  }
  const isSo = gates.every(({ second }) => second !== null && isWorse(second));
  return [
    isSo
      ? "the regression was asked once more, and is confirmed"
      : "asked once more it was not worse, but both times together are",
  ];
}

const isWorse = ({ worse, better }: ReportLook): boolean => worse > better;

/** `14 of 220 cases got worse, 2 better, 90 % -> 84 %` */
function lookWords({ cases, worse, better, lost, baseline, now }: ReportLook, metric: ReportMetric): string {
  const sides = `${scoreFigure(baseline, metric)} -> ${scoreFigure(now, metric)}`.replaceAll("−", "-");
  if (lost !== null) return `${number(lost)} of ${counted(cases, "case")} lost, ${sides}`;
  return `${number(worse)} of ${counted(cases, "case")} got worse, ${number(better)} better, ${sides}`;
}
