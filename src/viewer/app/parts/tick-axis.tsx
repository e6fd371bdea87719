import { roundTicks } from "./round-ticks.ts";
import type { ReportMetric } from "../../../report/shape/model.ts";
import { difference } from "../../../report/say/figures.ts";
import { placeOn, type Reach } from "./interval.tsx";

interface Props {
  reach: Reach;
  metric: ReportMetric;
  wanted?: number;
  /** True for an axis below its picture: the ticks stand above their figures. */
  isBelow?: boolean;
}

/** Round ticks of the scale that differences are drawn on: `−20  −10  0`. Left is worse, in every language. */
export function TickAxis({ reach, metric, wanted = 4, isBelow = false }: Props) {
  const at = placeOn(reach);
  const { from, to, text } = isBelow ? { from: 0, to: 4, text: 15 } : { from: 15, to: 20, text: 11 };
  return (
    <svg class="tick-axis" width="100%" height="20" aria-hidden="true">
      {roundTicks(reach.low, reach.high, wanted).map((value) => (
        <g key={value}>
          <line x1={at(value)} x2={at(value)} y1={from} y2={to} />
          <text x={at(value)} y={text} text-anchor="middle">
            {tickText(value, metric)}
          </text>
        </g>
      ))}
    </svg>
  );
}

/** `−10`, of rates in points: whole where it is. */
function tickText(value: number, metric: ReportMetric): string {
  return value === 0 ? "0" : difference(value, metric, false).replace(/\.0$/, "");
}
