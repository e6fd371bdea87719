import { knownTries } from "../cases/case-tries.ts";
import type { ReadSide } from "../cases/case-side.ts";
import type { ComparedMetric } from "../comparison-plan.ts";

/** Tries of the candidate in each case, at the places of the pair's cases; null where the case lacks what the scorer compares with. */
export interface CaseTries {
  passed: (number | null)[];
  failed: (number | null)[];
  /** Keys of the cases in which a try did not pass, or is not known. */
  keys: Map<number, string>;
}

/** Collects the tries of a metric whose gate asks for them; null: none does. */
export function triesTally(compared: ComparedMetric, place: number) {
  const asked = compared.gates.find((gate) => gate.kind === "cases");
  if (asked === undefined) return null;
  const { of } = asked.tries;
  const tries: CaseTries = { passed: [], failed: [], keys: new Map() };
  return {
    add(key: string, candidate: ReadSide): void {
      const known = knownTries(candidate, compared, { place, of });
      if (known !== null && known.passed < of) tries.keys.set(tries.passed.length, key);
      tries.passed.push(known?.passed ?? null);
      tries.failed.push(known?.failed ?? null);
    },
    tries,
  };
}
