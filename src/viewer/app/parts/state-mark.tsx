import type { ShownGateState, VerdictState } from "../../../report/shape/model.ts";

const stateNames: Record<VerdictState, string> = {
  regression: "Regression",
  pass: "Pass",
  inconclusive: "Inconclusive",
  invalid: "Invalid",
  none: "No verdict",
};

export const stateSigns: Record<VerdictState, string> = {
  regression: "▼",
  pass: "✓",
  inconclusive: "?",
  invalid: "!",
  none: "·",
};

/** A state as sign, word and colour: never colour alone. */
export function StateMark({ state }: { state: ShownGateState | VerdictState }) {
  return (
    <span class={`state ${state}`}>
      <span aria-hidden="true">{stateSigns[state]}</span> {stateNames[state]}
    </span>
  );
}
