import type { PastBatch } from "../../../report/shape/model.ts";
import type { TargetLook } from "../parts/target-colour.ts";
import { edges, type SeriesScale } from "./series-scale.ts";

interface Point {
  place: number;
  value: number;
  lower: number | null;
  upper: number | null;
  isBeside: boolean;
}

/** The line of a target with the band of its intervals; nights that asked other cases stand beside it as hollow points. */
export function SeriesLine(given: {
  past: readonly PastBatch[];
  target: string;
  metric: string;
  look: TargetLook;
  scale: SeriesScale;
}) {
  const { past, target, metric, look, scale } = given;
  const points = pointsOf(past, target, metric);
  const inLine = points.filter(({ isBeside }) => !isBeside);
  const { x, y } = scale;
  const path = inLine.map(({ place, value }, index) => `${index === 0 ? "M" : "L"}${x(place)},${y(value)}`).join("");
  return (
    <g class={look.colour}>
      <path class="band" d={bandOf(inLine, scale)} />
      <path class="path target-line" d={path} stroke-dasharray={look.dashes.join(" ")} />
      {points.map(({ place, value, isBeside }) => (
        <circle key={place} class={isBeside ? "point beside" : "point"} cx={x(place)} cy={y(value)} r="3" />
      ))}
    </g>
  );
}

function pointsOf(past: readonly PastBatch[], target: string, metric: string): Point[] {
  return past.flatMap(({ scores, otherCases }, place): Point[] => {
    const own = scores[target]?.[metric];
    if (own === undefined || own.value === null) return [];
    const { lower = null, upper = null } = own.interval ?? {};
    return [{ place, value: own.value, lower, upper, isBeside: otherCases }];
  });
}

function bandOf(points: readonly Point[], { x, y }: SeriesScale): string {
  const known = points.filter(({ lower, upper }) => lower !== null && upper !== null);
  if (known.length < 2) return "";
  const upper = known.map(({ place, upper: end }) => `${x(place)},${y(end ?? 0)}`);
  const lower = known.toReversed().map(({ place, lower: end }) => `${x(place)},${y(end ?? 0)}`);
  return `M${[...upper, ...lower].join("L")}Z`;
}

/** The values at the two ends of the scale, and the first and the last night. */
export function SeriesAxes(given: {
  past: readonly PastBatch[];
  scale: SeriesScale;
  text: (value: number) => string;
  size: { width: number; height: number };
}) {
  const { past, scale, text, size } = given;
  const values = scale.low === scale.high ? [scale.low] : [scale.low, (scale.low + scale.high) / 2, scale.high];
  const [first, last] = [past[0], past.at(-1)];
  return (
    <g class="axes">
      {values.filter(Number.isFinite).map((value) => (
        <g key={value}>
          <line class="grid" x1={edges.left} x2={size.width - edges.right} y1={scale.y(value)} y2={scale.y(value)} />
          <text x={edges.left - 6} y={scale.y(value) + 4} text-anchor="end">
            {text(value)}
          </text>
        </g>
      ))}
      <text x={edges.left} y={size.height - 3}>
        {first?.label}
      </text>
      {past.length > 1 && (
        <text x={size.width - edges.right} y={size.height - 3} text-anchor="end">
          {last?.label}
        </text>
      )}
    </g>
  );
}
