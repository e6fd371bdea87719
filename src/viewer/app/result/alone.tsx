import { useState } from "preact/hooks";
import type { ReportSummary, ReportTarget } from "../../../report/shape/model.ts";
import { scoreFigure, scoreRange } from "../../../report/say/figures.ts";
import { number } from "../../../report/say/quantity.ts";
import { reasonHeading, reasonsOf } from "../../../report/say/answers.ts";
import { runName } from "../../../report/say/night-names.ts";
import { comparedAddress } from "../data/batch-address.ts";
import type { SetAddress } from "../data/address.ts";
import type { Source } from "../data/source.ts";
import { durationShown } from "../parts/format.ts";
import { SliceLink } from "../charts/slice-link.tsx";
import { ScrollTable } from "../parts/scroll-table.tsx";
import { ShowMore } from "../parts/and-more.tsx";
import { reasonPhrases } from "../../../report/doc/reason-list.ts";
import { Said } from "../parts/doc.tsx";
import { RowsLink } from "../parts/rows-link.tsx";

const most = 4;

/** A target by itself: its errors, and folded where its score is lowest and how long it takes, each a way to its rows. */
export function Alone({ source, setAddress }: { source: Source; setAddress: SetAddress }) {
  const { summary } = source;
  const [target, ...others] = summary.targets;
  if (target === undefined || others.length > 0) return null;
  return (
    <>
      <Errors summary={summary} target={target} setAddress={setAddress} />
      {source.actions !== null && <LastTime summary={summary} target={target.name} />}
      <details class="more-findings">
        <summary>Where its score is lowest, and how long answers take</summary>
        <ByTag source={source} target={target} setAddress={setAddress} />
        <Pace target={target} setAddress={setAddress} />
      </details>
    </>
  );
}

/** The score by the values of tags, the lowest first: a description, so nothing is coloured. */
function ByTag({ source, target, setAddress }: { source: Source; target: ReportTarget; setAddress: SetAddress }) {
  const { metrics } = source.summary;
  const metric = metrics.find(({ primary }) => primary);
  const { byTag = [] } = target;
  const [shown, show] = useState(most);
  if (metric === undefined || byTag.length === 0) return null;
  return (
    <section aria-labelledby="by-tag">
      <h2 id="by-tag">
        <bdi>{metric.name}</bdi> by tag, the lowest first
      </h2>
      <ScrollTable name="Score by tag">
        <thead>
          <tr>
            <th scope="col">Rows where</th>
            <th scope="col" class="number">
              Rows
            </th>
            <th scope="col" class="number">
              {metric.passes ? "Pass" : "Mean"}
            </th>
            <th scope="col">95 % range</th>
          </tr>
        </thead>
        <tbody>
          {byTag.slice(0, shown).map(({ tag, value, cases, mean, interval }) => (
            <tr key={`${tag} ${value}`}>
              <th scope="row">
                <SliceLink slice={{ tag, value, and: null }} sort="score" setAddress={setAddress} />
              </th>
              <td class="number">{number(cases)}</td>
              <td class="number">
                <b>{scoreFigure(mean, metric)}</b>
              </td>
              <td class="figure">{interval === null ? "–" : scoreRange(interval, metric)}</td>
            </tr>
          ))}
        </tbody>
      </ScrollTable>
      <ShowMore all={byTag.length} shown={shown} show={() => show(byTag.length)} />
    </section>
  );
}

/** The most frequent errors; those that differ only in numbers are one. */
function Errors(props: { summary: ReportSummary; target: ReportTarget; setAddress: SetAddress }) {
  const { summary, target, setAddress } = props;
  const reasons = reasonsOf([target]);
  if (reasons.length === 0) return null;
  return (
    <section class="missing">
      <h2>{reasonHeading(reasons)}</h2>
      <Said phrase={{ list: reasonPhrases([target], false), most, noun: "message" }} {...{ summary, setAddress }} />
    </section>
  );
}

/** The time that answers take, and the way to the slowest. */
function Pace({ target, setAddress }: { target: ReportTarget; setAddress: SetAddress }) {
  const { latency } = target;
  if (latency === null) return null;
  const { p50, p90, max } = latency;
  return (
    <p>
      Half of the answers take less than {durationShown(p50)}, nine of ten less than {durationShown(p90)},{" "}
      <RowsLink to={{ sort: "slow" }} setAddress={setAddress}>
        the slowest {durationShown(max)}
      </RowsLink>
    </p>
  );
}

/** The way to a comparison with the batch before in which the target was graded. */
function LastTime({ summary: { batch, past }, target }: { summary: ReportSummary; target: string }) {
  const [now, ...before] = past.slice(0, past.findIndex((each) => each.batch === batch) + 1).toReversed();
  const last = before.find(({ scores }) => target in scores);
  if (now === undefined || last === undefined) return null;
  return (
    <p>
      <a href={comparedAddress(batch, last.batch)}>Compare with the {runName(last.at, now.at)}</a>
    </p>
  );
}
