import type { ComponentChildren } from "preact";
import { rowGroup } from "../../../report/model/row-groups.ts";
import type { ReportGate, ReportMetric } from "../../../report/shape/model.ts";
import { number } from "../../../report/words/quantity.ts";
import type { Address, SetAddress } from "../data/address.ts";
import { unansweredWords } from "../../../report/words/worse-rows-words.ts";
import { RowsLink } from "../rows/rows-link.tsx";
import { useTargetNames } from "../parts/target-name.tsx";

/** The cases that got worse and better by a metric, each a way to their rows; `words`: false in a column that says so. */
export function Flipped(props: { gate: ReportGate; metric: ReportMetric; words?: boolean; setAddress: SetAddress }) {
  const { gate, metric, words = true, setAddress } = props;
  const part = (trend: "worse" | "better"): ComponentChildren => {
    const text = words ? `${number(gate[trend])} ${trend}` : number(gate[trend]);
    if (gate[trend] === 0) return text;
    return (
      <RowsLink
        to={{ ...rowsOfGate(gate, metric), group: rowGroup.metric(metric.name, trend) }}
        setAddress={setAddress}
      >
        {text}
        {!words && <span class="unseen"> {trend}</span>}
      </RowsLink>
    );
  };
  return (
    <span>
      {part("worse")}, {part("better")}
    </span>
  );
}

/** The cases that only the baseline answered, where they are why nothing is decided: a way to their rows. */
export function Unanswered(props: { baseline: string; candidate: string; cases: number; setAddress: SetAddress }) {
  const { baseline, candidate, cases, setAddress } = props;
  const nameOf = useTargetNames();
  return (
    <RowsLink
      to={{ target: candidate, group: rowGroup.change("error-appeared"), sort: "rank" }}
      setAddress={setAddress}
    >
      {unansweredWords(nameOf(baseline), nameOf(candidate))} <b>{number(cases)}</b>
    </RowsLink>
  );
}

/** The rows that a gate is about: those that its metric compares. */
export function rowsOfGate(
  { candidate, slice: segment }: ReportGate,
  { name }: Pick<ReportMetric, "name">,
): Partial<Address> {
  const tags = segment === null ? [] : [{ name: segment.tag, value: segment.value }];
  return { target: candidate, tags, group: rowGroup.paired(name), sort: "rank" };
}
