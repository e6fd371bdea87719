import { useRef, useState } from "preact/hooks";
import type { Front, SpentOn } from "../../../compare/choice/front.ts";
import type { ReportChoice } from "../../../report/shape/choice.ts";
import type { ReportMetric, ReportSummary } from "../../../report/shape/model.ts";
import { displayWidth, fit } from "../../../report/text/width.ts";
import { scoreFigure } from "../../../report/say/figures.ts";
import { duration, price, priceUnit } from "../../../report/say/quantity.ts";
import { reportLooks, type TargetLook } from "../parts/target-colour.ts";
import { TargetMark } from "../parts/target-mark.tsx";
import { TargetName, useTargetNames } from "../parts/target-name.tsx";
import { frontEdges, type FrontPoint, type FrontScale, frontScale, placeLabels } from "./front-scale.ts";
import { useWidth } from "./width.ts";

const spoken: Record<
  SpentOn,
  {
    button: string;
    axis: string;
    unit: string;
    level: string;
    say: (value: number) => string;
    less: string;
    beaten: string;
  }
> = {
  cost: {
    button: "Cost",
    axis: "cost of a run",
    unit: `, ${priceUnit}`,
    level: "cost",
    say: price,
    less: "cheaper",
    beaten: "surely no better, and surely dearer",
  },
  time: {
    button: "Time",
    axis: "mean time of a run",
    unit: "",
    level: "speed",
    say: duration,
    less: "faster",
    beaten: "surely no better, and surely slower",
  },
};

/** Most columns of a label. */
const mostLabel = 24;

/** Score against cost or time with their ranges, and the line of those that no other beats in both. */
export function FrontPicture(props: { summary: ReportSummary; choice: ReportChoice; about: ReportMetric }) {
  const { summary, choice, about } = props;
  const [chosen, choose] = useState<SpentOn>("cost");
  const place = useRef<HTMLDivElement>(null);
  const width = useWidth(place);
  const front = choice.fronts.find(({ by }) => by === chosen) ?? choice.fronts[0];
  if (front === undefined) return null;
  const { axis, less } = spoken[front.by];
  return (
    <figure class="front">
      <figcaption>
        <h3>Score and {front.by}</h3>
        {choice.fronts.length > 1 && (
          <span class="ways" role="group" aria-label="What the score is drawn against">
            {choice.fronts.map(({ by }) => (
              <button key={by} type="button" aria-pressed={by === front.by} onClick={() => choose(by)}>
                {spoken[by].button}
              </button>
            ))}
          </span>
        )}
        <p class="quiet" dir="auto">
          Up is better, left is {less}. Stepped line: the best choice at each {spoken[front.by].level}. Thin lines:
          where a score or {front.by} may lie (95 %).
        </p>
      </figcaption>
      <div class="front-place" ref={place}>
        {width > 0 && <Drawn key={front.by} {...{ summary, choice, about, front, width, axis }} />}
      </div>
    </figure>
  );
}

function pointsOf({ intervals }: ReportChoice, by: SpentOn): FrontPoint[] {
  return intervals.flatMap(({ target, mean, cost, costRange, time, timeRange, range }) => {
    const [x, across] = by === "cost" ? [cost, costRange] : [time, timeRange];
    return x === null || mean === null ? [] : [{ target, x, y: mean, across, upright: range }];
  });
}

interface DrawnProps {
  summary: ReportSummary;
  choice: ReportChoice;
  about: ReportMetric;
  front: Front;
  width: number;
  axis: string;
}

function Drawn({ summary, choice, about, front, width, axis }: DrawnProps) {
  const nameOf = useTargetNames();
  const lookOf = reportLooks(summary);
  const [shown, show] = useState<string | null>(null);
  const marks = useRef(new Map<string, SVGGElement>());
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
  const press = (event: KeyboardEvent, target: string): void => {
    const at = points.findIndex((point) => point.target === target);
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: points.length - 1 }[event.key];
    const next = to === undefined ? undefined : points[to];
    if (next === undefined) return;
    event.preventDefault();
    marks.current.get(next.target)?.focus();
  };
  const reached = shown ?? points[0]?.target;
  const hidden = labels.filter((label) => label === null).length;
  return (
    <>
      <svg
        width={width}
        height={height}
        role="group"
        aria-label={`${about.name} against ${axis}, ${points.length} configurations`}
      >
        <Axes {...{ scale, width, height, about, by: front.by, axis }} />
        <path
          class="front-line"
          d={stairs(
            points.filter(({ target }) => front.line.includes(target)),
            scale,
          )}
        />
        {points.map((point) => (
          <Ranges key={point.target} {...{ point, scale, height, look: lookOf(point.target) }} />
        ))}
        {ordered.map(({ target }, at) => {
          const label = labels[at];
          return label === null || label === undefined ? null : (
            <text key={target} class="name" x={label.x} y={label.y} text-anchor={label.anchor} aria-hidden="true">
              {fit(nameOf(target), mostLabel)}
            </text>
          );
        })}
        {points.map((point) => (
          <g
            key={point.target}
            ref={(element) => {
              if (element === null) marks.current.delete(point.target);
              else marks.current.set(point.target, element);
            }}
            class={`front-mark ${lookOf(point.target).colour}`}
            role="img"
            tabIndex={point.target === reached ? 0 : -1}
            aria-label={pointWords({ point, choice, front, about, name: nameOf(point.target) })}
            onFocus={() => show(point.target)}
            onMouseEnter={() => show(point.target)}
            onKeyDown={(event) => press(event, point.target)}
          >
            <circle class="halo" cx={scale.x(point.x)} cy={scale.y(point.y)} r="11" />
            <path
              transform={`translate(${scale.x(point.x) - 6} ${scale.y(point.y) - 6}) scale(1.2)`}
              d={lookOf(point.target).shape}
            />
          </g>
        ))}
      </svg>
      <p class="readout" dir="auto">
        {shown === null ? (
          <span class="quiet">
            {hidden > 0 ? `${hidden} without room for a name. ` : ""}Point at one, or step with the arrow keys, for its
            figures.
          </span>
        ) : (
          <Readout {...{ points, choice, front, about, shown, look: lookOf(shown) }} />
        )}
      </p>
    </>
  );
}

