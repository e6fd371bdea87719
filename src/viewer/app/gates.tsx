import type { ReportGate, ReportMetric, ReportSummary } from "../../report/model.ts";
import { difference, pValue, score, share } from "../../report/figures.ts";
import { counted } from "./format.ts";
import { IntervalPicture } from "./interval.tsx";
import { StateMark } from "./result.tsx";

/** Every metric of every candidate: the difference as a picture and in figures. */
export function Gates({ summary }: { summary: ReportSummary }) {
  const { gates, metrics, candidates, pairs } = summary;
  if (gates.length === 0) return null;
  const several = candidates.length > 1;
  const known = gates.flatMap((gate) => {
    const metric = metrics.find(({ name }) => name === gate.metric);
    const baseline = pairs.find((pair) => pair.candidate === gate.candidate)?.baseline ?? "";
    return metric === undefined ? [] : [{ gate, metric, baseline, key: `${gate.candidate} ${gate.metric}` }];
  });
  const deciding = known.filter(({ gate }) => gate.state !== null);
  const others = known.filter(({ gate }) => gate.state === null);
  return (
    <>
      <div class="gates">
        {deciding.map(({ gate, metric, baseline, key }) => (
          <Gate key={key} gate={gate} metric={metric} baseline={baseline} several={several} />
        ))}
      </div>
      {others.length > 0 && (
        <div class="others">
          <h2>Other metrics</h2>
          <div class="scroll" tabIndex={0} role="region" aria-label="Other metrics">
            <OtherMetrics others={others} several={several} />
          </div>
        </div>
      )}
    </>
  );
}

interface Known {
  gate: ReportGate;
  metric: ReportMetric;
  baseline: string;
  key: string;
}

/** What was measured although no gate depends on it. */
function OtherMetrics({ others, several }: { others: Known[]; several: boolean }) {
  return (
    <table class="small">
      <thead>
        <tr>
          <th scope="col">Metric</th>
          <th scope="col" class="number">
            Baseline
          </th>
          <th scope="col" class="number">
            Candidate
          </th>
          <th scope="col" class="number">
            Difference
          </th>
          <th scope="col" class="number">
            Interval
          </th>
          <th scope="col" class="number">
            p
          </th>
        </tr>
      </thead>
      <tbody>
        {others.map(({ gate, metric, key }) => (
          <tr key={key} title={gate.method}>
            <th scope="row">
              <bdi>{metric.name}</bdi>
              {several && (
                <span class="note">
                  <bdi>{gate.candidate}</bdi>
                </span>
              )}
            </th>
            <td class="number">{score(gate.baseline, metric)}</td>
            <td class="number">{score(gate.now, metric)}</td>
            <td class="number">{difference(gate.difference, metric)}</td>
            <td class="number">
              {gate.interval === null
                ? "–"
                : `${difference(gate.interval.lower, metric, false)} to ${difference(gate.interval.upper, metric, false)}`}
            </td>
            <td class="number">{pValue(gate.p)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Gate(given: { gate: ReportGate; metric: ReportMetric; baseline: string; several: boolean }) {
  const { gate, metric, baseline, several } = given;
  return (
    <article class={`gate ${gate.state ?? "none"}`}>
      <header>
        <h2>
          {several && (
            <>
              <bdi>{gate.candidate}</bdi> ·{" "}
            </>
          )}
          <bdi>{metric.name}</bdi>
          {metric.primary && <span class="note">primary</span>}
          {metric.lowerIsBetter && <span class="note">lower is better</span>}
        </h2>
        {gate.state === null ? <p class="state none">no gate</p> : <StateMark state={gate.state} />}
      </header>
      <p class="from-to">
        <span class="label">{baseline}</span> {score(gate.baseline, metric)} <span aria-label="to">→</span>{" "}
        <span class="label">{gate.candidate}</span> {score(gate.now, metric)}
        <strong>{difference(gate.difference, metric)}</strong>
      </p>
      <IntervalPicture gate={gate} metric={metric} />
      <p class="figures">
        {gate.interval !== null && (
          <span>
            {share(gate.confidence)} interval {difference(gate.interval.lower, metric, false)} to{" "}
            {difference(gate.interval.upper, metric)}
          </span>
        )}
        {gate.p !== null && <span>p {pValue(gate.p)}</span>}
        <span>
          {counted(gate.cases, "case")}
          {gate.clusters !== null && gate.clusters !== gate.cases && ` in ${counted(gate.clusters, "conversation")}`}
        </span>
        <span>
          {gate.worse} worse, {gate.better} better
        </span>
      </p>
      {gate.advice !== null && <p class="advice">{gate.advice}</p>}
      <p class="method">{gate.method}</p>
    </article>
  );
}
