import { useRef, useState } from "preact/hooks";
import type { JudgeChart, JudgeWatch } from "../../../report/shape/judge-watch.ts";
import { measure as measureOf, range, difference } from "../../../report/say/figures.ts";
import { counted, number } from "../../../report/say/quantity.ts";
import { IntervalPicture, reachOfIntervals } from "../parts/interval.tsx";
import { ScrollTable } from "../parts/scroll-table.tsx";
import { Ticked } from "../parts/ticked.tsx";
import { NightColumns } from "./night-columns.tsx";
import { edges } from "./series-scale.ts";
import { useWidth } from "./width.ts";

interface Props {
  judges: readonly JudgeWatch[];
  /** True where a click opens a night. */
  opens?: boolean;
}

/** The judges that are watched: how each stands, what speaks for a change night after night, and by how much its grades moved. */
export function JudgeDrift({ judges, opens = true }: Props) {
  if (judges.length === 0) return null;
  return (
    <section class="chart wide judge-drift" aria-labelledby="judge-drift">
      <h2 id="judge-drift">Is the judge still the same?</h2>
      {judges.map((judge, place) => (
        <WatchedJudge
          key={`${judge.scorer} ${judge.state}`}
          judge={judge}
          opens={opens}
          isPast={judges.findIndex(({ scorer }) => scorer === judge.scorer) < place}
        />
      ))}
    </section>
  );
}

interface WatchedProps {
  judge: JudgeWatch;
  opens: boolean;
  /** True for the judge as it was when it changed, below the same as it is now. */
  isPast: boolean;
}

function WatchedJudge({ judge, opens, isPast }: WatchedProps) {
  const { scorer, state, sentence, notes, charts = [], change, measure, alarm } = judge;
  const isNews = state === "changed" && !isPast;
  const top = Math.min(mostDrawn, Math.max(1, ...charts.flatMap(scaled)));
  return (
    <div class="judge-watch">
      <h3>
        <bdi>{scorer}</bdi>
        {isPast && `, the change of ${alarm?.label ?? "before"}`}
      </h3>
      <p class={isNews ? "cautions" : ""} dir="auto">
        {isNews && <span aria-hidden="true">◆ </span>}
        <Ticked text={sentence} />
      </p>
      {notes.map((note) => (
        <p key={note} class="quiet" dir="auto">
          <Ticked text={note} />
        </p>
      ))}
      {charts.length > 0 && (
        <>
          <p class="quiet">
            Every night the judge grades the same {counted(judge.anchors, "answer")} again. The line shows how much
            speaks for a change of the judge; at the dashed line it is an alarm. The bars count answers that it graded
            otherwise than usual.
          </p>
          <div class="drift-charts">
            {charts.map((chart) => (
              <DriftChart key={chart.direction} {...{ scorer, chart, opens, top }} alarm={alarmOf(judge, chart)} />
            ))}
          </div>
        </>
      )}
      {change !== null && <Change change={change} measure={measure} />}
      {charts.length > 0 && <Figures charts={charts} />}
    </div>
  );
}

/** The numbers that the scale of a chart has to reach. */
const scaled = ({ threshold, nights }: JudgeChart): number[] => [
  threshold * 3,
  ...nights.map(({ statistic }) => statistic),
];

/** The night of the alarm in a chart, where it is the reason; another model or prompt is one for both. */
function alarmOf({ state, alarm, charts = [] }: JudgeWatch, chart: JudgeChart): string | null {
  if (state !== "changed" || alarm === undefined) return null;
  const crosses = ({ nights, threshold }: JudgeChart): boolean =>
    nights.some((night) => night.batch === alarm.batch && isAlarm(night, threshold));
  return crosses(chart) || !charts.some(crosses) ? alarm.batch : null;
}

const titles = { up: "Higher grades than usual", down: "Lower grades than usual" };

type DriftNight = JudgeChart["nights"][number];

const height = 170;
/** Room of the bars, above the dates. */
const barRoom = 26;
/** More than this is drawn as this. */
const mostDrawn = 1e6;

interface ChartProps {
  scorer: string;
  chart: JudgeChart;
  opens: boolean;
  /** The night of an alarm; null: none is in this chart. */
  alarm: string | null;
  /** Evidence at the upper end of the scale. */
  top: number;
}

