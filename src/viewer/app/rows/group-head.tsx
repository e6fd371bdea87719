import { tagName } from "../../../report/words/tag-words.ts";
import { segmentDecision } from "../../../report/model/segment-decision.ts";
import type { RowsOfValue } from "../../../report/query/value-groups.ts";
import type { ReportSummary } from "../../../report/shape/model.ts";
import { difference, scoreFigure } from "../../../report/words/figures.ts";
import { counted, number } from "../../../report/words/quantity.ts";

interface Props {
  summary: ReportSummary;
  candidate: number;
  /** The tag of the groups. */
  by: string;
  group: RowsOfValue;
  line: number;
  isFolded: boolean;
  fold: () => void;
  style: Record<string, string>;
}

/** The head of a group of rows: its value, the number of its rows, and the difference over all cases that have the value. */
export function GroupHead({ summary, candidate, by, group, line, isFolded, fold, style }: Props) {
  const { value, rows } = group;
  return (
    <div class="row group-head" role="row" aria-rowindex={line + 2} style={style}>
      <span role="rowheader">
        <button type="button" aria-expanded={!isFolded} onClick={fold}>
          <span class="fold-sign" aria-hidden="true" />
          <span class="quiet">
            <bdi>{tagName(by)}</bdi>
          </span>{" "}
          <b>{value === null ? "other values" : value === "" ? "without a value" : <bdi>{value}</bdi>}</b>
          <span class="count">{counted(rows, "row")}</span>
        </button>
      </span>
      {value !== null && <GroupFigure {...{ summary, candidate, by, value }} />}
    </div>
  );
}

/** Over all cases with the value, whichever of them are listed: those that somebody filtered would give another one. */
function GroupFigure(props: Pick<Props, "summary" | "candidate" | "by"> & { value: string }) {
  const { summary, candidate, by, value } = props;
  const [metric] = summary.metrics;
  if (metric === undefined || summary.verdict.state === "invalid") return null;
  const name = summary.candidates[candidate];
  if (name === undefined) {
    const mean = summary.targets[0]?.byTag?.find((each) => each.tag === by && each.value === value);
    if (mean === undefined) return null;
    return (
      <span role="cell" class="group-figure">
        {scoreFigure(mean.mean, metric)} <span class="quiet">over all {number(mean.cases)}</span>
      </span>
    );
  }
  const own = summary.slices.find(
    (each) => each.candidate === name && each.metric === metric.name && each.tag === by && each.value === value,
  );
  if (own === undefined) return null;
  const decided = segmentDecision(own, summary);
  return (
    <span role="cell" class={`group-figure ${decided ?? ""}`}>
      {difference(own.difference, metric)}
      {decided !== null && <b> surely {decided}</b>} <span class="quiet">over all {number(own.cases)} cases</span>
    </span>
  );
}
