import type { CaseComparison } from "../cases/case-comparison.ts";
import { isMadeKey } from "../cases/made-key.ts";
import { knownTries } from "../cases/case-tries.ts";
import type { ReadSide } from "../cases/case-side.ts";
import type { ComparedMetric } from "../comparison-plan.ts";

/** Tries of the candidate in each case, at the places of the pair's cases; null where the case lacks what the scorer compares with. */
export interface CaseTries {
  passed: (number | null)[];
  failed: (number | null)[];
  /** Names of the cases in which a try did not pass, or is not known: the key, or the row where nobody gave one. */
  names: Map<number, string>;
}

/** Collects the tries of a metric whose gate asks for them; null: none does. */
export function triesTally(compared: ComparedMetric, place: number) {
  const asked = compared.gates.find((gate) => gate.kind === "cases");
  if (asked === undefined) return null;
  const { of } = asked.tries;
  const tries: CaseTries = { passed: [], failed: [], names: new Map() };
  return {
    add({ key, row }: Pick<CaseComparison, "key" | "row">, candidate: ReadSide): void {
      const known = knownTries(candidate, compared, { place, of });
      if (known !== null && known.passed < of)
        tries.names.set(tries.passed.length, isMadeKey(key) && row !== null ? `row ${row}` : key);
      tries.passed.push(known?.passed ?? null);
      tries.failed.push(known?.failed ?? null);
    },
    tries,
  };
}
