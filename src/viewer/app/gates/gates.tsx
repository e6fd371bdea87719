import type { GateWord, VerdictWord } from "../../../compare/verdict-word.ts";
import type { ReportGate, ReportMetric, ReportSummary, VerdictState } from "../../../report/shape/model.ts";
import { unansweredOf, unansweredWords } from "../../../report/words/worse-rows-words.ts";
import {
  pNames,
  pValue,
  range,
  rangeName,
  rangeWords,
  sidesFigures,
  sizeOfChange,
  rangesName,
} from "../../../report/words/figures.ts";
import { gateKindWords, boundAndLimit } from "../../../report/words/gate-words.ts";
import { counted, number } from "../../../report/words/quantity.ts";
import type { SetAddress, Address } from "../data/address.ts";
import { Ticked } from "../parts/ticked.tsx";
import { IntervalPicture, type Reach, reachOfIntervals } from "../parts/interval.tsx";
import { RowsLink } from "../rows/rows-link.tsx";
import { WordMark } from "../parts/state-mark.tsx";
import { TargetName, useTargetNames } from "../parts/target-name.tsx";
import { Uncounted } from "./uncounted.tsx";
import { ScrollTable } from "../parts/scroll-table.tsx";
import { speedBasis } from "../../../report/model/speed-basis.ts";
import { gatesByGravity } from "../parts/standing.ts";
import type { ComponentChildren } from "preact";
import { rowGroup } from "../../../report/model/row-groups.ts";

/** The gates that decide, the gravest first: one alone as a picture, since the verdict says its figures; several on one scale. */
export function Gates({ summary, setAddress }: { summary: ReportSummary; setAddress: SetAddress }) {
  const deciding = knownGates(summary).filter(({ gate }) => gate.state !== null);
  const several = summary.candidates.length > 1;
  const [first, ...others] = deciding;
  if (first === undefined) return null;
  if (others.length === 0) return <Gate {...first} summary={summary} setAddress={setAddress} />;
  return (
    <GateTable
      name="Gates"
      gates={deciding}
      several={several}
      verdict={summary.verdict.state}
      setAddress={setAddress}
    />
  );
}

/** The figures of a gate that stands alone, the tests that were used and the reasons for them: for readers who doubt the result. */
export function GateMethods({ summary, setAddress }: { summary: ReportSummary; setAddress: SetAddress }) {
  const deciding = knownGates(summary).filter(({ gate }) => gate.state !== null);
  return deciding.map(({ gate, metric }) => (
    <div key={`${gate.candidate} ${gate.name}`} class="measured">
      {deciding.length > 1 && (
        <h3>
          {summary.candidates.length > 1 && (
            <>
              <TargetName name={gate.candidate} />,{" "}
            </>
          )}
          <bdi>{gate.name}</bdi>
        </h3>
      )}
      <Figures gate={gate} metric={metric} setAddress={setAddress} />
      {[gate.method, ...gate.details]
        .filter((line) => line !== "")
        .map((line) => (
          <p key={line} dir="auto">
            {line}
          </p>
        ))}
    </div>
  ));
}

/** Metrics that were measured although no gate depends on them. */
export function OtherMetrics(props: { summary: ReportSummary; candidate: number; setAddress: SetAddress }) {
  const { summary, candidate, setAddress } = props;
  const name = summary.candidates[candidate];
  const others = knownGates(summary).filter(({ gate }) => gate.state === null && gate.candidate === name);
  if (others.length === 0) return null;
  return (
    <details>
      <summary>Other metrics ({number(others.length)})</summary>
      <Uncounted summary={summary} />
      <GateTable
        name="Other metrics"
        gates={others}
        several={false}
        verdict={summary.verdict.state}
        setAddress={setAddress}
      />
    </details>
  );
}

interface CardProps extends KnownGate {
  summary: ReportSummary;
  setAddress: SetAddress;
}

/** True for a gate that passes beside a candidate that is better, and for one that says what the verdict does. */
const isSaid = (gate: GateWord, verdict: VerdictWord | null): boolean =>
  gate === verdict || (verdict === "better" && gate === "pass");

