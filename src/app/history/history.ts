import { reportMetrics } from "../../report/model/model-gates.ts";
import { worstSlice } from "../../report/model/worst-slice.ts";
import type { HistoryAlarm } from "../../report/shape/alarm.ts";
import type { Night, SuiteHistory } from "../../report/shape/history.ts";
import type { ReportMetric } from "../../report/shape/model.ts";
import { measure } from "../../report/words/figures.ts";
import { dayLabel, nightLabels } from "../../report/words/night-names.ts";
import { batchOfId } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { acknowledgements } from "../../store/nights/acknowledgements.ts";
import { usualNights } from "../../suite/usual-values.ts";
import { ownComparison } from "../compare/planned-comparison.ts";
import { suiteTargets } from "../../store/suite-targets.ts";
import { historyAlarms } from "./history-alarms.ts";
import { type KnownNight, knownNights, type NightMemory } from "./known-nights.ts";
import { nightChanges } from "./night-changes.ts";
import { nightMarks } from "./night-marks.ts";
import { nightRow, ownTroubles } from "./night-row.ts";
import { isBroken, standingTroubles } from "./troubles.ts";

/**
 * The nights of a suite, the alarms in them and what was acknowledged, from what is stored: nothing is written. `upTo`: as it
 * was with this batch (its id); `memory`: for one who reads the suite again. A suite that is not known has no nights.
 */
export function historyOf(
  db: Connection,
  suite: string,
  given: { upTo?: number | null; memory?: NightMemory } = {},
): SuiteHistory {
  const known = knownNights(db, suite, given);
  const compared = known.findLast(({ kept }) => kept !== null);
  const latest = compared?.facts.id;
  const planned = latest === undefined ? null : ownComparison(db, batchOfId(db, latest));
  const metrics = planned === null ? [] : reportMetrics(planned.settings.metrics);
  const older = olderMetrics(known, metrics);
  const labels = nightLabels(known.map(({ facts }) => facts.createdAt));
  const usual = usualSelection(known);
  const nights = known.map((night, place) => {
    const before = known[place - 1];
    const changes = before === undefined ? [] : nightChanges(night.facts, before.facts);
    return nightRow(night, { label: labels[place] ?? "", changes, otherCases: night.facts.selection !== usual });
  });
  tellTroubles(known, nights);
  const acknowledged = acknowledgements(db, suite);
  const promised = planned?.batch.suite.history?.nightsPerFalseAlarm ?? usualNights;
  const { alarms, series } = alarmsOf(known, nights, {
    metrics: [...metrics, ...older],
    acknowledged,
    nights: promised,
  });
  for (const { noticed, sentence } of alarms)
    nights.find(({ batch }) => batch === noticed.batch)?.noticed.push(sentence);
  return {
    suite,
    nights,
    alarms,
    acknowledged: acknowledged.map(({ since, note, author, at }) => ({ since: dayLabel(since), note, author, at })),
    marks: nightMarks({ nights, alarms, acknowledged, metrics }),
    promise: { nights: promised, series },
    metrics,
    olderMetrics: older,
    baseline: planned?.batch.suite.compare?.baseline ?? null,
    targets: suiteTargets(db, suite),
    worstSlice: worstSliceOf(compared, metrics),
  };
}

/** Metrics of nights that the latest one has no more, or not compared: their figures stay those of a rate or a value. */
function olderMetrics(known: readonly KnownNight[], metrics: readonly ReportMetric[]): ReportMetric[] {
  const scores = known.toReversed().flatMap(({ kept }) => kept?.targets.flatMap((target) => target.scores) ?? []);
  const names = new Set(metrics.map(({ name }) => name));
  return scores.flatMap(({ metric: name, of }) => {
    if (names.has(name)) return [];
    names.add(name);
    return [{ name, scorer: name, type: "", primary: false, ...measure(of) }];
  });
}

/** Nights that ask other cases, or are compared with another, tell nothing of each other's troubles. */
function tellTroubles(known: readonly KnownNight[], nights: readonly Night[]): void {
  const series = Map.groupBy(nights.keys(), (place) =>
    JSON.stringify([nights[place]?.otherCases, nights[place]?.against]),
  );
  for (const places of series.values()) {
    const said = places.flatMap((place) => known[place] ?? []);
    for (const [at, standing] of standingTroubles(said.map(ownTroubles)).entries())
      nights[places[at] ?? -1]?.troubles.push(...standing.map(({ name, isShown }) => ({ name, isShown })));
  }
}

function worstSliceOf(compared: KnownNight | undefined, metrics: readonly ReportMetric[]): SuiteHistory["worstSlice"] {
  const { kept = null, facts } = compared ?? {};
  if (kept === null || facts === undefined) return null;
  const isAlone = kept.candidates.length < 2;
  const found = worstSlice(kept.worse, { metrics, metric: metrics[0]?.name ?? null, isAlone });
  return found === null ? null : { batch: facts.name, ...found };
}

/** The selection of cases of most nights. */
function usualSelection(known: readonly KnownNight[]): string | null {
  const often = Map.groupBy(known, ({ facts }) => facts.selection);
  const [most] = [...often].toSorted(([, one], [, other]) => other.length - one.length);
  return most?.[0] ?? null;
}

/** Leaves out the values of a night that were measured before its end: they are none of a series. */
function watchable(night: KnownNight): KnownNight {
  const { state, kept } = night;
  return state !== "finished" && kept !== null && isBroken(kept) ? { ...night, kept: null } : night;
}

/** Nights that ask other cases of the sheet are series of their own, such as a try with `--limit`. */
function alarmsOf(
  known: readonly KnownNight[],
  nights: readonly Night[],
  given: { metrics: readonly ReportMetric[]; acknowledged: readonly { since: number; at: number }[]; nights: number },
): { alarms: HistoryAlarm[]; series: number } {
  const bySelection = Map.groupBy(known.keys(), (place) => known[place]?.facts.selection ?? "");
  const found = Array.from(bySelection.values(), (places) => {
    const pick = <Each>(all: readonly Each[]): Each[] =>
      places.flatMap((place) => {
        const each = all[place];
        return each === undefined ? [] : [each];
      });
    return { ...historyAlarms(pick(known).map(watchable), pick(nights), given), last: places.at(-1) ?? 0 };
  });
  const alarms = found.flatMap((each) => each.alarms).toSorted((a, b) => a.noticed.at - b.noticed.at);
  return { alarms, series: found.find(({ last }) => last === known.length - 1)?.watching ?? 0 };
}
