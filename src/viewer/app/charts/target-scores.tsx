import type { ReportMetric, ReportSummary } from "../../../report/shape/model.ts";
import { scoreFigure } from "../../../report/words/figures.ts";
import { scoreBasis } from "../../../report/model/score-basis.ts";
import { Axis } from "./axis.tsx";
import { reportLooks } from "../parts/target-colour.ts";
import { TargetMark } from "../parts/target-mark.tsx";
import { number } from "../../../report/words/quantity.ts";
import { TargetName } from "../parts/target-name.tsx";

/** The score of each target with its interval, for each metric on a scale of its own. */
export function TargetScores({ summary }: { summary: ReportSummary }) {
  const { metrics, targets } = summary;
  const drawn = metrics
    .map((metric, place) => ({ metric, place, scale: scaleOf(summary, metric, place) }))
    .filter(({ scale }) => scale !== null);
  if (drawn.length === 0) return null;
  return (
    <section class="chart">
      <h2>Scores by target</h2>
      <p class="quiet">
        The mean, or the pass rate, over all rows and all runs of each. The bar: where it may lie with chance taken into
        account (95 % range).
      </p>
      {drawn.map(({ metric, place, scale }) => (
        <div key={metric.name} class="metric">
          <h3>
            <bdi>{metric.name}</bdi> {metric.lowerIsBetter && <span class="note">lower is better</span>}
          </h3>
          <Basis metric={metric} summary={summary} />
          {targets.map(({ name }) => (
            <ScoreLine key={name} name={name} metric={metric} summary={summary} place={place} scale={scale} />
          ))}
          {scale !== null && <Axis from={scoreFigure(scale.low, metric)} to={scoreFigure(scale.high, metric)} />}
        </div>
      ))}
    </section>
  );
}

/** The reason why the result has other figures. */
function Basis({ metric, summary }: { metric: ReportMetric; summary: ReportSummary }) {
  const basis = scoreBasis(metric, summary);
  return basis === null ? null : <p class="quiet">{basis}</p>;
}

interface Scale {
  low: number;
  high: number;
}

/** Rates on their own whole range, others around what there is; null: no target has a score. */
function scaleOf({ targets }: ReportSummary, metric: ReportMetric, place: number): Scale | null {
  const known = targets.flatMap(({ scores }) => {
    const one = scores[place];
    return [one?.value ?? null, one?.interval?.lower ?? null, one?.interval?.upper ?? null];
  });
  const values = known.filter((value) => value !== null);
  if (values.length === 0) return null;
  if (metric.passes) return { low: 0, high: 1 };
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const room = (most - least || Math.abs(most) || 1) * 0.15;
  const [low, high] = [least - room, most + room];
  return { low: metric.min === null ? low : Math.max(metric.min, low), high: Math.min(metric.max ?? high, high) };
}

interface Props {
  name: string;
  metric: ReportMetric;
  summary: ReportSummary;
  place: number;
  scale: Scale | null;
}

function ScoreLine({ name, metric, summary, place, scale }: Props) {
  const own = summary.targets.find((target) => target.name === name)?.scores[place];
  const [value, interval] = [own?.value ?? null, own?.interval ?? null];
  const look = reportLooks(summary)(name);
  const { low, high } = scale ?? { low: 0, high: 1 };
  const at = (of: number): string => `${(((of - low) / (high - low || 1)) * 98 + 1).toFixed(2)}%`;
  return (
    <div class="line">
      <span class="label">
        <TargetMark look={look} />
        <TargetName name={name} />
      </span>
      <svg width="100%" height="22" aria-hidden="true" class={`of-target ${look.colour}`}>
        <line class="rail" x1="0" x2="100%" y1="11" y2="11" />
        {interval !== null && <line class="reach" x1={at(interval.lower)} x2={at(interval.upper)} y1="11" y2="11" />}
        {value !== null && <circle class="middle" cx={at(value)} cy="11" r="5" />}
      </svg>
      <span class="figure">
        <b>{scoreFigure(value, metric)}</b>
        {interval !== null && (
          <span class="quiet">
            {" "}
            {scoreFigure(interval.lower, metric)} to {scoreFigure(interval.upper, metric)}
          </span>
        )}
        {own !== null && own !== undefined && own.unscored > 0 && (
          <span class="quiet">, {number(own.unscored)} unscored</span>
        )}
      </span>
    </div>
  );
}
