import { momentLabel } from "../../../report/say/night-names.ts";
import type { ReportMetric, RunScore } from "../../../report/shape/model.ts";
import { scoreBeside } from "../../../report/say/beside.ts";
import { GradeView, gradedMetrics } from "./grade.tsx";
import { LongText } from "../parts/long-text.tsx";
import { ScrollTable } from "../parts/scroll-table.tsx";
import { SideHeads } from "./side-heads.tsx";
import type { AnswerSide } from "./shown-answers.ts";
import type { Source } from "../data/source.ts";

/** The grade of each scorer with its reason, side by side. */
export function Scores(props: { source: Source; sides: readonly AnswerSide[] }) {
  const { source, sides } = props;
  const { metrics } = source.summary;
  const runs = sides.map(({ run }) => run);
  const baseline = sides.find(({ role }) => role === "baseline")?.run;
  const known = gradedMetrics(metrics, runs);
  if (known.length === 0) return null;
  return (
    <section>
      <h3>Scores</h3>
      <ScrollTable name="Scores">
        <SideHeads first="Metric" sides={sides} />
        <tbody>
          {known.map(({ metric, index }) => (
            <tr key={metric.name}>
              <th scope="row">
                <bdi>{metric.scorer}</bdi> <span class="quiet">{metric.type}</span>
              </th>
              {sides.map(({ place, role, run }) => {
                const graded = run?.scores[index] ?? null;
                const beside =
                  role === "candidate" ? scoreBeside(baseline?.scores[index] ?? null, graded, metric) : null;
                return (
                  <td key={place}>
                    <GradeView graded={graded} metric={metric} /> {beside !== null && <b class="note">{beside} </b>}
                    {graded?.edited !== undefined && <Edited edited={graded.edited} metric={metric} />}
                    <span class="quiet" dir="auto">
                      <LongText text={graded?.reason ?? ""} />
                    </span>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </ScrollTable>
    </section>
  );
}

/** A note that a person changed this grade, or one that it is made of, with the grade before. */
function Edited({ edited, metric }: { edited: NonNullable<RunScore["edited"]>; metric: ReportMetric }) {
  const { author, at, was, from } = edited;
  return (
    <span class="edited" title={was.reason ?? undefined}>
      {from !== undefined && (
        <>
          follows from <bdi>{from.join(", ")}</bdi>,{" "}
        </>
      )}
      edited by <bdi>{author === "" ? "somebody" : author}</bdi>, {momentLabel(at)} (was{" "}
      <GradeView graded={was} metric={metric} />){" "}
    </span>
  );
}
