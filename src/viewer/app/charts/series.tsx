import { useRef, useState } from "preact/hooks";
import type { NightMark } from "../../../report/shape/history.ts";
import type { PastBatch, ReportMetric } from "../../../report/shape/model.ts";
import { scoreFigure, scoreRange } from "../../../report/say/figures.ts";
import { nightLabel, shortDay } from "../../../report/say/night-names.ts";
import { otherLevelsWords, keptVerdict } from "../../../report/say/nights.ts";
import { Ticked } from "../parts/ticked.tsx";
import type { TargetLook } from "../parts/target-colour.ts";
import { TargetKey, TargetMark } from "../parts/target-mark.tsx";
import { batchAddress } from "../data/batch-address.ts";
import { useRoving } from "../parts/use-roving.ts";
import { edges, type SeriesScale, seriesScale, isUnmeasured } from "./series-scale.ts";
import { verdictClass, verdictSign } from "./verdict-sign.tsx";
import { roundTicks } from "../parts/round-ticks.ts";
import { useWidth } from "./width.ts";

interface SeriesProps {
  past: readonly PastBatch[];
  metric: ReportMetric;
  marks: readonly NightMark[];
  targets: readonly string[];
  lookOf: (target: string) => TargetLook;
  height: number;
}

/** A mark as it is drawn; `other`: a level that is not of the metric that is shown. */
type MarkLook = NightMark["kind"] | "other";

const lookOfMark = ({ kind, metric }: NightMark, shown: string): MarkLook =>
  kind === "changed" && metric !== shown ? "other" : kind;

const markSigns: Record<MarkLook, { sign: string; about: string | null }> = {
  changed: { sign: "│", about: "its level changed" },
  // The others are named as they are.
  other: { sign: "│", about: null },
  noticed: { sign: "◆", about: "a change was noticed" },
  acknowledged: { sign: "✓", about: "acknowledged" },
  known: { sign: "┆", about: "the suite, its dataset or a configuration changed" },
  provider: { sign: "┊", about: "a service tells something else of itself" },
};

/** A metric over the nights of a suite: a night tells its values under the pointer and by the arrow keys, and a click opens it. */
export function Series(props: SeriesProps) {
  const { past, metric, marks, targets, lookOf, height } = props;
  const place = useRef<HTMLDivElement>(null);
  const width = useWidth(place);
  const roving = useRoving<SVGGElement>("a");
  // By its name: with every night that is added the places of the others change.
  const [batch, show] = useState<string | null>(null);
  const at = past.findIndex((night) => night.batch === batch);
  const scale = seriesScale(past, metric.name, { width, height });
  const others = marks.flatMap((mark) => (lookOfMark(mark, metric.name) === "other" ? [mark.metric] : []));
  const kinds = [...new Set(marks.map((mark) => lookOfMark(mark, metric.name)))];
  const night = past.at(at);
  // Alarms of the latest night stand beside the series already: a night tells its marks when somebody comes to it.
  const reported = at === -1 || night === undefined ? [] : marksOf(marks, night);
  return (
    <div class="series" ref={place}>
      <ul class="legend">
        {targets.map((target) => (
          <TargetKey key={target} name={target} look={lookOf(target)} />
        ))}
        {kinds.map((kind) => (
          <li key={kind} class="quiet">
            <span class={`mark-sign ${kind}`} aria-hidden="true">
              {markSigns[kind].sign}
            </span>{" "}
            {markSigns[kind].about ?? otherLevelsWords(others)}
          </li>
        ))}
        {past.some(({ otherCases }) => otherCases) && <li class="quiet">○ other rows of the sheet were asked</li>}
        {past.some(isUnmeasured) && <li class="quiet">○ invalid: answers are missing</li>}
      </ul>
      {width > 0 && (
        <svg width={width} height={height} role="group" aria-label={`${metric.name} over ${past.length} nights`}>
          <SeriesAxes past={past} scale={scale} text={(value) => scoreFigure(value, metric)} size={{ width, height }} />
          {targets.map((target) => (
            <SeriesLine key={target} {...{ past, target, metric: metric.name, look: lookOf(target), scale }} />
          ))}
          {marks.map((mark) => (
            <Mark key={`${mark.kind} ${mark.sentence}`} {...{ mark, past, scale, height, metric: metric.name }} />
          ))}
          <g {...roving}>
            {past.map((each, column) => (
              <a
                key={each.batch}
                href={batchAddress(each.batch)}
                class="night-column"
                aria-label={[nightWords(each, metric), ...marksOf(marks, each).map(({ sentence }) => sentence)]
                  .join(". ")
                  .replaceAll("`", "")}
                onFocus={() => show(each.batch)}
                onMouseEnter={() => show(each.batch)}
              >
                <rect x={scale.x(column) - scale.step / 2} y="0" width={scale.step} height={height} />
                <text class={`verdict ${verdictClass(each)}`} x={scale.x(column)} y={height - 18} text-anchor="middle">
                  {isRoomy(scale) || verdictSign(each) !== "✓" ? verdictSign(each) : ""}
                </text>
              </a>
            ))}
          </g>
        </svg>
      )}
      {night !== undefined && <Readout {...{ night, metric, lookOf, marks: reported }} />}
    </div>
  );
}

/** The marks of a night, each sentence once: a change is often noticed in the night in which it began. */
const marksOf = (marks: readonly NightMark[], { batch }: PastBatch): NightMark[] =>
  marks
    .filter((mark) => mark.batch === batch)
    .filter(({ sentence }, place, own) => own.findLastIndex((other) => other.sentence === sentence) === place);

