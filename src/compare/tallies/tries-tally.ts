import type { PairedResult } from "../cases/case-comparison.ts";
import { isMadeKey } from "../cases/made-key.ts";
import { knownTries } from "../cases/case-tries.ts";
import type { ReadSide } from "../cases/case-side.ts";
import type { ComparedMetric } from "../comparison-plan.ts";

/**
 * Tries of the candidate in each case that it has, be it paired or not: a row that the baseline lacks, or had with another
 * input, has to hold as well. Null where the case lacks what the scorer compares with.
 */
export interface CaseTries {
  passed: (number | null)[];
  failed: (number | null)[];
  /** Values of the tags that gates ask by; empty where none does. */
  tags: Readonly<Record<string, string>>[];
  /** Names of the cases in which a try did not pass, or is not known: the key, or the row where nobody gave one. */
  names: Map<number, string>;
}

/** Collects the tries of a metric whose gate asks for them; null: none does. */
export function triesTally(compared: ComparedMetric, place: number) {
  const gates = compared.gates.filter((gate) => gate.kind === "cases");
  const [asked] = gates;
  if (asked === undefined) return null;
  const isByTag = gates.some(({ by }) => by !== null);
  const { of } = asked.tries;
  const tries: CaseTries = { passed: [], failed: [], tags: [], names: new Map() };
  return {
    add(
      { key, row }: Pick<PairedResult, "key" | "row">,
      candidate: ReadSide,
      tags: Readonly<Record<string, string>>,
    ): void {
      const known = knownTries(candidate, compared, { place, of });
      if (known !== null && known.passed < of)
        tries.names.set(tries.passed.length, isMadeKey(key) && row !== null ? `row ${row}` : key);
      tries.passed.push(known?.passed ?? null);
      tries.failed.push(known?.failed ?? null);
      if (isByTag) tries.tags.push(tags);
    },
    tries,
  };
}