function Gate({ gate, metric, baseline, reach, summary, setAddress }: CardProps) {
  const { verdict, validity, next } = summary;
  // A reason that stands in the verdict is not repeated in place of a picture, nor is the next step.
  const isTold = validity.checks.some(({ text }) => text === gate.advice);
  const isInvalid = verdict.state === "invalid";
  // A picture of what cannot be told, or does not count, would be read as a finding.
  const isKnown = !isInvalid && gate.word !== "cannot-tell";
  const isDrawn = isKnown && gateKindWords(gate).failing(gate) === null && (gate.interval !== null || !isTold);
  // Where a column opened it, both ways out stand here alone.
  const advice = isTold || (next !== null && gate.byRows === undefined) ? null : gate.advice;
  const unanswered = unansweredOf(summary, gate.candidate);
  const [before, after] = sidesFigures(gate, metric);
  return (
    <article class={`gate ${gate.state ?? "none"}`}>
      <header>
        <h2>
          <bdi>{gate.name}</bdi>
          {metric.lowerIsBetter && <span class="note">lower is better</span>}
        </h2>
        {isDrawn && <p class="quiet">{axisName(gate, metric)}</p>}
        {gate.word !== null && !isSaid(gate.word, verdict.word) && <WordMark word={gate.word} />}
      </header>
      {isDrawn ? (
        <IntervalPicture gate={gate} metric={metric} reach={reach} />
      ) : (
        <p class="from-to">
          <span class="label">
            <TargetName name={baseline} />
          </span>{" "}
          <span class="whole">{before}</span> <span aria-label="to">→</span>{" "}
          <span class="label">
            <TargetName name={gate.candidate} />
          </span>{" "}
          <span class="whole">{after}</span>
          {!isInvalid && <strong class="whole">{sizeOfChange(gate.difference, metric)}</strong>}
        </p>
      )}
      <p class="turned">
        {unanswered > 0 && gate.slice === null ? (
          <Unanswered {...{ baseline, candidate: gate.candidate, cases: unanswered, setAddress }} />
        ) : (
          !isInvalid && <Flipped gate={gate} metric={metric} setAddress={setAddress} />
        )}
      </p>
      {advice !== null && (
        <p class="advice" dir="auto">
          <Ticked text={advice} />
        </p>
      )}
    </article>
  );
}

function Figures({ gate, metric, setAddress }: Pick<CardProps, "gate" | "metric" | "setAddress">) {
  const { interval, p, cases, groups } = gate;
  const failing = gateKindWords(gate).failing(gate);
  return (
    <p class="figures">
      {interval !== null && <span>{rangeWords(gate, interval, metric, true)}</span>}
      {failing !== null && <span>{failing.words}</span>}
      {p !== null && <span>p {pValue(p)}</span>}
      <span>
        <RowsLink to={rowsOfGate(gate, metric)} setAddress={setAddress}>
          {counted(cases, "case")}
        </RowsLink>
        {groups !== null && ` in ${groups}`}
      </span>
    </p>
  );
}

/** Name and unit of the axis of a picture, and the meaning of its bar: `difference in percentage points; the bar: with chance taken into account (95 % range)`. */
function axisName(gate: ReportGate, { passes, relative, unit }: ReportMetric): string {
  const scale = passes
    ? "in percentage points"
    : relative
      ? "as a ratio"
      : unit === null
        ? "on its scale"
        : `in ${unit}`;
  return `difference ${scale}; the bar: with chance taken into account (${rangeName(gate)})`;
}

/** Gates or metrics below each other, one line each, their differences drawn on the scale of the metric. */
function GateTable(props: {
  name: string;
  gates: KnownGate[];
  several: boolean;
  /** The verdict of all: an invalid one says the state of each, and their differences are no findings. */
  verdict?: VerdictState;
  setAddress: SetAddress;
}) {
  const { name, gates, several, verdict = null, setAddress } = props;
  const isDecided = gates.some(({ gate }) => gate.state !== null);
  const hasStates = isDecided && !(verdict === "invalid" && gates.every(({ gate }) => gate.state === verdict));
  return (
    <ScrollTable name={name} kind="gate-table">
      <thead>
        <tr>
          {hasStates && <th scope="col">Result</th>}
          {several && <th scope="col">Candidate</th>}
          <th scope="col">Metric</th>
          <th scope="col" class="figure both">
            Baseline → candidate
          </th>
          <th scope="col" class="number">
            Difference
          </th>
          <th scope="col" class="drawn">
            <span class="unseen">Drawn</span>
          </th>
          {isDecided ? (
            <th scope="col" class="bound">
              Loss, with chance taken into account
            </th>
          ) : (
            <>
              <th scope="col">{rangesName(gates.map(({ gate }) => gate))}</th>
              <th scope="col" class="number">
                {pNames.metric}
              </th>
            </>
          )}
          <th scope="col" class="number">
            Worse, better
          </th>
        </tr>
      </thead>
      <tbody>
        {gates.map((known) => (
          <Line
            key={`${known.gate.candidate} ${known.gate.name}`}
            {...{ ...known, several, isDecided, hasStates, isInvalid: verdict === "invalid", setAddress }}
          />
        ))}
      </tbody>
    </ScrollTable>
  );
}

interface LineProps extends KnownGate {
  several: boolean;
  /** These are gates: each shows the bound that decides beside its limit, and its p is behind how it was measured. */
  isDecided: boolean;
  hasStates: boolean;
  isInvalid: boolean;
  setAddress: SetAddress;
}

