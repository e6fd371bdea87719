import { useState } from "preact/hooks";
import type { BatchEntry } from "../../api.ts";
import type { LastNight, SuiteStanding } from "../../../report/shape/standing.ts";
import { rowGroup } from "../../../report/model/row-groups.ts";
import { changeFigure, changeRange, scoreFigure } from "../../../report/say/figures.ts";
import { momentLabel, runName } from "../../../report/say/night-names.ts";
import { counted, number } from "../../../report/say/quantity.ts";
import { NightStrip, StripLegend } from "../charts/night-strip.tsx";
import { Series } from "../charts/series.tsx";
import { seriesTargets } from "../charts/series-scale.ts";
import { NightVerdict } from "../charts/verdict-sign.tsx";
import { batchAddress } from "../data/batch-address.ts";
import { ButtonLink, CopyButton } from "../parts/button.tsx";
import { durationShown, words } from "../parts/format.ts";
import { FoldIcon } from "../parts/icons.tsx";
import { IntervalPicture, TickAxis } from "../parts/interval.tsx";
import { ScrollTable } from "../parts/scroll-table.tsx";
import { targetLooks } from "../parts/target-colour.ts";
import { Ticked } from "../parts/ticked.tsx";
import { commonScale, failedRuns, lastValues, nextOf, sinceOf, worstDifference } from "./suite-figures.ts";
import { standingPlace } from "./suite-need.ts";
import { tickName, type KnownSides } from "./ticks.ts";
import { Why } from "./why.tsx";

/** The nights of a suite; what is ticked stays so. */
export function suiteAddress(suite: string, ticks: readonly string[]): string {
  return `#${new URLSearchParams([["suite", suite], ...ticks.map((tick) => ["tick", tick])]).toString()}`;
}

/** Number of nights in the strip of a suite. */
const mostSigns = 20;

interface Props {
  /** The suites in their order. */
  suites: readonly SuiteStanding[];
  /** The batches that are at work: they come first. */
  running: readonly BatchEntry[];
  known: KnownSides;
  ticks: readonly string[];
}

/** A line for each suite, the same for one night or three hundred: figures in columns, and the sentences folded below. */
export function SuitesTable({ suites, running, known, ticks }: Props) {
  const scale = commonScale(suites);
  const names = new Set(suites.flatMap(({ metric }) => metric?.name ?? []));
  const [name] = names;
  const isOne = names.size === 1 && name !== undefined;
  if (suites.length + running.length === 0) return null;
  return (
    <>
      <ScrollTable name="Suites" kind="suites">
        <thead>
          <tr>
            <th scope="col">Suite</th>
            <th scope="col">Verdict</th>
            <th scope="col">Since</th>
            <th scope="col" class="number">
              {isOne ? <bdi>{name}</bdi> : "Main metric"}
            </th>
            <th scope="col" class="difference">
              Difference{scale !== null && ", points"}
              {scale !== null && <TickAxis {...scale} />}
            </th>
            <th scope="col" class="number">
              New fails
            </th>
            <th scope="col" class="number">
              Errors
            </th>
            <th scope="col">{mostSigns} runs</th>
            <th scope="col">Next</th>
          </tr>
        </thead>
        {running.length > 0 && (
          <tbody class="at-work">
            {running.map((batch) => (
              <RunningLine key={batch.name} batch={batch} shown={tickName(known, batch.name)} ticks={ticks} />
            ))}
          </tbody>
        )}
        <tbody>
          {suites.map((standing) => (
            <SuiteLine key={standing.suite} {...{ standing, scale, ticks }} hasName={!isOne} />
          ))}
        </tbody>
      </ScrollTable>
      <Legend suites={suites} />
    </>
  );
}

/** The marks of the table that stand in it without their words. */
function Legend({ suites }: { suites: readonly SuiteStanding[] }) {
  const nights = suites.flatMap(({ past }) => past.slice(-mostSigns));
  if (nights.length === 0) return null;
  const often = suites.map((suite) => sinceOf(suite)?.nights ?? 0).find((times) => times > 1);
  return (
    <p class="facts legend">
      <span>A sign for each run:</span>
      <StripLegend nights={nights} />
      {often !== undefined && (
        <span>
          {number(often)}×: in {number(often)} nights in a row
        </span>
      )}
      {suites.some((suite) => standingPlace(suite) === "known") && (
        <span>known: somebody acknowledged it, so it needs no attention</span>
      )}
    </p>
  );
}