/** Steps from one to the next: between two of them nothing is better for less than what the left one spends. */
function stairs(points: readonly FrontPoint[], { x, y }: FrontScale): string {
  return points
    .map((point, at) => (at === 0 ? `M${x(point.x)},${y(point.y)}` : `H${x(point.x)}V${y(point.y)}`))
    .join("");
}

function Axes(props: {
  scale: FrontScale;
  width: number;
  height: number;
  about: ReportMetric;
  by: SpentOn;
  axis: string;
}) {
  const { scale, width, height, about, by, axis } = props;
  const [right, bottom] = [width - frontEdges.right, height - frontEdges.bottom];
  return (
    <g class="axes" aria-hidden="true">
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
        {axis}
        {spoken[by].unit} →
      </text>
    </g>
  );
}

function Ranges(props: { point: FrontPoint; scale: FrontScale; height: number; look: TargetLook }) {
  const { point, scale, height, look } = props;
  const { x, y, across, upright } = point;
  const ends = [upright.lower, upright.upper].map((end) => (end === null ? null : scale.y(end)));
  const [from, to] = [ends[0] ?? height - frontEdges.bottom, ends[1] ?? frontEdges.top];
  const isKnown = upright.lower !== null || upright.upper !== null;
  return (
    <g class={`front-range ${look.colour}`} aria-hidden="true">
      {isKnown && <line x1={scale.x(x)} x2={scale.x(x)} y1={from} y2={to} />}
      {across !== null && (
        <line x1={scale.x(across.lower)} x2={scale.x(across.upper)} y1={scale.y(y)} y2={scale.y(y)} />
      )}
    </g>
  );
}

interface Told {
  point: FrontPoint;
  choice: ReportChoice;
  front: Front;
  about: ReportMetric;
}

/** The figures of a point, and whether it may be the best, alone and for what it spends. */
function figuresOf({ point, choice, front, about }: Told): string[] {
  const { say, axis, beaten } = spoken[front.by];
  const { across, x, y, target } = point;
  const range =
    across === null || say(across.lower) === say(across.upper) ? "" : ` (${say(across.lower)} to ${say(across.upper)})`;
  const own = front.targets.find((each) => each.target === target);
  const standing =
    choice.open !== null
      ? []
      : [target === choice.named ? "the best" : choice.set.includes(target) ? "may be the best" : "behind the best"];
  const forThat =
    own === undefined
      ? []
      : own.state === "yes"
        ? [`surely no other is better and ${spoken[front.by].less}`]
        : own.state === "no"
          ? [`${beaten} than ${own.beatenBy ?? "another"}`]
          : own.beatenBy === null
            ? []
            : [`by these figures beaten by ${own.beatenBy}, but not surely`];
  return [`${about.name} ${scoreFigure(y, about)}`, `${axis} ${say(x)}${range}`, ...standing, ...forThat];
}

const pointWords = ({ name, ...told }: Told & { name: string }): string => `${name}: ${figuresOf(told).join("; ")}`;

function Readout(props: Omit<Told, "point"> & { points: readonly FrontPoint[]; shown: string; look: TargetLook }) {
  const { points, shown, look, ...told } = props;
  const point = points.find(({ target }) => target === shown);
  if (point === undefined) return null;
  return (
    <>
      <span>
        <TargetMark look={look} />
        <b>
          <TargetName name={shown} />
        </b>
      </span>
      {figuresOf({ point, ...told }).map((text) => (
        <span key={text} dir="auto">
          {text}
        </span>
      ))}
    </>
  );
}
