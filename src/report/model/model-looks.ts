import { causeWords } from "../say/causes.ts";
import { ofValue } from "../say/names.ts";
import type { Comparison } from "../../compare/comparison.ts";
import type { ConfirmedGate } from "../../compare/summary/confirmation.ts";
import type { GateKind } from "../../suite/gate-settings.ts";
import type { ReportConfirmation, ReportMetric } from "../shape/model.ts";

/** Both looks at a regression, as reports show them; null: none was asked once more. */
export function confirmationOf(
  { confirmation, candidates }: Comparison,
  metrics: readonly ReportMetric[],
): ReportConfirmation | null {
  if (confirmation === undefined) return null;
  const measured = candidates[0]?.metrics ?? [];
  const gates = confirmation.gates.flatMap(({ candidate, slice, kind, state, first, second, together, ...about }) => {
    const metric = metrics[measured.findIndex((each) => each.metric === about.metric && each.of === about.of)];
    if (metric === undefined) return [];
    const name = gateName(metric.name, { slice, kind });
    return [{ candidate, metric: metric.name, name, state, first, second, together }];
  });
  const { unfinished } = confirmation;
  return { unfinished: unfinished === null ? null : causeWords(unfinished), gates };
}

/** Behind the name of a gate, where its metric may have one of another kind. */
const nameEnds: Record<GateKind, string> = { margin: "", losses: " (losses)", cases: " (cases)" };

/** As the gate itself is called. */
export function gateName(metric: string, { slice, kind }: Pick<ConfirmedGate, "slice" | "kind">): string {
  return `${metric}${ofValue(slice)}${nameEnds[kind]}`;
}