/** Evidence on a scale of powers of ten with the line of the alarm, and the flips of each night as bars below it. */
function DriftChart({ scorer, chart, opens, alarm, top }: ChartProps) {
  const { direction, nights, threshold } = chart;
  const place = useRef<HTMLDivElement>(null);
  const width = useWidth(place);
  const [batch, show] = useState<string | null>(null);
  const night = nights.find((each) => each.batch === batch) ?? nights.at(-1);
  const step = (width - edges.left - edges.right) / Math.max(1, nights.length);
  const x = (at: number): number => edges.left + step * (at + 0.5);
  const [low, floor] = [edges.top, height - edges.bottom - barRoom];
  const y = (value: number): number =>
    floor - (Math.log10(Math.min(mostDrawn, Math.max(1, value))) / Math.log10(top)) * (floor - low);
  const mostFlips = Math.max(1, ...nights.map(({ flips }) => flips));
  const barBase = height - edges.bottom + 6;
  const path = nights.map(({ statistic }, at) => `${at === 0 ? "M" : "L"}${x(at)},${y(statistic)}`).join("");
  return (
    <div class="series" ref={place}>
      <h4>{titles[direction]}</h4>
      {width > 0 && (
        <svg
          {...{ width, height }}
          role="group"
          aria-label={`${scorer}: ${titles[direction]}, ${counted(nights.length, "night")}`}
        >
          <g class="axes">
            {[1, 10, 100].map((value) => (
              <g key={value}>
                <line class="grid" x1={edges.left} x2={width - edges.right} y1={y(value)} y2={y(value)} />
                <text x={edges.left - 6} y={y(value) + 4} text-anchor="end">
                  {value}
                </text>
              </g>
            ))}
            <line class="margin" x1={edges.left} x2={width - edges.right} y1={y(threshold)} y2={y(threshold)} />
            <text x={edges.left} y={y(threshold) - 5}>
              alarm from {number(threshold)}
            </text>
            <text x={edges.left - 6} y={barBase} text-anchor="end">
              changed
            </text>
            <Dates nights={nights} width={width} />
          </g>
          {nights.map(({ flips }, at) => (
            <rect
              key={at}
              class="flips"
              x={x(at) - Math.min(5, step * 0.35)}
              width={Math.min(10, step * 0.7)}
              y={barBase - (flips / mostFlips) * (barRoom - 6)}
              height={(flips / mostFlips) * (barRoom - 6)}
            />
          ))}
          <path class="path evidence" d={path} />
          {nights.map((each, at) => (
            <circle
              key={at}
              class={isAlarm(each, threshold) ? "point alarm" : "point"}
              cx={x(at)}
              cy={y(each.statistic)}
              r="3"
            />
          ))}
          <NightColumns
            {...{ nights, x, step, height, opens, show, shown: night?.batch ?? null }}
            words={(each) => `${nightWords(each, direction)}${each.batch === alarm ? ". Alarm" : ""}`}
            sign={(each, at) =>
              each.batch === alarm && (
                <text class="alarm-sign" x={x(at)} y={edges.top - 8} text-anchor="middle">
                  ◆
                </text>
              )
            }
          />
        </svg>
      )}
      {night !== undefined && <p class="readout">{nightWords(night, direction)}</p>}
    </div>
  );
}

const isAlarm = ({ statistic }: DriftNight, threshold: number): boolean => statistic >= threshold;

/** The first and the last day. */
function Dates({ nights, width }: { nights: readonly DriftNight[]; width: number }) {
  const [first, last] = [nights[0], nights.at(-1)];
  return (
    <>
      <text x={edges.left} y={height - 3}>
        {first?.label}
      </text>
      {last !== first && (
        <text x={width - edges.right} y={height - 3} text-anchor="end">
          {last?.label}
        </text>
      )}
    </>
  );
}

function nightWords({ label, flips, anchors, statistic }: DriftNight, direction: JudgeChart["direction"]): string {
  const grades = direction === "up" ? "higher" : "lower";
  return `${label}: ${number(flips)} of ${number(anchors)} graded ${grades} than usual, evidence ${evidence(statistic)}`;
}

const evidence = (statistic: number): string =>
  statistic >= mostDrawn ? `over ${number(mostDrawn)}` : number(Math.round(statistic * 10) / 10);

/** The change of the grades of the anchors: the judge's own part of any difference to its nights of reference. */
function Change({ change, measure }: { change: NonNullable<JudgeWatch["change"]>; measure: JudgeWatch["measure"] }) {
  const shown = measureOf(measure);
  const drawn = { difference: change.mean, interval: change.interval, margin: null };
  return (
    <div class="anchor-change">
      <p>
        Its grades of these answers moved by <b>{difference(change.mean, shown)}</b>
        {change.interval !== null && <span class="quiet"> (95 %: {range(change.interval, shown)})</span>}: so much of a
        difference to earlier nights is the judge.
      </p>
      {change.interval !== null && (
        <IntervalPicture gate={drawn} metric={shown} reach={reachOfIntervals([drawn], shown)} />
      )}
    </div>
  );
}

function Figures({ charts }: { charts: readonly JudgeChart[] }) {
  const [first] = charts;
  return (
    <details>
      <summary>The figures</summary>
      <ScrollTable name="What speaks for a change of the judge">
        <thead>
          <tr>
            <th scope="col">Night</th>
            {charts.flatMap(({ direction }) => [
              <th key={direction} scope="col" class="number">
                {titles[direction]}
              </th>,
              <th key={`${direction} evidence`} scope="col" class="number">
                Evidence
              </th>,
            ])}
          </tr>
        </thead>
        <tbody>
          {(first?.nights ?? []).map(({ batch, label }, at) => (
            <tr key={batch}>
              <th scope="row">{label}</th>
              {charts.flatMap(({ direction, nights, threshold }) => {
                const night = nights[at];
                if (night === undefined) return [<td key={direction} colSpan={2} />];
                return [
                  <td key={direction} class="number">
                    {number(night.flips)} of {number(night.anchors)}
                  </td>,
                  <td key={`${direction} evidence`} class="number">
                    {isAlarm(night, threshold) && <span aria-hidden="true">◆ </span>}
                    {evidence(night.statistic)}
                  </td>,
                ];
              })}
            </tr>
          ))}
        </tbody>
      </ScrollTable>
    </details>
  );
}
