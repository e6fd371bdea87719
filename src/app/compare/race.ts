import { type RaceSettings, type RaceStanding, type RaceWatch, raceWatch } from "../../compare/choice/race-watch.ts";
import { type ComparedMetric, marginGate, primaryPlace, rangeOf } from "../../compare/comparison-plan.ts";
import type { ComparisonSettings } from "../../compare/comparison.ts";
import type { StopRule } from "../../compare/stop-rule.ts";
import { isLookedAt } from "../../compare/metrics/metric-inference.ts";
import type { Batch } from "../../store/batches.ts";
import type { ComparedBatch } from "../../store/compared/joined-case.ts";
import type { Connection } from "../../store/connection.ts";
import { longestCluster } from "../../store/plan/expectation.ts";
import type { DecisionSettings } from "../../suite/suite.ts";
import { marginOf } from "./compared-metrics.ts";
import { codeOfGates } from "./code-of-gates.ts";
import {
  countedPlaces,
  firstRunsOf,
  isSentWhole,
  type CaseReader,
  type SentPrefix,
  sentPrefix,
} from "./sent-prefix.ts";
import { watchPlanOf } from "./stop-rule.ts";

type Measured = Pick<ComparedMetric, "metric" | "of" | "gates">;

export const unboundedAdvice = "Give the scorer a `range: [min, max]`, or ask all of them every case: `--no-race`.";

/** Why no race can be decided by some metrics, as the end of a sentence; null: one can, by the primary one. */
export function whyNoRace(metrics: readonly Measured[]): string | null {
  const compared = metrics[primaryPlace(metrics)];
  if (compared === undefined) return "there is no scorer that it could be decided by";
  const range = isLookedAt(compared) ? rangeOf(compared) : null;
  if (range === null) return `the score of ${compared.metric.name} has no bounds`;
  return null;
}

/** The race that a suite asks for; null: it asks for none, or none can be decided. */
export function raceOf(
  { race, margin }: Pick<DecisionSettings, "race" | "margin">,
  metrics: readonly Measured[],
): RaceSettings | null {
  const compared = metrics[primaryPlace(metrics)];
  if (race === undefined || compared === undefined || whyNoRace(metrics) !== null) return null;
  const accepted = margin ?? marginOf(compared.metric, compared.of, marginGate(compared)?.margin ?? null);
  return accepted === null ? null : { until: race, margin: accepted };
}

interface Racing {
  settings: Pick<ComparisonSettings, "sides" | "pairs" | "metrics" | "clustered" | "isIndependent">;
  race: RaceSettings;
  read: CaseReader;
  isWhole: boolean;
}

/** Places of the sides that are chosen among. */
function racedSides({ sides, pairs }: Pick<ComparisonSettings, "sides" | "pairs">): number[] {
  const taking = new Set(pairs.flatMap(({ baseline, candidate }) => [baseline, candidate]));
  return sides.flatMap((_, place) => (taking.has(place) ? [place] : []));
}

/** Follows a race while one cluster after the other is complete for those that are still asked; `dropped`: ids of the targets that are not. Null where there is no metric to race by. */
export function racePrefix(
  db: Connection,
  batch: Batch,
  { settings, race, read, isWhole }: Racing,
): (SentPrefix & { watch: RaceWatch; dropped: () => number[] }) | null {
  const compared = settings.metrics[primaryPlace(settings.metrics)];
  if (compared === undefined) return null;
  const sides = racedSides(settings).flatMap((place) => settings.sides[place] ?? []);
  const { clustered, isIndependent } = settings;
  const plan = { sides, compared, clustered, isWhole, ...(isIndependent === true && { isIndependent }) };
  const watch = raceWatch(race, { ...plan, most: Math.max(1, longestCluster(db, batch.id)) });
  const dropped = (): number[] =>
    watch.droppedAfter().flatMap((at, place) => (at === null ? [] : (sides[place]?.targetIds ?? [])));
  const prefix = sentPrefix(db, batch, {
    read,
    add: watch.add,
    isDone: () => watch.hasEnded() && !isWhole,
    ...(!isWhole && { dropped }),
  });
  return { ...prefix, watch, dropped };
}

/**
 * The race of a batch, found again from its stored scores: the same clusters in the same order make the same drops. Beside it the
 * rule by which its targets are compared: of each the cases that it was asked before it was dropped, of all of them together those of
 * the race. Null for a batch that does not race.
 */
export function raceRuleOf(
  db: Connection,
  batch: Batch,
  { settings, batches }: { settings: ComparisonSettings; batches: readonly ComparedBatch[] },
): { race: RaceStanding; stop: StopRule } | null {
  const race = raceOf(batch.suite.decision, settings.metrics);
  if (race === null || settings.pairs.length === 0 || (batch.selection?.shard ?? null) !== null) return null;
  const isWhole = isSentWhole(db, batch);
  const read = firstRunsOf(db, batch, batches);
  const prefix = racePrefix(db, batch, { settings, race, read, isWhole });
  if (prefix === null) return null;
  prefix.advance();
  const standing = prefix.watch.standing(prefix.isThrough());
  const droppedAfter = prefix.watch.droppedAfter();
  const places = racedSides(settings);
  const countedTo = settings.sides.map((_, side) => {
    const at = droppedAfter[places.indexOf(side)] ?? null;
    return at === null || isWhole ? Number.POSITIVE_INFINITY : at;
  });
  const stop: StopRule = {
    ...watchPlanOf(db, batch, settings),
    placeOf: countedPlaces(db, batch, isWhole ? Number.POSITIVE_INFINITY : prefix.looked()),
    countedTo,
    isWhole,
    needsSuite: codeOfGates(batch.suite).length > 0,
    decidedAfter: standing.end?.cases ?? null,
  };
  return { race: standing, stop };
}
