import type { GateWord, VerdictWord } from "../../../compare/verdict-word.ts";
import { gateTable, rowsOfGate } from "../../../report/doc/gate-table.ts";
import type { ReportGate, ReportMetric, ReportSummary } from "../../../report/shape/model.ts";
import { unansweredOf, unansweredWords } from "../../../report/say/worse-rows.ts";
import {
  confidenceMark,
  difference,
  pValue,
  range,
  rangeName,
  rangeWords,
  shareFigure,
  sidesFigures,
} from "../../../report/say/figures.ts";
import { decidedByPeople } from "../../../report/say/people.ts";
import { missingAnswers } from "../../../report/say/answers.ts";
import { gateKindWords } from "../../../report/say/gates.ts";
import { counted, number } from "../../../report/say/quantity.ts";
import type { SetAddress } from "../data/address.ts";
import { DocTableView } from "../parts/doc.tsx";
import { Ticked } from "../parts/ticked.tsx";
import { IntervalPicture, type Reach, reachOfIntervals } from "../parts/interval.tsx";
import { RowsLink } from "../parts/rows-link.tsx";
import { TickAxis } from "../parts/tick-axis.tsx";
import { WordMark } from "../parts/state-mark.tsx";
import { TargetName, useTargetNames } from "../parts/target-name.tsx";
import { Uncounted } from "./uncounted.tsx";
import { gatesByGravity } from "../parts/standing.ts";
import { worseRowsNext } from "../parts/worse-rows.ts";
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
    <DocTableView
      table={gateTable(
        deciding.map(({ gate }) => gate),
        summary,
        { name: "Gates", several },
      )}
      kind="gate-table"
      {...{ summary, setAddress }}
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
      <DocTableView
        table={gateTable(
          others.map(({ gate }) => gate),
          summary,
          { name: "Other metrics", several: false },
        )}
        kind="gate-table"
        {...{ summary, setAddress }}
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
  const byPeople = decidedByPeople(gate) !== null;
  // Where a column opened it, both ways out stand here alone; so does the number of labels.
  const advice = isTold || (next !== null && gate.byRows === undefined && !byPeople) ? null : gate.advice;
  // Where no other answer is missing, the button above leads to them.
  const lacking = unansweredOf(summary, gate.candidate);
  const unanswered = lacking === missingAnswers(summary.targets).answers ? 0 : lacking;
  const [before, after] = sidesFigures(gate, metric);
  return (
    <article class={`gate ${gate.state ?? "none"}`}>
      <header>
        <h2 title={isDrawn ? axisName(gate, metric) : undefined}>
          <bdi>{gate.name}</bdi>
          {metric.lowerIsBetter && <span class="note">lower is better</span>}
        </h2>
        {gate.word !== null && !isSaid(gate.word, verdict.word) && <WordMark word={gate.word} />}
      </header>
      {isDrawn && (
        <div class="strip-picture">
          <IntervalPicture gate={gate} metric={metric} reach={reach}>
            <TickAxis reach={reach} metric={metric} wanted={6} isBelow />
          </IntervalPicture>
        </div>
      )}
      <p class="reliability">
        {/* With the runs that failed in them both sides would be read as a result. */}
        {isInvalid ? (
          <span class="whole">not measured</span>
        ) : (
          <span class="from-to">
            <span class="label">
              <TargetName name={baseline} />
            </span>{" "}
            <span class="whole">{before}</span> <span aria-label="to">→</span>{" "}
            <span class="label">
              <TargetName name={gate.candidate} />
            </span>{" "}
            <span class="whole">{after}</span>
          </span>
        )}
        {!isInvalid && gate.difference !== null && (
          <span class="whole">
            <strong>{difference(gate.difference, metric)}</strong>
          </span>
        )}
        {!isInvalid && gate.interval !== null && (
          <span class="whole">
            {range(gate.interval, metric)} <span class="quiet">({confidenceMark(gate)})</span>
          </span>
        )}
        {!isInvalid && gate.margin !== null && <span class="whole">limit {limitOf(gate.margin, metric)}</span>}
        <Answered summary={summary} />
        {!isInvalid && <Noise gate={gate} />}
        {unanswered > 0 && gate.slice === null ? (
          <Unanswered {...{ baseline, candidate: gate.candidate, cases: unanswered, setAddress }} />
        ) : (
          !isInvalid && !isTurnTold(gate, summary) && <Flipped gate={gate} metric={metric} setAddress={setAddress} />
        )}
        {byPeople && <span class="note"> by the judge alone</span>}
      </p>
      {advice !== null && (
        <p class="advice" dir="auto">
          <Ticked text={advice} copies />
        </p>
      )}
    </article>
  );
}

/** True where the verdict above says how many got worse and better, and the button below it leads to them. */
function isTurnTold({ worse, slice, metric, candidate }: ReportGate, summary: ReportSummary): boolean {
  const { headline } = summary.findings;
  const isOfGate = "candidate" in headline && headline.metric === metric && headline.candidate === candidate;
  return slice === null && isOfGate && worseRowsNext(summary)?.rows === worse;
}

/** `−5 points`: the difference at which a loss is more than allowed. */
const limitOf = (margin: number, metric: ReportMetric): string => difference(-margin, metric).replace(/\.0(?= |$)/, "");

/** `330/330 answered`: of all answers that were due. */
function Answered({ summary: { targets } }: { summary: ReportSummary }) {
  const { answers, of } = missingAnswers(targets);
  return (
    <span class={answers > 0 ? "whole lacking" : "whole"}>
      {number(of - answers)}/{number(of)} answered
    </span>
  );
}

/** The share of the variation that answers have by themselves, as far as it is known. */
function Noise({ gate: { noise, slice, cases } }: { gate: ReportGate }) {
  // It is not looked at for a part of the cases, nor for one case.
  if (noise === undefined && (slice !== null || cases < 2)) return null;
  if (noise === undefined) return <span class="whole quiet">noise: not known, asked once</span>;
  const runs = Math.round(noise.runs * 10) / 10;
  const about = `${number(runs)} runs of a case: more of them make this share smaller, more cases the rest`;
  return (
    <span class="whole quiet" title={about}>
      noise: {shareFigure(noise.share)} between runs, the rest between rows
    </span>
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

/** A gate with what is needed to show it. */
interface KnownGate {
  gate: ReportGate;
  metric: ReportMetric;
  baseline: string;
  /** Drawn on one scale: every gate of a metric. */
  reach: Reach;
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
    return [{ gate, metric, baseline, reach }];
  });
}

/** The cases that got worse and better by a metric, each a way to their rows. */
function Flipped({ gate, metric, setAddress }: { gate: ReportGate; metric: ReportMetric; setAddress: SetAddress }) {
  const part = (trend: "worse" | "better"): ComponentChildren => {
    const text = `${number(gate[trend])} ${trend}`;
    if (gate[trend] === 0) return text;
    return (
      <RowsLink
        to={{ ...rowsOfGate(gate, metric), group: rowGroup.metric(metric.name, trend) }}
        setAddress={setAddress}
      >
        {text}
      </RowsLink>
    );
  };
  return (
    <span class="turned whole">
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