interface LineProps {
  standing: SuiteStanding;
  scale: ReturnType<typeof commonScale>;
  /** The name of its metric stands in its line: suites have different ones. */
  hasName: boolean;
  ticks: readonly string[];
}

const columns = 9;

function SuiteLine(props: LineProps) {
  const { standing, ticks } = props;
  const { suite, last, past } = standing;
  const [isOpen, open] = useState(false);
  return (
    <>
      <tr class="suite-line" data-place={standingPlace(standing)}>
        <th scope="row" class="suite-name">
          <span>
            <button
              type="button"
              class="fold-button"
              aria-expanded={isOpen}
              aria-label={`About ${suite}`}
              onClick={() => open(!isOpen)}
            >
              <FoldIcon />
            </button>
            <a href={suiteAddress(suite, ticks)}>
              <bdi>{suite}</bdi>
            </a>
          </span>
        </th>
        <td class="verdict-cell">
          {last === null ? <span class="quiet">no run yet</span> : <LastVerdict last={last} />}
          {standingPlace(standing) === "known" && <span class="tag">known</span>}
        </td>
        <Since standing={standing} />
        <Figures {...props} />
        <td class="night-signs" data-name={`${mostSigns} nights`}>
          <NightStrip nights={past.slice(-mostSigns)} name={suite} />
        </td>
        <td class="next-cell">
          <Next standing={standing} />
        </td>
      </tr>
      {isOpen && (
        <tr class="suite-fold">
          <td colSpan={columns}>
            <Fold standing={standing} ticks={ticks} />
          </td>
        </tr>
      )}
    </>
  );
}

function LastVerdict({ last }: { last: LastNight }) {
  return (
    <>
      <a class="plain-link" href={batchAddress(last.batch)}>
        {/* That it stopped early stands with the batch. */}
        <NightVerdict night={{ ...last, spared: 0 }} />
      </a>
      <EditedSince edited={last.edited} />
    </>
  );
}

/** Beside the verdict of before an edit of scores. */
export function EditedSince({ edited }: { edited: string | undefined }) {
  if (edited === undefined) return null;
  return (
    <span class="tag" title={edited.replaceAll("`", "")}>
      scores edited since
    </span>
  );
}

function Since({ standing }: { standing: SuiteStanding }) {
  const since = sinceOf(standing);
  if (since === null) return <td class="since suites-none">–</td>;
  return (
    <td class="since" data-name="since">
      <a href={batchAddress(since.batch)}>{since.day}</a>{" "}
      <span class="quiet">{since.nights === 1 ? "new" : `${number(since.nights)}×`}</span>
    </td>
  );
}

/** Main metric, difference, newly failing rows and errors of the last night. */
function Figures({ standing, scale, hasName }: LineProps) {
  const { last, metric } = standing;
  const found = worstDifference(standing);
  const values = metric === null ? [] : lastValues(standing, found).map((value) => scoreFigure(value, metric));
  const isInvalid = last?.verdict === "invalid";
  const failing = isInvalid ? null : (found?.newlyFailing ?? null);
  return (
    <>
      <td class="number" data-name={metric?.name ?? "metric"}>
        {hasName && metric !== null && values.length > 0 && <bdi class="quiet metric-name">{metric.name} </bdi>}
        {values.length === 0 ? "–" : values.join(found === null ? " / " : " → ")}
      </td>
      {found === null || metric === null ? (
        <td class="difference">{isInvalid ? "not measured" : "–"}</td>
      ) : (
        <td class="difference" data-name="difference">
          <span class="drawn-difference">
            <span class="number">{changeFigure(found.difference, metric, { unit: false })}</span>
            {metric.lowerIsBetter && <span class="quiet"> lower is better</span>}
            {metric.passes && scale !== null && <IntervalPicture gate={found} metric={metric} reach={scale.reach} />}
          </span>
          {(last?.differences.length ?? 0) > 1 && <bdi class="quiet whose">{found.candidate}</bdi>}
          {found.interval !== null && <span class="unseen"> ({changeRange(found.interval, metric)})</span>}
        </td>
      )}
      <td class="number" data-name="new fails">
        {failing !== null && failing > 0 && last !== null && found !== null ? (
          <a href={batchAddress(last.batch, { target: found.candidate, group: rowGroup.flip("pass-to-fail") })}>
            {number(failing)}
          </a>
        ) : (
          (failing ?? "–")
        )}
      </td>
      <td class="number" data-name="errors">
        <Errors last={last} />
      </td>
    </>
  );
}

