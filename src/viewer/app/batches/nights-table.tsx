import { capitalised, priceUnit, number, price } from "../../../report/say/quantity.ts";
import type { Night, SuiteHistory, NightTarget } from "../../../report/shape/history.ts";
import type { ReportMetric } from "../../../report/shape/model.ts";
import { changeFigure, changeRange, scoreFigure } from "../../../report/say/figures.ts";
import { nightSpeed, type NightSpeed } from "../../../report/model/speed-basis.ts";
import { reachOfIntervals, IntervalPicture, type Reach } from "../parts/interval.tsx";
import { ScrollTable } from "../parts/scroll-table.tsx";
import { Fragment } from "preact";
import { seriesTargets } from "../charts/series-scale.ts";
import { targetLooks } from "../parts/target-colour.ts";
import { TargetMark } from "../parts/target-mark.tsx";
import type { SetTick } from "./ticks.ts";
import { rowGroup } from "../../../report/model/row-groups.ts";
import { batchAddress } from "../data/batch-address.ts";
import { words } from "../parts/format.ts";
import { Ticked } from "../parts/ticked.tsx";
import { Tick } from "./tick.tsx";
import { NightVerdict } from "../charts/verdict-sign.tsx";
import { nightLabel, runName } from "../../../report/say/night-names.ts";

interface NightsProps {
  history: SuiteHistory;
  /** The nights that are shown, in their order. */
  nights: readonly Night[];
  ticks: readonly string[];
  setTick: SetTick;
}

/** A line for each night, with its differences drawn on one scale. */
export function NightsTable({ history, nights, ticks, setTick }: NightsProps) {
  const metrics = [...history.metrics, ...history.olderMetrics];
  const lookOf = targetLooks(history.targets, seriesTargets(history.nights));
  const targets = distinct(history.nights.flatMap((night) => night.targets.map(({ target }) => target)));
  const candidates = distinct(history.nights.flatMap((night) => night.differences.map(({ candidate }) => candidate)));
  const hasCost = history.nights.some((night) => night.targets.some(({ cost }) => cost !== null));
  const metric = primaryOf(history, metrics);
  const speed = nightSpeed(history.metrics);
  const reach =
    metric === null
      ? null
      : reachOfIntervals(
          history.nights.flatMap(({ differences }) => differences),
          metric,
        );
  if (history.nights.length === 0) return null;
  return (
    <ScrollTable name="Nights of the suite" kind="nights">
      <thead>
        <tr>
          <th scope="col">Compare</th>
          <th scope="col">Night</th>
          <th scope="col">Verdict</th>
          {targets.map((name) => (
            <th scope="col" class="number" key={name}>
              <TargetMark look={lookOf(name)} />
              <bdi>{name}</bdi>
            </th>
          ))}
          {candidates.map((name) => (
            <th scope="col" key={name} class="difference">
              Difference{candidates.length > 1 && <bdi> of {name}</bdi>}
              {reach !== null && metric !== null && (
                <span class="quiet">
                  {" drawn from "}
                  {[reach.low, reach.high].map((end) => changeFigure(end, metric, { unit: false })).join(" to ")}
                </span>
              )}
              {metric?.lowerIsBetter === true && <span class="quiet"> (lower is better)</span>}
            </th>
          ))}
          <Figures name="Newly failing" of={candidates} />
          <Figures name="Errors" of={targets} />
          <Figures name={`${capitalised(speed.name)}, all runs`} of={targets} />
          {hasCost && <Figures name="Cost per 1,000 runs" title={`Cost ${priceUnit}`} of={targets} />}
        </tr>
      </thead>
      <tbody>
        {nights.map((night) => (
          <NightLine
            key={night.batch}
            {...{ night, targets, candidates, metrics, reach, speed, hasCost, ticks, setTick }}
          />
        ))}
      </tbody>
    </ScrollTable>
  );
}

/** The head of a column of figures; those of several targets stand in one cell, in this order. */
function Figures({ name, title, of }: { name: string; title?: string; of: readonly string[] }) {
  return (
    <th scope="col" class="number" title={title}>
      {name}
      {of.length > 1 && (
        <span class="quiet of">
          {of.map((target, place) => (
            <Fragment key={target}>
              {place > 0 && " / "}
              <bdi>{target}</bdi>
            </Fragment>
          ))}
        </span>
      )}
    </th>
  );
}

/** The metric of the differences: the first of the latest night that has one. */
function primaryOf({ nights }: SuiteHistory, metrics: readonly ReportMetric[]): ReportMetric | null {
  const name = nights.findLast(({ differences }) => differences.length > 0)?.differences[0]?.metric;
  return metrics.find((metric) => metric.name === name) ?? null;
}

/** The orders in which nights are shown; the latest first where none of them is asked for. */
export const nightOrders: Record<string, { words: string; compare: (one: Night, other: Night) => number }> = {
  loss: { words: "largest loss first", compare: (one, other) => leastDifference(one) - leastDifference(other) },
  errors: { words: "most errors first", compare: (one, other) => failedRuns(other) - failedRuns(one) },
  cost: { words: "dearest first", compare: (one, other) => costOf(other) - costOf(one) },
};

const leastDifference = ({ differences }: Night): number =>
  Math.min(...differences.map((each) => each.difference ?? Number.POSITIVE_INFINITY), Number.MAX_VALUE);
const failedRuns = ({ targets }: Night): number => targets.reduce((sum, { failed }) => sum + failed, 0);
const costOf = ({ targets }: Night): number =>
  Math.max(0, ...targets.map(({ cost, runs }) => (cost ?? 0) / Math.max(1, runs)));

function distinct(names: readonly string[]): string[] {
  return Array.from(new Set(names));
}

