import type { ShownGateState, ReportGate, ReportSummary } from "../../../report/shape/model.ts";

const gravest: ShownGateState[] = ["regression", "invalid", "inconclusive", "pass"];

/** The gates that say most come first; those of one state stay in their order. */
export function byGravity(gates: readonly ReportGate[]): ReportGate[] {
  return gates.toSorted((a, b) => gravityOf(a.state) - gravityOf(b.state));
}

/** The gravest state among the gates of a candidate; null: it has no gate. */
export function standingOf({ gates }: ReportSummary, candidate: string): ShownGateState | null {
  const own = byGravity(gates.filter((gate) => gate.candidate === candidate));
  return own[0]?.state ?? null;
}

/** The candidate that a person should look at first: the one that the verdict is about. */
export function firstCandidate({ gates, candidates, verdict }: ReportSummary): number {
  const [gravestGate] = byGravity(gates);
  const about = gates.find(({ state }) => state !== null && state === verdict.state) ?? gravestGate;
  return Math.max(0, candidates.indexOf(about?.candidate ?? ""));
}

function gravityOf(state: ShownGateState | null): number {
  return state === null ? gravest.length : gravest.indexOf(state);
}