function Mark(props: {
  mark: NightMark;
  past: readonly PastBatch[];
  scale: SeriesScale;
  height: number;
  metric: string;
}) {
  const { mark, past, scale, height, metric } = props;
  const place = past.findIndex(({ batch }) => batch === mark.batch);
  if (place === -1) return null;
  // A level is another from between two nights on.
  const look = lookOfMark(mark, metric);
  const x = mark.kind === "changed" ? scale.x(place) - scale.step / 2 : scale.x(place);
  return (
    <g class={`mark ${look}`} aria-hidden="true">
      <line x1={x} x2={x} y1={edges.top - 4} y2={height - edges.bottom} />
      {(mark.kind === "noticed" || mark.kind === "acknowledged") && (
        <text x={x} y={edges.top - 7} text-anchor="middle">
          {markSigns[mark.kind].sign}
        </text>
      )}
    </g>
  );
}

/** Where signs would lie over each other, those of nights that passed are left out. */
const isRoomy = ({ step }: SeriesScale): boolean => step >= 9;

function nightWords({ verdict, word, scores, otherCases, ...night }: PastBatch, metric: ReportMetric): string {
  const values = Object.entries(scores).map(
    ([target, { [metric.name]: own }]) => `${target} ${scoreFigure(own?.value ?? null, metric)}`,
  );
  return `${nightLabel(night)}, ${keptVerdict({ verdict, word }) ?? "no verdict"}${otherCases ? ", other rows" : ""}: ${values.join(", ")}`;
}

/** The night under the pointer, or the latest. */
function Readout(props: Pick<SeriesProps, "metric" | "lookOf" | "marks"> & { night: PastBatch }) {
  const { night, metric, lookOf, marks } = props;
  return (
    <p class="readout">
      <b>{nightLabel(night)}</b> <span class="quiet">{keptVerdict(night) ?? "no verdict"}</span>
      {Object.entries(night.scores).map(([target, { [metric.name]: own }]) => (
        <span key={target}>
          <TargetMark look={lookOf(target)} />
          <bdi>{target}</bdi> {scoreFigure(own?.value ?? null, metric)}
          {own?.interval !== null && own?.interval !== undefined && (
            <span class="quiet"> ({scoreRange(own.interval, metric)})</span>
          )}
        </span>
      ))}
      {marks.map((mark) => {
        const { kind, sentence } = mark;
        const look = lookOfMark(mark, metric.name);
        return (
          <span key={`${kind} ${sentence}`} dir="auto">
            <span class={`mark-sign ${look}`} aria-hidden="true">
              {markSigns[look].sign}
            </span>{" "}
            <Ticked text={sentence} />
          </span>
        );
      })}
    </p>
  );
}

interface Point {
  place: number;
  value: number;
  lower: number | null;
  upper: number | null;
  isBeside: boolean;
}

/** The line of a target with the band of its intervals; nights that asked other cases, or are invalid, stand beside it as hollow points. */
function SeriesLine(props: {
  past: readonly PastBatch[];
  target: string;
  metric: string;
  look: TargetLook;
  scale: SeriesScale;
}) {
  const { past, target, metric, look, scale } = props;
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
  return past.flatMap((night, place): Point[] => {
    const { scores, otherCases } = night;
    const own = scores[target]?.[metric];
    if (own === undefined || own.value === null) return [];
    const { lower = null, upper = null } = own.interval ?? {};
    return [{ place, value: own.value, lower, upper, isBeside: otherCases || isUnmeasured(night) }];
  });
}

function bandOf(points: readonly Point[], { x, y }: SeriesScale): string {
  const known = points.filter(({ lower, upper }) => lower !== null && upper !== null);
  if (known.length < 2) return "";
  const upper = known.map(({ place, upper: end }) => `${x(place)},${y(end ?? 0)}`);
  const lower = known.toReversed().map(({ place, lower: end }) => `${x(place)},${y(end ?? 0)}`);
  return `M${[...upper, ...lower].join("L")}Z`;
}

/** Room that a date takes below the axis. */
const dateRoom = 110;

/** The nights whose dates stand below the axis: the first, the last, and a few between them at equal steps. */
function datedPlaces(nights: number, width: number): number[] {
  const most = Math.max(2, Math.min(5, Math.floor(width / dateRoom)));
  if (nights <= most) return Array.from({ length: nights }, (_, place) => place);
  const step = (nights - 1) / (most - 1);
  return Array.from({ length: most }, (_, at) => Math.round(at * step));
}

/** Round values of the scale, and four or five dates. */
function SeriesAxes(props: {
  past: readonly PastBatch[];
  scale: SeriesScale;
  text: (value: number) => string;
  size: { width: number; height: number };
}) {
  const { past, scale, text, size } = props;
  const values = Number.isFinite(scale.low) ? roundTicks(scale.low, scale.high, size.height > 180 ? 4 : 3) : [];
  const dated = datedPlaces(past.length, size.width - edges.left);
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
      {dated.map((place, at) => {
        const isLast = at > 0 && at === dated.length - 1;
        return (
          <text
            key={place}
            x={at === 0 ? edges.left : isLast ? size.width - edges.right : scale.x(place)}
            y={size.height - 3}
            text-anchor={at === 0 ? "start" : isLast ? "end" : "middle"}
          >
            {past[place] === undefined ? "" : shortDay(past[place].at)}
          </text>
        );
      })}
    </g>
  );
}
