import type { ReportGate, ReportMetric, ReportSummary } from "../../../report/shape/model.ts";
import { difference, intervalName, pValue, scoreFigure } from "../../../report/words/figures.ts";
import { counted } from "../../../report/words/quantity.ts";
import { GateTable } from "./gate-table.tsx";
import { IntervalPicture } from "../parts/interval.tsx";
import { type KnownGate, knownGates } from "./known-gates.ts";
import { StateMark } from "../parts/state-mark.tsx";

/** Number of gates shown as cards; more of them stand in a table, which shows them on one screen. */
const mostCards = 3;

/** The gates that decide: the difference of each as a picture and in figures, the gravest first. */
export function Gates({ summary }: { summary: ReportSummary }) {
  const deciding = knownGates(summary).filter(({ gate }) => gate.state !== null);
  const several = summary.candidates.length > 1;
  if (deciding.length === 0) return null;
  if (deciding.length > mostCards) return <GateTable name="Gates" gates={deciding} several={several} />;
  const told = new Set(summary.validity.checks.map(({ text }) => text));
  return (
    <div class="gates">
      {deciding.map((known) => (
        <Gate key={`${known.gate.candidate} ${known.gate.name}`} {...known} several={several} told={told} />
      ))}
    </div>
  );
}

/** Metrics that were measured although no gate depends on them. */
export function OtherMetrics({ summary, candidate }: { summary: ReportSummary; candidate: number }) {
  const name = summary.candidates[candidate];
  const others = knownGates(summary).filter(({ gate }) => gate.state === null && gate.candidate === name);
  if (others.length === 0) return null;
  return (
    <section aria-labelledby="other-metrics">
      <h2 id="other-metrics">Other metrics</h2>
      <GateTable name="Other metrics" gates={others} several={false} />
    </section>
  );
}

function Gate(given: KnownGate & { several: boolean; told: ReadonlySet<string> }) {
  const { gate, metric, baseline, reach, several, told } = given;
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
        </h2>
        {gate.state !== null && <StateMark state={gate.state} />}
      </header>
      <p class="from-to">
        <bdi class="label">{baseline}</bdi> {scoreFigure(gate.baseline, metric)} <span aria-label="to">→</span>{" "}
        <bdi class="label">{gate.candidate}</bdi> {scoreFigure(gate.now, metric)}
        <strong>{difference(gate.difference, metric)}</strong>
      </p>
      {isDrawn && <IntervalPicture gate={gate} metric={metric} reach={reach} />}
      <Figures gate={gate} metric={metric} />
      {gate.advice !== null && !told.has(gate.advice) && (
        <p class="advice" dir="auto">
          {gate.advice}
        </p>
      )}
      <Method gate={gate} />
    </article>
  );
}

function Figures({ gate, metric }: { gate: ReportGate; metric: ReportMetric }) {
  const { interval, losses, p, cases, groups, worse, better } = gate;
  return (
    <p class="figures">
      {interval !== null && (
        <span>
          {intervalName(gate)} {difference(interval.lower, metric, false)} to {difference(interval.upper, metric)}
        </span>
      )}
      {losses !== null && (
        <span>
          {losses.lost} turned from pass to fail, {losses.allowed} allowed
        </span>
      )}
      {p !== null && <span>p {pValue(p)}</span>}
      <span>
        {counted(cases, "case")}
        {groups !== null && ` in ${groups}`}
      </span>
      <span>
        {worse} worse, {better} better
      </span>
    </p>
  );
}

/** The test that was used and the reason for it: for readers who doubt the result. */
function Method({ gate: { method, details } }: { gate: ReportGate }) {
  if (method === "" && details.length === 0) return null;
  return (
    <details class="method">
      <summary>How it was measured</summary>
      {[method, ...details].map((line) => (
        <p key={line} dir="auto">
          {line}
        </p>
      ))}
    </details>
  );
}
