import type { BatchEntry, PinEntry } from "../../api.ts";

/** One side of a comparison: a batch or a pin, and one of its targets (null: all of them). */
export interface TickedSide {
  name: string;
  target: string | null;
}

/** A side as it stands in the address: `BATCH`, or `BATCH:TARGET`. */
export function sideOf(tick: string): TickedSide {
  const place = tick.indexOf(":");
  return place === -1 ? { name: tick, target: null } : { name: tick.slice(0, place), target: tick.slice(place + 1) };
}

export function tickOf({ name, target }: TickedSide): string {
  return target === null ? name : `${name}:${target}`;
}

/** The ticks when a batch is ticked or not: the first stays the baseline, a third takes the place of the second. */
export function ticked(ticks: readonly string[], name: string, isTicked: boolean): string[] {
  if (!isTicked) return ticks.filter((tick) => sideOf(tick).name !== name);
  return [...ticks.slice(0, 1), name];
}

/**
 * Address that compares two sides. Two whole batches: the targets of the same name. A whole one beside a target: all of its
 * targets with that one.
 */
export function comparisonAddress(baseline: TickedSide, candidate: TickedSide): string {
  if (candidate.target === null) {
    return `#${new URLSearchParams({ batch: candidate.name, against: tickOf(baseline) }).toString()}`;
  }
  const from = tickOf({ ...baseline, target: baseline.target ?? candidate.target });
  return `#${new URLSearchParams([
    ["side", from],
    ["side", tickOf(candidate)],
  ]).toString()}`;
}

/** The batches and pins that can be ticked, with their targets and suites. */
export function knownSides(
  batches: readonly Pick<BatchEntry, "name" | "targets" | "suite">[],
  pins: readonly PinEntry[],
): Map<string, { targets: readonly string[]; suite: string | null }> {
  const suites = new Map(batches.map(({ name, suite }) => [name, suite]));
  const sides = new Map<string, { targets: readonly string[]; suite: string | null }>(
    batches.map(({ name, targets, suite }) => [name, { targets, suite }]),
  );
  for (const { name, targets, batches: pinned } of pins) {
    sides.set(name, { targets, suite: suites.get(pinned[0] ?? "") ?? null });
  }
  return sides;
}
