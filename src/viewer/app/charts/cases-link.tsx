import { number } from "../../../report/words/quantity.ts";

/** A number of cases that leads to their rows. */
export function CasesLink({ cases, show }: { cases: number; show: () => void }) {
  return (
    <button type="button" class="link" onClick={show}>
      {number(cases)}
      <span class="unseen"> cases</span>
    </button>
  );
}