interface LineProps {
  night: Night;
  targets: readonly string[];
  candidates: readonly string[];
  metrics: readonly ReportMetric[];
  reach: Reach | null;
  speed: NightSpeed;
  hasCost: boolean;
  ticks: readonly string[];
  setTick: SetTick;
}

/** A night as a line: verdict, scores, difference, newly failing cases, errors, latency and cost; below it what changed. */
function NightLine(props: LineProps) {
  const { noticed, changes, why, edited } = props.night;
  const columns = 6 + props.targets.length + props.candidates.length + Number(props.hasCost);
  return (
    <>
      <NightFigures {...props} />
      {(noticed.length > 0 || changes.length > 0 || why !== null || edited !== undefined) && (
        <tr class="night-about">
          <td colSpan={columns} dir="auto">
            <Changes night={props.night} />
          </td>
        </tr>
      )}
    </>
  );
}

function NightFigures({ night, targets, candidates, metrics, reach, speed, hasCost, ticks, setTick }: LineProps) {
  return (
    <tr class="night-line">
      <td>
        {night.targets.length > 0 && (
          <Tick name={night.batch} shown={runName(night.at, Date.now())} ticks={ticks} setTick={setTick} />
        )}
      </td>
      <th scope="row" class="night">
        <a href={batchAddress(night.batch)}>{nightLabel(night)}</a>
      </th>
      <td>
        <NightVerdict night={night} />
      </td>
      {targets.map((name) => (
        <td class="number" key={name} data-name={name}>
          {valueText(night, name, metrics)}
        </td>
      ))}
      {candidates.map((name) => (
        <Difference key={name} night={night} candidate={name} metrics={metrics} reach={reach} />
      ))}
      <td class="number" data-name="newly failing">
        <NewlyFailing night={night} />
      </td>
      <td class="number" data-name="errors" title={errorText(night)}>
        <Errors night={night} targets={targets} />
      </td>
      <td class="number" data-name={`${speed.name}, all runs`}>
        {figures(night, targets, (target) => speed.figure(target, night))}
      </td>
      {hasCost && (
        <td class="number" data-name="cost">
          {figures(night, targets, ({ cost, runs }) =>
            cost === null || runs === 0 ? "–" : price((cost / runs) * 1000),
          )}
        </td>
      )}
    </tr>
  );
}

function Changes({ night: { noticed, changes, why, edited } }: { night: Night }) {
  const also = [...changes, ...(why === null ? [] : [why])].join("; ");
  return (
    <>
      {noticed.map((sentence) => (
        <div class="cautions" key={sentence}>
          <span aria-hidden="true">◆ </span>
          <Ticked text={sentence} />
        </div>
      ))}
      {also}
      {edited !== undefined && (
        <div class="cautions">
          <Ticked text={`${edited}.`} copies />
        </div>
      )}
    </>
  );
}

/** The difference, and its bounds as a picture on the scale of all nights. */
function Difference(props: { night: Night; candidate: string; metrics: readonly ReportMetric[]; reach: Reach | null }) {
  const { night, candidate, metrics, reach } = props;
  const found = night.differences.find((each) => each.candidate === candidate);
  const metric = metrics.find(({ name }) => name === found?.metric);
  if (found === undefined || metric === undefined || found.difference === null) return <td class="difference">–</td>;
  const { interval } = found;
  return (
    <td class="difference" data-name="difference">
      {changeFigure(found.difference, metric, { unit: false })}
      {interval !== null && <span class="quiet"> ({changeRange(interval, metric)})</span>}
      {reach !== null && <IntervalPicture gate={found} metric={metric} reach={reach} />}
    </td>
  );
}

function valueText({ targets }: Night, name: string, metrics: readonly ReportMetric[]): string {
  const found = targets.find(({ target }) => target === name);
  const metric = metrics.find((each) => each.name === found?.metric);
  if (found === undefined || found.value === null) return "–";
  return metric === undefined ? String(found.value) : scoreFigure(found.value, metric);
}

/** The newly failing cases of each candidate, as the way to their rows. */
function NewlyFailing({ night: { batch, differences } }: { night: Night }) {
  if (differences.length === 0) return <>–</>;
  return (
    <>
      {differences.map(({ candidate, newlyFailing: cases }, place) => {
        const rows = { target: candidate, group: rowGroup.flip("pass-to-fail") };
        const isLink = cases !== null && cases > 0;
        return (
          <Fragment key={candidate}>
            {place > 0 && " / "}
            {isLink ? <a href={batchAddress(batch, rows)}>{number(cases)}</a> : (cases ?? "–")}
          </Fragment>
        );
      })}
    </>
  );
}

/** The runs without an answer of each target, as the way to their rows. */
function Errors({ night, targets }: { night: Night; targets: readonly string[] }) {
  const text = figures(night, targets, ({ failed, runs }) =>
    failed === 0 ? "0" : `${number(failed)} of ${number(runs)}`,
  );
  if (!night.targets.some(({ failed }) => failed > 0)) return <>{text}</>;
  return <a href={batchAddress(night.batch, { text: "errors" })}>{text}</a>;
}

function errorText({ error }: Night): string | undefined {
  return error === null ? undefined : `${error.runs} × ${words(error.outcome)}: ${error.message}`;
}

/** A figure of each target in the order of the head, with a dash for one that the night does not have. */
function figures(night: Night, names: readonly string[], figure: (target: NightTarget) => string): string {
  const all = names.map((name) => {
    const found = night.targets.find(({ target }) => target === name);
    return found === undefined ? "–" : figure(found);
  });
  return new Set(all).size <= 1 && all[0] === "–" ? "–" : all.join(" / ");
}
