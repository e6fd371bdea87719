import { hintedSlices, worstSlices } from "../../../report/model/slice-decision.ts";
import type { ReportSummary } from "../../../report/shape/model.ts";
import { sidesFigures, sizeOfChange } from "../../../report/words/figures.ts";
import { counted, number } from "../../../report/words/quantity.ts";
import type { SetAddress } from "../data/address.ts";
import { Ticked } from "../parts/ticked.tsx";
import { SliceLink } from "../charts/slice-link.tsx";
import { hintDoubt, hintEvidence, hintHead } from "../../../report/words/hint-words.ts";
import { sliceWords } from "../../../report/words/slice-words.ts";

/** Number of slices under the verdict; the others are among the charts. */
const most = 3;

/** Where it got worse for sure, and below it where else to look. */
export function WorstSlices(given: Given) {
  if (given.summary.verdict.state === "invalid") return null;
  return (
    <>
      <DecidedSlices {...given} />
      <HintedSlices {...given} />
    </>
  );
}

interface Given {
  summary: ReportSummary;
  candidate: number;
  setAddress: SetAddress;
}

/** The values of tags, and pairs of them, that are decided to be worse, each a way to its rows. */
function DecidedSlices({ summary, candidate, setAddress }: Given) {
  const { metrics, candidates } = summary;
  const worst = worstSlices(summary, candidates[candidate] ?? "");
  if (worst.length === 0) return null;
  return (
    <div class="worst-slices">
      <h2 id="worst-slices">Worst where</h2>
      <ul aria-labelledby="worst-slices">
        {worst.slice(0, most).map((slice) => {
          const { cases, difference } = slice;
          const metric = metrics.find(({ name }) => name === slice.metric);
          if (metric === undefined) return null;
          const [before, after] = sidesFigures(slice, metric);
          return (
            <li key={`${slice.metric} ${sliceWords(slice)}`}>
              <SliceLink slice={slice} setAddress={setAddress} />
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
function HintedSlices({ summary, candidate, setAddress }: Given) {
  const { slices, metrics, candidates } = summary;
  const hints = hintedSlices(slices, candidates[candidate] ?? "", metrics);
  return (
    <>
      {hints.map((slice) => {
        const metric = metrics.find(({ name }) => name === slice.metric);
        if (metric === undefined) return null;
        return (
          <p class="hint" key={`${slice.metric} ${sliceWords(slice)}`}>
            {hintHead} <SliceLink slice={slice} setAddress={setAddress} />
            {metric !== metrics[0] && (
              <>
                {" "}
                on <bdi>{metric.name}</bdi>
              </>
            )}
            : <Ticked text={`${hintEvidence(slice, metric)}.`} /> <span class="quiet">{hintDoubt(slice)}.</span>
          </p>
        );
      })}
    </>
  );
}