function Line({
  gate,
  metric,
  reach,
  speed,
  isBetter,
  several,
  isDecided,
  hasStates,
  isInvalid,
  setAddress,
}: LineProps) {
  const { state, word, candidate, interval, advice } = gate;
  const [before, after] = sidesFigures(gate, metric);
  return (
    <tr class={`gate-line ${state ?? "none"}`}>
      {hasStates && <td>{word !== null && <WordMark word={isBetter ? "better" : word} />}</td>}
      {several && (
        <th scope="row">
          <TargetName name={candidate} />
        </th>
      )}
      <th scope="row" title={gate.method}>
        <RowsLink to={rowsOfGate(gate, metric)} setAddress={setAddress}>
          <bdi>{gate.name}</bdi>
        </RowsLink>
        {metric.lowerIsBetter && <span class="note">lower is better</span>}
        {speed !== null && <span class="note">{speed}</span>}
      </th>
      <td class="figure both">
        {before} <span aria-label="to">→</span> {after}
      </td>
      <td class="number">{isInvalid ? "–" : <b>{sizeOfChange(gate.difference, metric)}</b>}</td>
      <td class="drawn">
        {!isInvalid && word !== "cannot-tell" && <IntervalPicture gate={gate} metric={metric} reach={reach} isSmall />}
        {advice !== null && state === "inconclusive" && <p class="quiet">{advice}</p>}
      </td>
      {isDecided ? (
        <td class="bound" data-name="loss, with chance taken into account">
          {boundAndLimit(gate, metric) ?? "–"}
        </td>
      ) : (
        <>
          <td class="figure" data-name="range">
            {interval === null ? "–" : range(interval, metric)}
          </td>
          <td class="number" data-name="p">
            {pValue(gate.p)}
          </td>
        </>
      )}
      <td class="number" data-name="worse, better">
        {isInvalid ? "–" : <Flipped gate={gate} metric={metric} words={false} setAddress={setAddress} />}
      </td>
    </tr>
  );
}

/** A gate with what is needed to show it. */
interface KnownGate {
  gate: ReportGate;
  metric: ReportMetric;
  baseline: string;
  /** Drawn on one scale: every gate of a metric. */
  reach: Reach;
  /** The runs that the figures of a speed are of; null for what is no speed. */
  speed: string | null;
  /** The candidate is called better, by this gate's metric. */
  isBetter: boolean;
}

function isBetterBy(gate: ReportGate, { pairs, metrics }: ReportSummary): boolean {
  const isPrimary = gate.slice === null && gate.metric === metrics[0]?.name && gate.word === "pass";
  return isPrimary && pairs.some(({ candidate, word }) => candidate === gate.candidate && word === "better");
}

/** Every gate with its metric, the gravest first. */
function knownGates(summary: ReportSummary): KnownGate[] {
  const { gates, metrics, pairs } = summary;
  return gatesByGravity(gates).flatMap((gate) => {
    const metric = metrics.find(({ name }) => name === gate.metric);
    const { baseline = "" } = pairs.find((pair) => pair.candidate === gate.candidate) ?? {};
    if (metric === undefined) return [];
    const reach = reachOfIntervals(
      gates.filter((each) => each.metric === gate.metric),
      metric,
    );
    const isBetter = isBetterBy(gate, summary);
    return [{ gate, metric, baseline, reach, speed: speedBasis(gate, metric, summary), isBetter }];
  });
}

/** The cases that got worse and better by a metric, each a way to their rows; `words`: false in a column that says so. */
function Flipped(props: { gate: ReportGate; metric: ReportMetric; words?: boolean; setAddress: SetAddress }) {
  const { gate, metric, words = true, setAddress } = props;
  const part = (trend: "worse" | "better"): ComponentChildren => {
    const text = words ? `${number(gate[trend])} ${trend}` : number(gate[trend]);
    if (gate[trend] === 0) return text;
    return (
      <RowsLink
        to={{ ...rowsOfGate(gate, metric), group: rowGroup.metric(metric.name, trend) }}
        setAddress={setAddress}
      >
        {text}
        {!words && <span class="unseen"> {trend}</span>}
      </RowsLink>
    );
  };
  return (
    <span>
      {part("worse")}, {part("better")}
    </span>
  );
}

/** The cases that only the baseline answered, where they are why nothing is decided: a way to their rows. */
function Unanswered(props: { baseline: string; candidate: string; cases: number; setAddress: SetAddress }) {
  const { baseline, candidate, cases, setAddress } = props;
  const nameOf = useTargetNames();
  return (
    <RowsLink
      to={{ target: candidate, group: rowGroup.change("error-appeared"), sort: "rank" }}
      setAddress={setAddress}
    >
      {unansweredWords(nameOf(baseline), nameOf(candidate))} <b>{number(cases)}</b>
    </RowsLink>
  );
}

/** The rows that a gate is about: those that its metric compares. */
function rowsOfGate({ candidate, slice: segment }: ReportGate, { name }: Pick<ReportMetric, "name">): Partial<Address> {
  const tags = segment === null ? [] : [{ name: segment.tag, value: segment.value }];
  return { target: candidate, tags, group: rowGroup.paired(name), sort: "rank" };
}
