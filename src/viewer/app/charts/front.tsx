import { useRef, useState } from "preact/hooks";
import type { Front, SpentOn } from "../../../compare/choice/front.ts";
import type { ReportChoice } from "../../../report/shape/choice.ts";
import type { ReportMetric } from "../../../report/shape/model.ts";
import { displayWidth, fit } from "../../../report/text/width.ts";
import { scoreFigure } from "../../../report/say/figures.ts";
import { duration, price, priceUnit } from "../../../report/say/quantity.ts";
import { useReport } from "../parts/report.tsx";
import { frontEdges, type FrontPoint, type FrontScale, frontScale, placeLabels } from "./front-scale.ts";
import { useWidth } from "./width.ts";

const spoken: Record<
  SpentOn,
  { button: string; axis: string; unit: string; level: string; say: (value: number) => string; less: string }
> = {
  cost: { button: "Cost", axis: "cost of a run", unit: `, ${priceUnit}`, level: "cost", say: price, less: "cheaper" },
  time: { button: "Time", axis: "mean time of a run", unit: "", level: "speed", say: duration, less: "faster" },
};

/** Most columns of a label. */
const mostLabel = 24;

/**
 * Score against cost or time of the configurations that are chosen among, with their ranges, and the line of those that no other
 * beats in both. The table of the choice has the same for who does not see it.
 */
export function FrontPicture() {
  const { choice, metrics } = useReport().summary;
  const [chosen, choose] = useState<SpentOn>("cost");
  const place = useRef<HTMLDivElement>(null);
  const width = useWidth(place);
  const about = metrics.find(({ name }) => name === choice?.metric);
  const front = choice?.fronts.find(({ by }) => by === chosen) ?? choice?.fronts[0];
  if (choice === undefined || about === undefined) return null;
  return (
    <section class="choice-of-many" aria-label="Configurations that are chosen among">
      {front !== undefined && (
        <figure class="front">
          <figcaption>
            <h2>Score and {front.by}</h2>
            {choice.fronts.length > 1 && (
              <span class="filters" role="group" aria-label="What the score is drawn against">
                {choice.fronts.map(({ by }) => (
                  <button key={by} type="button" aria-pressed={by === front.by} onClick={() => choose(by)}>
                    {spoken[by].button}
                  </button>
                ))}
              </span>
            )}
            <p class="quiet" dir="auto">
              Up is better, left is {spoken[front.by].less}. Stepped line: the best choice at each{" "}
              {spoken[front.by].level}. Thin lines: where a score or {front.by} may lie (95 %).
            </p>
          </figcaption>
          <div class="front-place" ref={place}>
            {width > 0 && <Drawn key={front.by} {...{ choice, about, front, width }} />}
          </div>
        </figure>
      )}
    </section>
  );
}

function pointsOf({ intervals }: ReportChoice, by: SpentOn): FrontPoint[] {
  return intervals.flatMap(({ target, mean, cost, costRange, time, timeRange, range }) => {
    const [x, across] = by === "cost" ? [cost, costRange] : [time, timeRange];
    return x === null || mean === null ? [] : [{ target, x, y: mean, across, upright: range }];
  });
}

