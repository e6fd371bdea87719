import type { ComponentChildren } from "preact";
import type { ReportGate, ReportMetric, ReportSummary } from "../../../report/shape/model.ts";
import { intervalName, pValue, range, scoreFigure, sizeOfChange } from "../../../report/words/figures.ts";
import { counted } from "../../../report/words/quantity.ts";
import type { SetAddress } from "../data/address.ts";
import { GateTable } from "./gate-table.tsx";
import { IntervalPicture } from "../parts/interval.tsx";
import { type KnownGate, knownGates } from "./known-gates.ts";
import { RowsLink } from "../rows/rows-link.tsx";
import { Turned, rowsOfGate } from "./turned.tsx";
import { StateMark } from "../parts/state-mark.tsx";

/** Number of gates shown as cards; more of them stand in a table, which shows them on one screen. */
const mostCards = 3;

/** The gates that decide: the difference of each as a picture and in figures, the gravest first. */
export function Gates({ summary, setAddress }: { summary: ReportSummary; setAddress: SetAddress }) {
  const deciding = knownGates(summary).filter(({ gate }) => gate.state !== null);
  const several = summary.candidates.length > 1;
  if (deciding.length === 0) return null;
  if (deciding.length > mostCards)
    return <GateTable name="Gates" gates={deciding} several={several} setAddress={setAddress} />;
  const told = new Set(summary.validity.checks.map(({ text }) => text));
  // One gate alone is what the verdict says: its card draws it, and has its figures where they are asked for.
  const isTold = deciding.length === 1 && summary.verdict.state !== "invalid";
  const rest = { several, told, isTold, setAddress };
  return (
    <div class="gates">
      {deciding.map((known) => (
        <Gate key={`${known.gate.candidate} ${known.gate.name}`} {...known} {...rest} />
      ))}
    </div>
  );
}

/** Metrics that were measured although no gate depends on them. */
export function OtherMetrics(given: { summary: ReportSummary; candidate: number; setAddress: SetAddress }) {
  const { summary, candidate, setAddress } = given;
  const name = summary.candidates[candidate];
  const others = knownGates(summary).filter(({ gate }) => gate.state === null && gate.candidate === name);
  if (others.length === 0) return null;
  return (
    <section aria-labelledby="other-metrics">
      <h2 id="other-metrics">Other metrics</h2>
      <GateTable name="Other metrics" gates={others} several={false} setAddress={setAddress} />
    </section>
  );
}

interface CardGiven extends KnownGate {
  several: boolean;
  told: ReadonlySet<string>;
  /** The verdict says its state and figures. */
  isTold: boolean;
  setAddress: SetAddress;
}

function Gate({ gate, metric, baseline, reach, several, told, isTold, setAddress }: CardGiven) {
  // A reason that stands in the verdict is not repeated in place of a picture.
  const isDrawn = gate.losses === null && (gate.interval !== null || !told.has(gate.advice ?? ""));
  return (
    <article class={`gate ${gate.state ?? "none"}`}>
      <header>
        <h2>
          {several && (
            <>
              <bdi>{gate.candidate}</bdi> ·{" "}
            </>
          )}
          <bdi>{gate.name}</bdi>
          {metric.primary && <span class="note">primary</span>}
          {metric.lowerIsBetter && <span class="note">lower is better</span>}
          {isTold && isDrawn && <span class="note">{axisName(gate, metric)}</span>}
        </h2>
        {gate.state !== null && !isTold && <StateMark state={gate.state} />}
        {isTold && <Turned gate={gate} metric={metric} setAddress={setAddress} />}
      </header>
      {!isTold && (
        <p class="from-to">
          <bdi class="label">{baseline}</bdi> {scoreFigure(gate.baseline, metric)} <span aria-label="to">→</span>{" "}
          <bdi class="label">{gate.candidate}</bdi> {scoreFigure(gate.now, metric)}
          <strong>{sizeOfChange(gate.difference, metric)}</strong>
        </p>
      )}
      {isDrawn && <IntervalPicture gate={gate} metric={metric} reach={reach} />}
      {!isTold && <Figures gate={gate} metric={metric} setAddress={setAddress} />}
      {gate.advice !== null && !told.has(gate.advice) && (
        <p class="advice" dir="auto">
          {gate.advice}
        </p>
      )}
      <Method gate={gate}>{isTold && <Figures gate={gate} metric={metric} setAddress={setAddress} />}</Method>
    </article>
  );
}

function Figures({ gate, metric, setAddress }: Pick<CardGiven, "gate" | "metric" | "setAddress">) {
  const { interval, losses, p, cases, groups } = gate;
  return (
    <p class="figures">
      {interval !== null && (
        <span>
          {intervalName(gate)} {range(interval, metric)}
          {metric.passes ? " points" : metric.unit === null ? "" : ` ${metric.unit}`}
        </span>
      )}
      {losses !== null && (
        <span>
          {losses.lost} turned from pass to fail, {losses.allowed} allowed
        </span>
      )}
      {p !== null && <span>p {pValue(p)}</span>}
      <span>
        <RowsLink to={rowsOfGate(gate)} setAddress={setAddress}>
          {counted(cases, "case")}
        </RowsLink>
        {groups !== null && ` in ${groups}`}
      </span>
      <Turned gate={gate} metric={metric} setAddress={setAddress} />
    </p>
  );
}

/** Name and unit of the axis of a picture: `difference in points, with 95 % bounds`. */
function axisName(gate: ReportGate, { passes, relative, unit }: ReportMetric): string {
  const scale = passes
    ? "in percentage points"
    : relative
      ? "as a ratio"
      : unit === null
        ? "on its scale"
        : `in ${unit}`;
  return `difference ${scale}, with ${intervalName(gate)}`;
}

/** The test that was used and the reason for it: for readers who doubt the result. */
function Method({ gate: { method, details }, children }: { gate: ReportGate; children: ComponentChildren }) {
  if (method === "" && details.length === 0) return null;
  return (
    <details class="method">
      <summary>How it was measured</summary>
      {children}
      {[method, ...details].map((line) => (
        <p key={line} dir="auto">
          {line}
        </p>
      ))}
    </details>
  );
}
