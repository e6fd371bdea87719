import { runName } from "../../../report/say/night-names.ts";
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

/** A batch or pin that can be ticked. */
interface KnownSide {
  /** Its name for people: of a pin its own, of a batch that of its run. */
  shown: string;
  targets: readonly string[];
  suite: string | null;
  /** Later batches have larger ones; null: a pin, which has no place in time. */
  id: number | null;
}

export type KnownSides = ReadonlyMap<string, KnownSide>;

/** Ticks a batch or pin, or takes its tick away. */
export type SetTick = (name: string, isTicked: boolean) => void;

/**
 * The ticks when a batch is ticked or not: a third takes the place of the second. The baseline is the older of two
 * batches of one suite, else the one that was ticked first.
 */
export function ticked(
  ticks: readonly string[],
  { name, isTicked }: { name: string; isTicked: boolean },
  known: KnownSides,
): string[] {
  if (!isTicked) return ticks.filter((tick) => sideOf(tick).name !== name);
  const [first] = ticks;
  if (first === undefined) return [name];
  const [one, other] = [known.get(sideOf(first).name), known.get(name)];
  const isOlder = one?.suite === other?.suite && (other?.id ?? 0) < (one?.id ?? 0) && (other?.id ?? null) !== null;
  return isOlder ? [name, first] : [first, name];
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

type RunOfSuite = Pick<BatchEntry, "id" | "name" | "suite" | "createdAt">;

/** Batches as people name them: `help-desk, run of 19 Nov 02:30`, with a number behind all but the first of a minute. */
function runNames(batches: readonly RunOfSuite[]): Map<string, string> {
  const now = Date.now();
  const often = new Map<string, number>();
  // The list begins with the latest.
  const named = batches
    .toSorted((one, other) => one.id - other.id)
    .map(({ name, suite, createdAt }) => {
      const shown = `${suite}, ${runName(createdAt, now)}`;
      const place = (often.get(shown) ?? 0) + 1;
      often.set(shown, place);
      return [name, place === 1 ? shown : `${shown} (${place})`] as const;
    });
  return new Map(named);
}

/** The name of a ticked side for people: dots until the list has come, its own where it is not in it. */
export const tickName = (known: KnownSides, name: string): string =>
  known.get(name)?.shown ?? (known.size === 0 ? "..." : name);

/** The batches and pins that can be ticked, with their targets and suites. */
export function knownSides(
  batches: readonly Pick<BatchEntry, "id" | "name" | "targets" | "suite" | "createdAt">[],
  pins: readonly PinEntry[],
): KnownSides {
  const shown = runNames(batches);
  const suites = new Map(batches.map(({ name, suite }) => [name, suite]));
  const sides = new Map<string, KnownSide>(
    batches.map(({ id, name, targets, suite }) => [name, { shown: shown.get(name) ?? name, targets, suite, id }]),
  );
  for (const { name, targets, batches: pinned } of pins) {
    sides.set(name, { shown: name, targets, suite: suites.get(pinned[0] ?? "") ?? null, id: null });
  }
  return sides;
}