function Drawn(props: { choice: ReportChoice; about: ReportMetric; front: Front; width: number }) {
  const { choice, about, front, width } = props;
  const { nameOf, lookOf } = useReport();
  const { axis, say } = spoken[front.by];
  const height = Math.round(Math.max(240, Math.min(420, width * 0.55)));
  const isTurned = about.lowerIsBetter && !about.passes;
  const points = pointsOf(choice, front.by).toSorted((one, other) => one.x - other.x);
  const scale = frontScale(points, { width, height }, { isTurned, isRate: about.passes });
  // Those on the line, and those that may be the best, get their labels first.
  const weight = ({ target }: FrontPoint): number =>
    (front.line.includes(target) ? 0 : 2) + (choice.set.includes(target) ? 0 : 1);
  const ordered = points.toSorted((one, other) => weight(one) - weight(other));
  const labels = placeLabels(
    ordered.map((point) => ({
      x: scale.x(point.x),
      y: scale.y(point.y),
      width: displayWidth(fit(nameOf(point.target), mostLabel)) * 6.9,
    })),
    { width, height },
  );
  const onLine = points.filter(({ target }) => front.line.includes(target));
  return (
    <svg width={width} height={height} role="img" aria-label={`${about.name} against ${axis}: see the table below`}>
      <Axes {...{ scale, width, height, about, by: front.by }} />
      <path class="front-line" d={stairs(onLine, scale)} />
      {points.map((point) => (
        <Ranges key={point.target} {...{ point, scale, height }} />
      ))}
      {ordered.map(({ target }, at) => {
        const label = labels[at];
        return label === null || label === undefined ? null : (
          <text key={target} class="name" x={label.x} y={label.y} text-anchor={label.anchor}>
            {fit(nameOf(target), mostLabel)}
          </text>
        );
      })}
      {points.map(({ target, x, y }) => (
        <path
          key={target}
          class={`front-mark ${lookOf(target).colour}`}
          transform={`translate(${scale.x(x) - 6} ${scale.y(y) - 6}) scale(1.2)`}
          d={lookOf(target).shape}
        >
          <title>{`${nameOf(target)}: ${about.name} ${scoreFigure(y, about)}; ${axis} ${say(x)}`}</title>
        </path>
      ))}
    </svg>
  );
}

/** Steps from one to the next: between two of them nothing is better for less than what the left one spends. */
function stairs(points: readonly FrontPoint[], { x, y }: FrontScale): string {
  return points
    .map((point, at) => (at === 0 ? `M${x(point.x)},${y(point.y)}` : `H${x(point.x)}V${y(point.y)}`))
    .join("");
}

function Axes(props: { scale: FrontScale; width: number; height: number; about: ReportMetric; by: SpentOn }) {
  const { scale, width, height, about, by } = props;
  const [right, bottom] = [width - frontEdges.right, height - frontEdges.bottom];
  return (
    <g class="axes">
      {scale.yTicks.map((value) => (
        <g key={value}>
          <line class="grid" x1={frontEdges.left} x2={right} y1={scale.y(value)} y2={scale.y(value)} />
          <text x={frontEdges.left - 7} y={scale.y(value) + 4} text-anchor="end">
            {scoreFigure(value, about)}
          </text>
        </g>
      ))}
      {scale.xTicks.map((value) => (
        <g key={value}>
          <line class="tick" x1={scale.x(value)} x2={scale.x(value)} y1={bottom} y2={bottom + 4} />
          <text x={scale.x(value)} y={bottom + 17} text-anchor="middle">
            {spoken[by].say(value)}
          </text>
        </g>
      ))}
      <line class="edge" x1={frontEdges.left} x2={right} y1={bottom} y2={bottom} />
      <text x={right} y={height - 5} text-anchor="end">
        {spoken[by].axis}
        {spoken[by].unit} →
      </text>
    </g>
  );
}

function Ranges({ point, scale, height }: { point: FrontPoint; scale: FrontScale; height: number }) {
  const { lookOf } = useReport();
  const { target, x, y, across, upright } = point;
  const ends = [upright.lower, upright.upper].map((end) => (end === null ? null : scale.y(end)));
  const [from, to] = [ends[0] ?? height - frontEdges.bottom, ends[1] ?? frontEdges.top];
  const isKnown = upright.lower !== null || upright.upper !== null;
  return (
    <g class={`front-range ${lookOf(target).colour}`}>
      {isKnown && <line x1={scale.x(x)} x2={scale.x(x)} y1={from} y2={to} />}
      {across !== null && (
        <line x1={scale.x(across.lower)} x2={scale.x(across.upper)} y1={scale.y(y)} y2={scale.y(y)} />
      )}
    </g>
  );
}
