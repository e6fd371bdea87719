import type { ReportMetric, ReportRun, RunScore } from "../../../report/shape/model.ts";
import { scoreBeside } from "../../../report/words/beside-words.ts";
import { instant } from "../parts/format.ts";
import { GradeView, gradedMetrics } from "./grade.tsx";
import { LongText } from "../parts/long-text.tsx";
import { ScrollTable } from "../parts/scroll-table.tsx";
import type { Source } from "../data/source.ts";

/** The grade of each scorer with its reason, side by side. */
export function Scores(given: {
  source: Source;
  runs: (ReportRun | undefined)[];
  places: number[];
  compared: boolean;
}) {
  const { source, runs, places, compared } = given;
  const { metrics, targets } = source.summary;
  const known = gradedMetrics(metrics, runs);
  if (known.length === 0) return null;
  return (
    <section>
      <h3>Scores</h3>
      <ScrollTable name="Scores">
        <thead>
          <tr>
            <th scope="col">Metric</th>
            {places.map((place) => (
              <th scope="col" key={place}>
                <bdi>{targets[place]?.name}</bdi>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {known.map(({ metric, index }) => (
            <tr key={metric.name}>
              <th scope="row">
                <bdi>{metric.scorer}</bdi> <span class="quiet">{metric.type}</span>
              </th>
              {runs.map((run, at) => {
                const graded = run?.scores[index] ?? null;
                const beside =
                  compared && at === 1 ? scoreBeside(runs[0]?.scores[index] ?? null, graded, metric) : null;
                return (
                  <td key={places[at]}>
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
      edited by <bdi>{author === "" ? "somebody" : author}</bdi>, {instant(at)} (was{" "}
      <GradeView graded={was} metric={metric} />){" "}
    </span>
  );
}
