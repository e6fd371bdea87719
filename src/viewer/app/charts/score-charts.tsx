import type { ReportMetric, ReportSummary } from "../../../report/shape/model.ts";
import type { ReportScores } from "../../../report/shape/scores.ts";
import type { SetAddress } from "../data/address.ts";
import { ScoreHistogram } from "./score-histogram.tsx";
import { ScoreScatter } from "./score-scatter.tsx";

/** The scores of metrics that do more than pass or fail: of both sides of what is compared, or of a target by itself. */
export function ScoreCharts(given: { summary: ReportSummary; candidate: number; setAddress: SetAddress }) {
  const { summary, candidate, setAddress } = given;
  return knownScores(summary).map(({ metric, scores }) =>
    summary.candidates.length === 0 ? (
      <section class="chart" key={metric.name}>
        <ScoreHistogram summary={summary} metric={metric} scores={scores} setAddress={setAddress} />
      </section>
    ) : (
      <ScoreScatter
        key={metric.name}
        summary={summary}
        metric={metric}
        scores={scores}
        candidate={candidate}
        setAddress={setAddress}
      />
    ),
  );
}

/** Metrics of which scores are counted, with what was counted. */
export function knownScores({ metrics, scores }: ReportSummary): { metric: ReportMetric; scores: ReportScores }[] {
  return metrics.flatMap((metric) => {
    const own = scores.find((each) => each.metric === metric.name);
    return own === undefined ? [] : [{ metric, scores: own }];
  });
}
