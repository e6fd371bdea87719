import type { BatchEntry } from "../../api.ts";
import type { SuiteStanding } from "../../../report/shape/standing.ts";
import { scoreFigure } from "../../../report/words/figures.ts";
import { counted, number } from "../../../report/words/quantity.ts";
import { batchAddress } from "../data/batch-address.ts";
import { durationShown, words } from "../parts/format.ts";
import { Series } from "../charts/series.tsx";
import { seriesTargets } from "../charts/series-scale.ts";
import { targetLooks } from "../parts/target-colour.ts";
import { Ticked } from "../parts/ticked.tsx";
import { TargetMark } from "../parts/target-mark.tsx";
import { NightVerdict } from "../charts/verdict-sign.tsx";
import { Why } from "./why.tsx";
import { nightDay } from "../../../report/words/night-names.ts";

/** The nights of a suite; what is ticked stays so. */
export function suiteAddress(suite: string, ticks: readonly string[]): string {
  return `#${new URLSearchParams([["suite", suite], ...ticks.map((tick) => ["tick", tick])]).toString()}`;
}

/** A suite that needs a look: why, since when, where most, and its series. */
export function SuiteCard({ standing, ticks }: { standing: SuiteStanding; ticks: readonly string[] }) {
  const { suite, reasons, last, nights } = standing;
  const now = { at: Date.now() };
  const { began } = reasons.find(({ isNew, kind }) => !isNew && kind !== "alarm") ?? {};
  return (
    <li class="suite-card">
      <div>
        <h3>
          <a href={suiteAddress(suite, ticks)}>
            <bdi>{suite}</bdi>
          </a>
        </h3>
        <Why why={standing} />
        <p class="facts">
          {last !== null && <a href={batchAddress(last.batch)}>Open the night of {nightDay(last, now)}</a>}
          {began !== undefined && <a href={batchAddress(began.batch)}>First of them: {nightDay(began, now)}</a>}
          <a href={suiteAddress(suite, ticks)}>All {counted(nights, "night")}</a>
        </p>
      </div>
      <StandingSeries standing={standing} />
    </li>
  );
}

function StandingSeries({ standing: { metric, past, marks, targets: ofSuite } }: { standing: SuiteStanding }) {
  if (metric === null || past.length < 2) return null;
  const targets = seriesTargets(past);
  return <Series {...{ past, metric, marks, targets, lookOf: targetLooks(ofSuite, targets) }} height={120} />;
}

/** A suite that is quiet, or has no verdict yet, in a line with its latest night; below it why it has none. */
export function QuietSuite({ standing, ticks }: { standing: SuiteStanding; ticks: readonly string[] }) {
  const { suite, last, metric, past, nights, targets, undecided } = standing;
  const now = { at: Date.now() };
  const scores = Object.entries(past.at(-1)?.scores ?? {});
  const lookOf = targetLooks(targets, seriesTargets(past));
  return (
    <li class="quiet-suite">
      <details>
        <summary>
          <span class="quiet-name">
            <bdi>{suite}</bdi>
          </span>
          {last === null ? <span class="quiet">no night yet</span> : <NightVerdict night={last} />}
          <span class="quiet">{last?.label}</span>
          {metric !== null && (
            <span>
              <bdi>{metric.name}</bdi>:{" "}
              {scores.map(([target, { [metric.name]: own }]) => (
                <span key={target}>
                  <TargetMark look={lookOf(target)} />
                  <bdi>{target}</bdi> {scoreFigure(own?.value ?? null, metric)}{" "}
                </span>
              ))}
            </span>
          )}
        </summary>
        <p class="facts">
          {last !== null && <a href={batchAddress(last.batch)}>Open the night of {nightDay(last, now)}</a>}
          <a href={suiteAddress(suite, ticks)}>All {counted(nights, "night")}</a>
        </p>
        <StandingSeries standing={standing} />
      </details>
      {undecided !== null && (
        <p class="undecided" dir="auto">
          <Ticked text={undecided} />
        </p>
      )}
    </li>
  );
}

/** A batch at work: how far it is, and how long it takes. */
export function RunningBatch({ batch, shown }: { batch: BatchEntry; shown: string }) {
  const { name, state, jobs, finished, spared, leftMs } = batch;
  return (
    <li class="running">
      <a href={batchAddress(name)} title={name}>
        <bdi>{shown}</bdi>
      </a>{" "}
      <span class="quiet">{words(state)}</span>
      <progress max={Math.max(1, jobs)} value={finished} aria-label={`${shown}: ${finished} of ${jobs} jobs`} />
      <span>
        {number(finished)} of {counted(jobs, "job")}
        {spared > 0 && `, ${number(spared)} not sent`}
        {leftMs !== null && `, about ${durationShown(leftMs)} left`}
      </span>
    </li>
  );
}
