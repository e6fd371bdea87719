import { dirname } from "node:path";
import { byGravity, wordNamed } from "../../compare/verdict-word.ts";
import { folderFlag } from "../../lib/paths/results-folder.ts";
import { reportMetrics } from "../../report/model/model-gates.ts";
import { worstSlice } from "../../report/say/worst-places.ts";
import type { HistoryAlarm, AlarmState, NightName, WatchedThing } from "../../report/shape/alarm.ts";
import type { Night, SameBotNights, SuiteHistory, NightMark } from "../../report/shape/history.ts";
import type { ReportMetric } from "../../report/shape/model.ts";
import { measure } from "../../report/say/figures.ts";
import { providerChangeWords } from "../../report/say/provider.ts";
import { capitalised } from "../../report/say/quantity.ts";
import { dayLabel, nightMoment, nightMoments } from "../../report/say/night-names.ts";
import { batchOfId } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { acknowledgements } from "../../store/nights/acknowledgements.ts";
import { defaultNights } from "../../suite/default-values.ts";
import { ownComparison } from "../compare/planned-comparison.ts";
import { knownPath } from "../../store/read-only-folder.ts";
import { toldOfSuite } from "../../store/nights/provider-told.ts";
import { suiteTargets } from "../../store/suite-targets.ts";
import { providerNights, type ToldNight } from "../provider/provider-changes.ts";
import { type KnownNight, knownNights, type NightMemory } from "./known-nights.ts";
import { nightChanges } from "./night-changes.ts";
import { nightRow, ownIssues } from "./night-row.ts";
import { isBroken, standingIssues } from "./issues.ts";
import { changedWords, knownMark, watchedFigure, alarmSentence } from "../../report/say/nights.ts";
import type { SeriesAlarm } from "../../stats/watch-series.ts";
import { watchNights } from "./watched-series.ts";

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
  const moments = nightMoments(known.map(({ facts }) => facts.createdAt));
  const usual = defaultSelection(known);
  const folder = folderFlag(dirname(knownPath(db.name)));
  const provider = providerNights(toldNights(db, suite, known));
  const nights = known.map((night, place) => {
    const before = known[place - 1];
    const changes = before === undefined ? [] : nightChanges(night.facts, before.facts);
    return nightRow(night, {
      moment: moments[place] ?? nightMoment(night.facts.createdAt),
      changes,
      provider: provider[place] ?? { changes: [], telling: [], sameSince: night.facts.name },
      otherCases: night.facts.selection !== usual,
      folder,
    });
  });
  tellIssues(known, nights);
  const acknowledged = acknowledgements(db, suite);
  const promised = planned?.batch.suite.history?.nightsPerFalseAlarm ?? defaultNights;
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
    sameBot: sameBotNights(known, nights),
    worstSlice: worstSliceOf(compared, metrics),
  };
}

