import { worsePlacesOf } from "../../../report/model/segment-decision.ts";
import type { ReportSummary } from "../../../report/shape/model.ts";
import { sidesFigures, sizeOfChange } from "../../../report/say/figures.ts";
import { counted } from "../../../report/say/quantity.ts";
import type { SetAddress } from "../data/address.ts";
import { SegmentLink } from "../charts/segment-link.tsx";
import { isInMap } from "./tag-map.tsx";
import { segmentWords } from "../../../report/say/names.ts";

interface Props {
  summary: ReportSummary;
  candidate: number;
  setAddress: SetAddress;
}

/** Where it got worse for sure and no map shows it, each place a way to its rows. */
export function WorstSegments({ summary, candidate, setAddress }: Props) {
  const { metrics, candidates } = summary;
  const worst = worsePlacesOf(summary, candidates[candidate] ?? "").filter((place) => !isInMap(summary, place));
  if (worst.length === 0) return null;
  return (
    <div class="worst-slices">
      <h2 id="worst-slices">Worst where</h2>
      <ul aria-labelledby="worst-slices">
        {worst.map((segment) => {
          const { cases, difference } = segment;
          const metric = metrics.find(({ name }) => name === segment.metric);
          if (metric === undefined) return null;
          const [before, after] = sidesFigures(segment, metric);
          return (
            <li key={`${segment.metric} ${segmentWords(segment)}`}>
              <SegmentLink slice={segment} setAddress={setAddress} />
              {metric !== metrics[0] && (
                <span class="quiet">
                  {" "}
                  on <bdi>{metric.name}</bdi>
                </span>
              )}
              <span class="quiet"> {counted(cases, "case")} </span>
              <span class="whole">
                {before} <span aria-label="to">→</span> {after}
              </span>
              <b> {sizeOfChange(difference, metric)}</b>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