function Errors({ last }: { last: LastNight | null }) {
  if (last === null || last.targets.length === 0) return <>–</>;
  const failed = failedRuns(last);
  return failed === 0 ? <>0</> : <a href={batchAddress(last.batch, { text: "errors" })}>{number(failed)}</a>;
}

function Next({ standing }: { standing: SuiteStanding }) {
  const next = nextOf(standing);
  if (next === null) return <>–</>;
  const { isMain, words: said } = next;
  if (next.kind === "open") {
    return (
      <ButtonLink isMain={isMain} href={next.href}>
        {said}
        <span class="unseen"> of {standing.suite}</span>
      </ButtonLink>
    );
  }
  return (
    <CopyButton isMain={isMain} text={next.command}>
      {said}
    </CopyButton>
  );
}

/** The sentences about a suite: why to look at it, since when, where most, and its series. */
function Fold({ standing, ticks }: { standing: SuiteStanding; ticks: readonly string[] }) {
  const { suite, reasons, last, nights, metric, past, marks, targets: ofSuite, undecided } = standing;
  const now = Date.now();
  const { began } = reasons.find(({ isNew, kind }) => !isNew && kind !== "alarm") ?? {};
  const targets = seriesTargets(past);
  return (
    <div class="suite-about">
      <div>
        <Why why={standing} />
        {undecided !== null && (
          <p class="undecided" dir="auto">
            <Ticked text={undecided} />
          </p>
        )}
        {last?.edited !== undefined && (
          <p dir="auto">
            <Ticked text={`${last.edited}.`} copies />
          </p>
        )}
        <p class="facts">
          {last !== null && <a href={batchAddress(last.batch)}>Open the {runName(last.at, now)}</a>}
          {began !== undefined && <a href={batchAddress(began.batch)}>First of them: {runName(began.at, now)}</a>}
          <a href={suiteAddress(suite, ticks)}>All {counted(nights, "run")}</a>
        </p>
      </div>
      {metric !== null && past.length > 1 && (
        <Series {...{ past, metric, marks, targets, lookOf: targetLooks(ofSuite, targets) }} height={140} />
      )}
    </div>
  );
}

/** The progress of a batch at work, and the time that is left. */
export function ProgressLine({ batch, shown }: { batch: BatchEntry; shown: string }) {
  const { jobs, finished, spared, leftMs } = batch;
  return (
    <span class="progress-line">
      <progress max={Math.max(1, jobs)} value={finished} aria-label={`${shown}: ${finished} of ${jobs} jobs`} />
      <span>
        {number(finished)} of {counted(jobs, "job")}
        {spared > 0 && `, ${number(spared)} not sent`}
        {leftMs !== null && `, about ${durationShown(Math.max(1, Math.round(leftMs / 1000)) * 1000)} left`}
      </span>
    </span>
  );
}

/** A batch at work. */
function RunningLine({ batch, shown, ticks }: { batch: BatchEntry; shown: string; ticks: readonly string[] }) {
  const { name, suite, state, createdAt } = batch;
  return (
    <tr class="running">
      <th scope="row" class="suite-name">
        <a href={suiteAddress(suite, ticks)}>
          <bdi>{suite}</bdi>
        </a>
      </th>
      <td>
        <span class="state none">
          <span aria-hidden="true">●</span> {words(state)}
        </span>
      </td>
      <td class="since" data-name="since">
        {momentLabel(createdAt).slice(-5)}
      </td>
      <td colSpan={columns - 4}>
        <ProgressLine batch={batch} shown={shown} />
      </td>
      <td class="next-cell">
        <ButtonLink href={batchAddress(name)}>
          Watch<span class="unseen"> {shown}</span>
        </ButtonLink>
      </td>
    </tr>
  );
}
