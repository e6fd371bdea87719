import { useState } from "preact/hooks";
import type { NightMark } from "../../../report/shape/history.ts";
import type { ReportMetric, ReportSummary } from "../../../report/shape/model.ts";
import { scoreFigure } from "../../../report/words/figures.ts";
import { momentLabel } from "../../../report/words/night-names.ts";
import { changedWords, knownMark, watchedFigure } from "../../../report/words/night-words.ts";
import { Ticked } from "../parts/ticked.tsx";
import { reportLooks } from "../parts/target-colour.ts";
import { ScrollTable } from "../parts/scroll-table.tsx";
import { Series } from "./series.tsx";
import { seriesTargets } from "./series-scale.ts";

/** The scores of the suite's batches, one metric at a time, each with its interval; `opens`: a click opens a batch. */
export function Past({ summary, opens }: { summary: ReportSummary; opens: boolean }) {
  const { past, metrics } = summary;
  const [chosen, choose] = useState(0);
  const known = metrics.filter(({ name }) =>
    past.some(({ scores }) => Object.values(scores).some((own) => (own[name]?.value ?? null) !== null)),
  );
  const metric = known[chosen] ?? known[0];
  if (past.length < 2 || metric === undefined) return null;
  const names = seriesTargets(past);
  return (
    <section class="chart wide">
      <h2>Over past batches</h2>
      <p class="quiet">
        Each batch of the suite with its 95 % ranges, the latest last
        {opens && ": a click opens it"}.
      </p>
      {known.length > 1 && (
        <div class="filters" role="group" aria-label="Metric over past batches">
          {known.map(({ name }, index) => (
            <button key={name} type="button" aria-pressed={name === metric.name} onClick={() => choose(index)}>
              <bdi>{name}</bdi>
            </button>
          ))}
        </div>
      )}
      <Series
        {...{ past, metric, targets: names, lookOf: reportLooks(summary, names), opens }}
        marks={marksOf(summary)}
        height={240}
      />
      <details>
        <summary>The figures</summary>
        <PastTable past={past} metric={metric} names={names} />
      </details>
    </section>
  );
}

interface TableProps {
  past: ReportSummary["past"];
  metric: ReportMetric;
  /** Names of the targets. */
  names: readonly string[];
}

function PastTable({ past, metric, names }: TableProps) {
  return (
    <ScrollTable name="Past batches">
      <thead>
        <tr>
          <th scope="col">Batch</th>
          <th scope="col">Started</th>
          <th scope="col">What changed</th>
          {names.map((name) => (
            <th scope="col" class="number" key={name}>
              <bdi>{name}</bdi>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {past.toReversed().map(({ batch, at, scores, changes, noticed }) => (
          <tr key={batch}>
            <th scope="row">
              <bdi>{batch}</bdi>
            </th>
            <td>{momentLabel(at)}</td>
            <td dir="auto">
              <Ticked text={[...noticed, ...changes].join("; ")} />
            </td>
            {names.map((name) => (
              <td class="number" key={name}>
                <Figure score={scores[name]?.[metric.name]} metric={metric} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </ScrollTable>
  );
}

/** Levels that changed, changes that were noticed, and those that somebody made. */
function marksOf({ past, alarms, metrics }: ReportSummary): NightMark[] {
  const levels = alarms.flatMap((alarm): NightMark[] => {
    const own = metrics.find(({ name }) => name === alarm.metric) ?? null;
    const sentence = changedWords(alarm, (value) => watchedFigure(alarm.thing, value, own));
    const { metric } = alarm;
    return [
      { kind: "changed", batch: alarm.changed.batch, metric, sentence },
      { kind: "noticed", batch: alarm.noticed.batch, metric, sentence },
    ];
  });
  const reported = new Set(alarms.map(({ sentence }) => sentence));
  const others = past.flatMap(({ batch, noticed, changes }): NightMark[] => [
    ...noticed
      .filter((sentence) => !reported.has(sentence))
      .map((sentence) => ({ kind: "noticed" as const, batch, metric: null, sentence })),
    ...(changes.length === 0 ? [] : [knownMark(batch, changes)]),
  ]);
  return [...levels, ...others];
}

type PastScore = ReportSummary["past"][number]["scores"][string][string];

function Figure({ score: own, metric }: { score: PastScore | undefined; metric: ReportMetric }) {
  const interval = own?.interval ?? null;
  return (
    <>
      {scoreFigure(own?.value ?? null, metric)}
      {interval !== null && (
        <span class="quiet">
          {" "}
          {scoreFigure(interval.lower, metric)} to {scoreFigure(interval.upper, metric)}
        </span>
      )}
    </>
  );
}
