import type { ReportSummary } from "../../../report/shape/model.ts";
import { filterAbout } from "../../../report/query/row-terms.ts";
import { groupWords } from "../../../report/say/changes.ts";
import { otherMetric } from "../../../report/say/names.ts";
import { number } from "../../../report/say/quantity.ts";
import { Menu } from "../parts/menu.tsx";
import type { AskedBeside, OtherCondition } from "../data/asked.ts";
import type { RowFilter } from "../../../report/model/row-filters.ts";

type Show = "all" | RowFilter;

/** The name of each filter. */
const showNames: Record<Show, string> = {
  all: "All",
  worse: "Worse",
  better: "Better",
  failed: "Failed",
  passed: "Passed",
  errors: "Errors",
  slow: "Slowest 5 %",
  different: "Any difference",
  changed: "Changed more than the baseline varies",
  flaky: "Flaky",
  members: "Output fields changed",
  split: "Some pass, some fail",
};

/** Filters in sight and those behind More, by what is compared, and by what became of one target. */
const comparedShows: Offered = {
  first: ["all", "worse", "better", "errors", "different"],
  more: ["changed", "flaky", "members"],
};
/** Many configurations are told apart by the rows on which they disagree, not by what one of them changed. */
const chosenShows: Offered = {
  first: ["all", "split", "failed", "passed", "errors"],
  more: ["worse", "better", "different", "changed", "flaky", "members"],
};
/** Nothing is better or worse where the data are not complete, and most of what differs is what is missing. */
const invalidShows: Offered = { first: ["all", "errors"], more: ["different", "changed", "flaky", "members"] };
const aloneShows: Offered = { first: ["all", "failed", "passed", "errors", "slow"], more: ["flaky"] };

function offeredFor({ candidates, choice, verdict }: ReportSummary): Offered {
  if (candidates.length === 0) return aloneShows;
  if (verdict.state === "invalid") return invalidShows;
  return choice === undefined ? comparedShows : chosenShows;
}

interface Offered {
  first: readonly Show[];
  more: readonly Show[];
}

interface Props {
  summary: ReportSummary;
  beside: AskedBeside;
  /** Number of rows that each filter finds within the other conditions; null: not known yet. */
  counts: Record<string, number> | null;
  ask: (text: string) => void;
}

/** Filters of the rows, and the other conditions that the query has: a number beside the list led to them, or somebody wrote them. */
export function Filters({ summary, beside, counts, ask }: Props) {
  const isChosen = (show: Show): boolean =>
    show === "all" ? beside.filters.length === 0 : beside.filters.includes(show);
  const passes = summary.metrics[0]?.passes === true;
  const isInvalid = summary.verdict.state === "invalid";
  const { first, more } = offeredFor(summary);
  // Worse and better are those of the primary metric, which is named where the verdict above is about another.
  const metric = otherMetric(summary.metrics[0]?.name, summary.verdict.metric);
  const nameOf = (show: Show): string =>
    show === "errors" && isInvalid
      ? "No answer"
      : show === "worse" || show === "better"
        ? `${showNames[show]}${metric === null ? "" : ` on ${metric}`}`
        : show === "split" && !passes
          ? "Different scores"
          : showNames[show];
  const isOffered = (show: Show): boolean => passes || (show !== "failed" && show !== "passed");
  const chip = (show: Show) => (
    <button
      key={show}
      type="button"
      aria-pressed={isChosen(show)}
      title={show === "all" ? "Every row" : filterAbout[show]}
      onClick={() => ask(beside.withFilter(show === "all" || isChosen(show) ? null : show))}
    >
      {nameOf(show)} <FilterCount count={counts?.[show] ?? null} />
    </button>
  );
  const inSight = first.filter(isOffered);
  // One that is chosen stays in sight, be it rare, or written by somebody.
  const chosen = beside.filters.filter((show) => !inSight.includes(show));
  const rest = more.filter((show) => !chosen.some((each) => each === show));
  return (
    <div class="filters" role="group" aria-label="Which rows">
      {beside.others.map((other) => (
        <ConditionChip
          key={other.text}
          other={other}
          // Rows that meet this one alone.
          count={beside.others.length === 1 ? (counts?.["all"] ?? null) : undefined}
          remove={() => ask(beside.without(other))}
        />
      ))}
      {[...inSight, ...chosen].map(chip)}
      {rest.length > 0 && (
        <Menu kind="more-filters" name="More">
          {() => <div class="filters">{rest.map(chip)}</div>}
        </Menu>
      )}
    </div>
  );
}

/** A condition of the query; a click shows the other rows again. */
function ConditionChip(props: { other: OtherCondition; count: number | null | undefined; remove: () => void }) {
  const { other, count, remove } = props;
  return (
    <button type="button" class="group-chip" aria-pressed="true" onClick={remove}>
      <bdi>{conditionWords(other)}</bdi> {count !== undefined && <FilterCount count={count} />}{" "}
      <span aria-hidden="true">✕</span>
      <span class="unseen">, show the others too</span>
    </button>
  );
}

/** A group in words; anything else as it stands in the query. */
function conditionWords({ condition, text }: OtherCondition): string {
  if (condition.ask !== "group" || condition.isNot) return text;
  return condition.groups.map(groupWords).join(" or ");
}

function FilterCount({ count }: { count: number | null }) {
  return <span class="count">{count === null ? "…" : number(count)}</span>;
}
