import { figureOfMean, targetFigure } from "../../../report/doc/result-table.ts";
import type { ReportMetric } from "../../../report/shape/model.ts";
import { askedOfScore, type AskedOfScore } from "../data/asked.ts";
import { metricColumn } from "../data/columns.ts";
import type { RowList } from "../data/source.ts";
import { Menu } from "../parts/menu.tsx";
import { type Report, useReport } from "../parts/report.tsx";
import { TargetName } from "../parts/target-name.tsx";

/** The scores of a target that the list shows, each with its figure over the rows of the list, and what narrows them down by it. */
export function ScoreHeads({ side, list }: { side: number; list: RowList }) {
  const report = useReport();
  const { summary, address } = report;
  return summary.metrics.map((metric, place) =>
    place === 0 || address.columns.includes(metricColumn(metric.name)) ? (
      <ScoreHead
        key={metric.name}
        metric={metric}
        place={place}
        side={side}
        figure={place === 0 ? figureOf(report, side, list) : null}
      />
    ) : null,
  );
}

/** The figure of the result, or of a query that of its rows; null: none is known. */
function figureOf({ source, summary, address, candidate }: Report, side: number, { means }: RowList): string | null {
  const isWhole = address.text.trim() === "" && source.view === null;
  if (isWhole) return targetFigure(summary, { target: side, pair: candidate });
  return means === null ? null : figureOfMean(summary, means[side] ?? null);
}

function ScoreHead(props: { metric: ReportMetric; place: number; side: number; figure: string | null }) {
  const { metric, place, side, figure } = props;
  const { summary, address, candidate, setAddress } = useReport();
  const asked = askedOfScore(summary, { candidate, text: address.text, side, metric: place });
  const target = summary.targets[side]?.name ?? "";
  return (
    <Menu
      kind={`exports score-head ${asked.isNarrowed ? "narrowed" : ""}`}
      name={
        <>
          <bdi class="score-name">{metric.name}</bdi> <b>{figure}</b>
          <span class="unseen">
            {" "}
            of <TargetName name={target} />: narrow the rows down
          </span>
        </>
      }
    >
      {(close) => (
        <Choices
          asked={asked}
          about={`Rows by ${metric.name} of ${target}`}
          // A click is a step that Back takes back.
          choose={(condition) => {
            setAddress({ text: asked.withCondition(condition) }, true);
            close();
          }}
        />
      )}
    </Menu>
  );
}

const tests = [
  ["<", "below"],
  ["<=", "at most"],
  [">=", "at least"],
  [">", "above"],
] as const;

function Choices(props: { asked: AskedOfScore; about: string; choose: (condition: string | null) => void }) {
  const { asked, about, choose } = props;
  const { choices, compared } = asked;
  return (
    <div role="group" aria-label={about}>
      <div class="filters">
        {choices.map(({ name, text, isChosen }) => (
          <button
            key={name}
            type="button"
            aria-pressed={isChosen}
            title={text}
            onClick={() => choose(isChosen ? null : text)}
          >
            {name}
          </button>
        ))}
      </div>
      {compared !== null && <Comparison compare={(test) => choose(compared(test))} />}
      {asked.isNarrowed && (
        <button type="button" class="link" onClick={() => choose(null)}>
          Any
        </button>
      )}
    </div>
  );
}

/** A score below or above a value. */
function Comparison({ compare }: { compare: (test: string) => void }) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const given = new FormData(event.currentTarget);
        const [test, value] = [given.get("test"), given.get("value")];
        if (typeof test === "string" && typeof value === "string") compare(`${test}${value}`);
      }}
    >
      <select name="test" aria-label="Comparison">
        {tests.map(([sign, name]) => (
          <option key={sign} value={sign}>
            {name}
          </option>
        ))}
      </select>
      <input class="plain" name="value" type="number" step="any" required aria-label="Value" />
      <button class="plain" type="submit">
        Show
      </button>
    </form>
  );
}
