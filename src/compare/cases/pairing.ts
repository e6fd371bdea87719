import type { ComparedTarget, ComparisonPlan } from "../comparison-plan.ts";

/** Tells if the two sides of a pair saw the same case. */
export const pairings = ["paired", "only-baseline", "only-candidate", "input-differs", "neither"] as const;
export type Pairing = (typeof pairings)[number];

/** A case among those of other batches with its key. */
export interface CaseVariant {
  /** Ids of the batches that have its key, together where the input is the same; left out: all batches have this case. */
  variants?: readonly (readonly number[])[];
  /** Number of the variant that this case is: it has the jobs of that one. Default 0. */
  variant?: number;
  /** Expected texts of each of its batches, if they are not the same. */
  expectations?: readonly { batchId: number; expected: string }[];
}

type BatchesOfSide = Pick<ComparedTarget, "batchIds">;

/**
 * Pairs two sides that had the same input; of a key with several inputs that is at most one. Everything else about the
 * key is told of its first input.
 */
export function pairingOf(found: CaseVariant, baseline: BatchesOfSide, candidate: BatchesOfSide): Pairing {
  const { variants, variant = 0 } = found;
  if (variants === undefined) return "paired";
  const home = homeOf(variants, baseline, candidate);
  if (home !== -1 || variant !== 0) return home === variant ? "paired" : "neither";
  const [inBaseline, inCandidate] = [baseline, candidate].map((side) => variants.some((own) => has(own, side)));
  if (inBaseline === true && inCandidate === true) return "input-differs";
  return inBaseline === true ? "only-baseline" : inCandidate === true ? "only-candidate" : "neither";
}

/** True where each of two sides was graded by another expected text. */
export function expectedDiffers(
  { expectations = [] }: CaseVariant,
  baseline: BatchesOfSide,
  candidate: BatchesOfSide,
): boolean {
  const [one, two] = [baseline, candidate].map(({ batchIds }) =>
    expectations.filter(({ batchId }) => batchIds.includes(batchId)),
  );
  return (one ?? []).some(({ expected }) => (two ?? []).some((other) => other.expected !== expected));
}

/** True for the first input of a key, and for another in which two sides are paired. */
export function isCompared({ sides, pairs }: Pick<ComparisonPlan, "sides" | "pairs">): (found: CaseVariant) => boolean {
  return ({ variants = [], variant = 0 }) =>
    variant === 0 ||
    pairs.some(({ baseline, candidate }) => {
      const [from, to] = [sides[baseline], sides[candidate]];
      return from !== undefined && to !== undefined && homeOf(variants, from, to) === variant;
    });
}

/** True for a side some of whose batches have this case. */
export function isOwn({ variants, variant = 0 }: CaseVariant, side: BatchesOfSide): boolean {
  return variants === undefined || has(variants[variant] ?? [], side);
}

/** The first input that both sides have; -1: none. */
function homeOf(variants: readonly (readonly number[])[], from: BatchesOfSide, to: BatchesOfSide): number {
  return variants.findIndex((own) => has(own, from) && has(own, to));
}

function has(batches: readonly number[], { batchIds }: BatchesOfSide): boolean {
  return batchIds.some((id) => batches.includes(id));
}
