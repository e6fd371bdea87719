import type { Pairing } from "../cases/pairing.ts";

/** The pairing of the cases of two sides, and the cases without a counterpart. */
export interface PairingSummary {
  /** Cases in both, with the same input. */
  paired: number;
  /** Listed by reason: how many, and the keys of the first of them. */
  onlyBaseline: Unpaired;
  onlyCandidate: Unpaired;
  inputDiffers: Unpaired;
}

interface Unpaired {
  cases: number;
  /** The first keys, at most 20. */
  keys: string[];
}

const mostKeys = 20;

export function pairingTally() {
  let paired = 0;
  const unpaired = { "only-baseline": none(), "only-candidate": none(), "input-differs": none() };
  return {
    add(key: string, pairing: Pairing): void {
      if (pairing === "neither") return;
      if (pairing === "paired") paired += 1;
      else {
        const list = unpaired[pairing];
        list.cases += 1;
        if (list.keys.length < mostKeys) list.keys.push(key);
      }
    },
    summary: (): PairingSummary => ({
      paired,
      onlyBaseline: unpaired["only-baseline"],
      onlyCandidate: unpaired["only-candidate"],
      inputDiffers: unpaired["input-differs"],
    }),
  };
}

const none = (): Unpaired => ({ cases: 0, keys: [] });
