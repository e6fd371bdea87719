import { compositeScorers } from "./composite.ts";
import { guarded } from "../contract/guard.ts";
import type { Scorer } from "../contract/scorer.ts";
import type { ScorerSpec } from "../contract/spec.ts";

type Composite = Extract<Scorer, { kind: "composite" }>;

/**
 * Composites by their places, each after those that it is made of; -1 for a part that is not there. A scorer may be null:
 * one that is not made, whose scores are known from elsewhere.
 */
export function compositeOrder(
  scorers: readonly { name: string; scorer: Scorer | null }[],
): { place: number; of: readonly number[] }[] {
  const placeOf = new Map(scorers.map(({ name }, place) => [name, place]));
  const ordered: { place: number; of: number[] }[] = [];
  const seen = new Set<number>();
  const visit = (place: number): void => {
    const scorer = scorers[place]?.scorer;
    if (scorer?.kind !== "composite" || seen.has(place)) return;
    seen.add(place);
    const of = scorer.of.map((name) => placeOf.get(name) ?? -1);
    for (const part of of) visit(part);
    ordered.push({ place, of });
  };
  scorers.forEach((_, place) => visit(place));
  return ordered;
}

/** The composites among stored scorers, in the order of `compositeOrder`: they need nothing but the scores of the others. */
export function storedComposites(
  specs: readonly ScorerSpec[],
): { place: number; of: readonly number[]; combine: Composite["combine"] }[] {
  const made = specs.map((spec) => ({ name: spec.name, scorer: compositeOf(spec, specs) }));
  return compositeOrder(made).flatMap(({ place, of }) => {
    const scorer = made[place]?.scorer;
    return scorer?.kind === "composite" ? [{ place, of, combine: scorer.combine }] : [];
  });
}

function compositeOf(spec: ScorerSpec, beside: readonly ScorerSpec[]): Scorer | null {
  const type = compositeScorers.find((each) => each.type === spec.type);
  return type === undefined ? null : guarded(type.make(spec, { trust: null, timeoutMs: 0, beside }).scorer);
}