/** Reads what services tell of themselves in some nights. */
function toldNights(db: Connection, suite: string, known: readonly KnownNight[]): ToldNight[] {
  const told = toldOfSuite(db, suite);
  let ours: Pick<KnownNight["facts"], "datasetHash" | "expectedHash" | "scorers"> = {
    datasetHash: null,
    expectedHash: null,
    scorers: null,
  };
  return known.map(({ facts }) => {
    // A night in which one of them is not known has that of the night before.
    ours = {
      datasetHash: facts.datasetHash ?? ours.datasetHash,
      expectedHash: facts.expectedHash ?? ours.expectedHash,
      scorers: facts.scorers ?? ours.scorers,
    };
    const own = told.get(facts.id);
    const targets = Array.from(facts.targets, ([name, configuration]) => {
      const ofTarget = own?.get(name);
      return ofTarget === undefined ? [] : [[name, { configuration, told: ofTarget }] as const];
    });
    const asked = [facts.suiteHash, ours, ...facts.targets.values()];
    return {
      batch: facts.name,
      cases: facts.selection ?? "",
      asked: JSON.stringify(asked),
      targets: new Map(targets.flat()),
    };
  });
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
function tellIssues(known: readonly KnownNight[], nights: readonly Night[]): void {
  const series = Map.groupBy(nights.keys(), (place) =>
    JSON.stringify([nights[place]?.otherCases, nights[place]?.against]),
  );
  for (const places of series.values()) {
    const said = places.flatMap((place) => known[place] ?? []);
    for (const [at, standing] of standingIssues(said.map(ownIssues)).entries())
      nights[places[at] ?? -1]?.troubles.push(
        ...standing.map(({ name, baseline, isShown, takesPart }) => ({ name, baseline, isShown, takesPart })),
      );
  }
}

function sameBotNights(known: readonly KnownNight[], nights: readonly Night[]): SameBotNights | null {
  const words = known.flatMap(
    ({ facts }, place) => wordNamed(facts.sameBot === 1 && facts.against === null ? nights[place]?.word : null) ?? [],
  );
  if (words.length === 0) return null;
  const counts = [...new Set(words)]
    .toSorted(byGravity)
    .map((word) => [word, words.filter((each) => each === word).length]);
  return { nights: words.length, words: Object.fromEntries(counts) };
}

function worstSliceOf(compared: KnownNight | undefined, metrics: readonly ReportMetric[]): SuiteHistory["worstSlice"] {
  const { kept = null, facts } = compared ?? {};
  if (kept === null || facts === undefined) return null;
  const isAlone = kept.candidates.length < 2;
  const found = worstSlice(kept.worse, { metrics, metric: metrics[0]?.name ?? null, isAlone });
  return found === null ? null : { batch: facts.name, ...found };
}

/** The selection of cases of most nights. */
function defaultSelection(known: readonly KnownNight[]): string | null {
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
  given: AlarmsOptions,
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

interface MarksOptions extends Pick<SuiteHistory, "nights" | "alarms" | "metrics"> {
  acknowledged: readonly { since: number; note: string; author: string }[];
}

/** Marks the nights that stand out: changes, the nights in which they were noticed, and those that are acknowledged or known. */
function nightMarks({ nights, alarms, acknowledged, metrics }: MarksOptions): NightMark[] {
  const marks = [
    ...alarms.flatMap((alarm): NightMark[] => {
      const metric = metrics.find(({ name }) => name === alarm.metric) ?? null;
      const sentence = changedWords(alarm, (value) => watchedFigure(alarm.thing, value, metric));
      return [
        { kind: "changed", batch: alarm.changed.batch, metric: alarm.metric, sentence },
        { kind: "noticed", batch: alarm.noticed.batch, metric: alarm.metric, sentence },
      ];
    }),
    ...acknowledged.flatMap(({ since, note, author }): NightMark[] => {
      const first = nights.find(({ at }) => at >= since);
      return first === undefined
        ? []
        : [{ kind: "acknowledged", batch: first.batch, metric: null, sentence: `Acknowledged: ${note} (${author})` }];
    }),
    ...nights.flatMap(({ batch, changes }) => (changes.length === 0 ? [] : [knownMark(batch, changes)])),
    ...nights.flatMap(({ batch, provider }): NightMark[] =>
      provider.changes.length === 0
        ? []
        : [{ kind: "provider", batch, metric: null, sentence: capitalised(providerChangeWords(provider.changes)) }],
    ),
  ];
  const places = new Map(nights.map(({ batch }, place) => [batch, place]));
  return marks.toSorted((one, other) => (places.get(one.batch) ?? 0) - (places.get(other.batch) ?? 0));
}

interface AlarmsOptions {
  metrics: readonly ReportMetric[];
  acknowledged: readonly { since: number; at: number }[];
  /** One false alarm in so many nights. */
  nights: number;
}

/** The alarms of nights that ask the same cases, with their dates, levels and words. */
function historyAlarms(
  known: readonly KnownNight[],
  nights: readonly Night[],
  { metrics, acknowledged, nights: promised }: AlarmsOptions,
): { alarms: HistoryAlarm[]; watching: number } {
  const { series, watching } = watchNights(known, { nights: promised, asked: acknowledged });
  const restarts = new Set(
    acknowledged.map(({ since }) => nights.findIndex(({ at }) => at >= since)).filter((place) => place !== -1),
  );
  const alarms = series.flatMap(({ target, thing, alarms: found }) =>
    found.map((alarm): HistoryAlarm => {
      const metricName = thing === "metric" ? primaryOf(nights[alarm.noticed], target) : null;
      const metric = metrics.find(({ name }) => name === metricName) ?? null;
      const [before, since] = [alarm.before, alarm.since].map(valueOf[thing]);
      const direction = alarm.since > alarm.before ? "higher" : "lower";
      const lowerIsBetter = thing !== "metric" || (metric?.lowerIsBetter ?? false);
      const made: Omit<HistoryAlarm, "sentence"> = {
        target,
        thing,
        metric: metricName,
        state: stateOf(alarm, { last: nights.length - 1, restarts }),
        direction,
        isWorse: (direction === "higher") === lowerIsBetter,
        before: before ?? 0,
        since: since ?? 0,
        changed: nameOf(nights, alarm.place),
        earliest: nameOf(nights, alarm.earliest),
        latest: nameOf(nights, alarm.latest),
        noticed: nameOf(nights, alarm.noticed),
        until: alarm.until === null || nights[alarm.until] === undefined ? null : nameOf(nights, alarm.until),
      };
      return { ...made, sentence: alarmSentence(made, (value) => watchedFigure(thing, value, metric)) };
    }),
  );
  return { alarms, watching };
}

const asItIs = (value: number): number => value;

/** Back from the scale on which changes are looked for. */
const valueOf: Record<WatchedThing, (value: number) => number> = {
  metric: asItIs,
  errors: asItIs,
  latency: Math.exp,
  cost: Math.exp,
};

function stateOf(
  { noticed, end, until, ended }: SeriesAlarm,
  { last, restarts }: { last: number; restarts: ReadonlySet<number> },
): AlarmState {
  if (end === null) return noticed === last ? "new" : "still";
  if (end === "restarted") return until !== null && restarts.has(until) ? "acknowledged" : "ended";
  return end === "returned" && ended === last ? "over" : "ended";
}

function primaryOf(night: Night | undefined, target: string): string | null {
  return night?.targets.find((each) => each.target === target)?.metric ?? null;
}

function nameOf(nights: readonly Night[], place: number): NightName {
  const { batch, at, day, time } = nights[place] ?? { batch: "", at: 0, day: "", time: null };
  return { batch, at, day, time };
}
