import { useState } from "preact/hooks";
import type { ReportMetric, ReportSegment, ReportSummary } from "../../../report/shape/model.ts";
import { difference, pValue, range, sizeOfChange } from "../../../report/words/figures.ts";
import type { SetAddress } from "../data/address.ts";
import { segmentDecision } from "../../../report/model/segment-decision.ts";
import { Axis } from "./axis.tsx";
import { number } from "../../../report/words/quantity.ts";
import { tagName } from "../../../report/words/tag-words.ts";
import { SegmentLink } from "./segment-link.tsx";

/** Number of values shown at first from each end of a long list, when a tag has many. */
const mostOfEachEnd = 5;

/** Difference of the candidate to the baseline in the rows with each value of a tag. */
export function Segments(props: { summary: ReportSummary; candidate: number; setAddress: SetAddress }) {
  const { summary, candidate, setAddress } = props;
  const segments = summary.slices.filter((segment) => segment.candidate === summary.candidates[candidate]);
  if (segments.length === 0) return null;
  const groups = summary.metrics.flatMap((metric) => {
    const own = segments.filter((segment) => segment.metric === metric.name);
    const tags = [...new Set(own.map(({ tag }) => tag))];
    return tags.map((tag) => ({ metric, tag, group: own.filter((segment) => segment.tag === tag) }));
  });
  return (
    <section class="chart wide">
      <h2>Where it differs</h2>
      <p class="quiet">
        Difference to <bdi>{summary.pairs[candidate]?.baseline}</bdi> in the rows with one value of a tag, with its 95 %
        range; right is better. Coloured, with a sign, where it is decided: p is adjusted for all values of all tags,
        and all pairs of them.
      </p>
      {groups.map((each) => (
        <Group key={`${each.metric.name} ${each.tag}`} {...each} summary={summary} setAddress={setAddress} />
      ))}
    </section>
  );
}

interface Props {
  summary: ReportSummary;
  metric: ReportMetric;
  tag: string;
  group: ReportSegment[];
  setAddress: SetAddress;
}

function Group({ summary, metric, tag, group, setAddress }: Props) {
  const [isWhole, setWhole] = useState(false);
  const reach = Math.max(
    1e-9,
    ...group.flatMap(({ difference: middle, interval }) =>
      [middle, interval?.lower, interval?.upper].map((value) => Math.abs(value ?? 0)),
    ),
  );
  const sorted = group.toSorted((a, b) => (a.difference ?? 0) - (b.difference ?? 0));
  const folded = isWhole ? 0 : Math.max(0, sorted.length - 2 * mostOfEachEnd - 1);
  const end = sorted.length - mostOfEachEnd;
  const lines = folded === 0 ? sorted : [...sorted.slice(0, mostOfEachEnd), ...sorted.slice(end)];
  return (
    <div class="metric">
      <h3>
        <bdi>{metric.name}</bdi> by <bdi>{tagName(tag)}</bdi>
      </h3>
      {lines.map((segment) => (
        <Segment
          key={segment.value}
          slice={segment}
          summary={summary}
          metric={metric}
          reach={reach}
          setAddress={setAddress}
        />
      ))}
      {folded > 0 && (
        <p class="more">
          <button type="button" class="link" onClick={() => setWhole(true)}>
            Show the {number(folded)} between them
          </button>
        </p>
      )}
      <Axis from={difference(-reach, metric)} middle="same" to={difference(reach, metric)} />
    </div>
  );
}

function Segment(props: Omit<Props, "tag" | "group"> & { slice: ReportSegment; reach: number }) {
  const { summary, slice: segment, metric, reach, setAddress } = props;
  const { cases, difference: middle, interval, p } = segment;
  const at = (of: number): string => `${(50 + (of / reach) * 48).toFixed(2)}%`;
  const decision = segmentDecision(segment, summary);
  return (
    <div class="line">
      <span class="label">
        <SegmentLink slice={{ ...segment, and: null }} setAddress={setAddress} />{" "}
        <span class="quiet">{number(cases)}</span>
      </span>
      <svg width="100%" height="22" aria-hidden="true" class={decision === null ? "" : `of-${decision}`}>
        <line class="rail" x1="0" x2="100%" y1="11" y2="11" />
        <line class="zero" x1="50%" x2="50%" y1="2" y2="20" />
        {interval !== null && <line class="reach" x1={at(interval.lower)} x2={at(interval.upper)} y1="11" y2="11" />}
        {middle !== null && <circle class="middle" cx={at(middle)} cy="11" r="5" />}
      </svg>
      <span class="figure">
        {decision !== null && <span aria-hidden="true">{decision === "worse" ? "▼ " : "▲ "}</span>}
        <b>{sizeOfChange(middle, metric)}</b>
        {interval !== null && <span class="quiet"> {range(interval, metric)}</span>}
        {p !== null && <span class="quiet"> p {pValue(p)}</span>}
      </span>
    </div>
  );
}
