import { hintedSegments, worstSegments } from "../../../report/model/segment-decision.ts";
import type { ReportSummary } from "../../../report/shape/model.ts";
import { sidesFigures, sizeOfChange } from "../../../report/words/figures.ts";
import { counted, number } from "../../../report/words/quantity.ts";
import type { SetAddress } from "../data/address.ts";
import { Ticked } from "../parts/ticked.tsx";
import { SegmentLink } from "../charts/segment-link.tsx";
import { isInMap } from "./tag-map.tsx";
import { hintDoubt, hintEvidence, hintHead } from "../../../report/words/hint-words.ts";
import { segmentWords } from "../../../report/words/segment-words.ts";

/** Number of segments under the verdict; the others are among the charts. */
const most = 3;

/** Where it got worse for sure, and below it where else to look. */
export function WorstSegments(props: Props) {
  if (props.summary.verdict.state === "invalid") return null;
  return (
    <>
      <DecidedSegments {...props} />
      <HintedSegments {...props} />
    </>
  );
}

interface Props {
  summary: ReportSummary;
  candidate: number;
  setAddress: SetAddress;
}

/** The values of tags, and pairs of them, that are decided to be worse and stand in no map, each a way to its rows. */
function DecidedSegments({ summary, candidate, setAddress }: Props) {
  const { metrics, candidates } = summary;
  const worst = worstSegments(summary, candidates[candidate] ?? "").filter((segment) => !isInMap(summary, segment));
  if (worst.length === 0) return null;
  return (
    <div class="worst-slices">
      <h2 id="worst-slices">Worst where</h2>
      <ul aria-labelledby="worst-slices">
        {worst.slice(0, most).map((segment) => {
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
        {worst.length > most && (
          <li>
            <button type="button" class="link" onClick={() => setAddress({ view: "charts" })}>
              {number(worst.length - most)} more
            </button>
          </li>
        )}
      </ul>
    </div>
  );
}

/** Groups that lost much and may have by chance: without a colour, and with the reason why they are no finding. */
function HintedSegments({ summary, candidate, setAddress }: Props) {
  const { slices: segments, metrics, candidates } = summary;
  const hints = hintedSegments(segments, candidates[candidate] ?? "", metrics);
  return (
    <>
      {hints.map((segment) => {
        const metric = metrics.find(({ name }) => name === segment.metric);
        if (metric === undefined) return null;
        return (
          <p class="hint" key={`${segment.metric} ${segmentWords(segment)}`}>
            {hintHead} <SegmentLink slice={segment} setAddress={setAddress} />
            {metric !== metrics[0] && (
              <>
                {" "}
                on <bdi>{metric.name}</bdi>
              </>
            )}
            : <Ticked text={`${hintEvidence(segment, metric)}.`} /> <span class="quiet">{hintDoubt(segment)}.</span>
          </p>
        );
      })}
    </>
  );
}
