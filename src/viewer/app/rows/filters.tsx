import type { ReportSummary } from "../../../report/shape/model.ts";
import { filterAbout } from "../../../report/query/row-terms.ts";
import { groupWords } from "../../../report/words/group-words.ts";
import { onMetric } from "../../../report/words/metric-words.ts";
import { number } from "../../../report/words/quantity.ts";
import { Menu } from "./menu.tsx";
import type { Address, SetAddress, Show } from "../data/address.ts";

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
};

/** Filters in sight and those behind More, by what is compared, and by what became of one target. */
const comparedShows: Offered = {
  first: ["all", "worse", "better", "errors", "different"],
  more: ["changed", "flaky", "members"],
};
/** Nothing is better or worse where the data are not complete. */
const invalidShows: Offered = { first: ["all", "errors", "different"], more: ["changed", "flaky", "members"] };
const aloneShows: Offered = { first: ["all", "failed", "passed", "errors", "slow"], more: ["flaky"] };

interface Offered {
  first: readonly Show[];
  more: readonly Show[];
}

interface Props {
  summary: ReportSummary;
  address: Address;
  /** Number of rows that each filter finds within the other conditions; null: not known yet. */
  counts: Record<string, number> | null;
  setAddress: SetAddress;
}

/** Filters of the rows, and what a link beside them narrowed the rows down to. */
export function Filters({ summary, address, counts, setAddress }: Props) {
  const passes = summary.metrics[0]?.passes === true;
  const isInvalid = summary.verdict.state === "invalid";
  const { first, more } = summary.candidates.length === 0 ? aloneShows : isInvalid ? invalidShows : comparedShows;
  // Worse and better are those of the primary metric, which is named where the verdict above is about another.
  const on = onMetric(summary.metrics[0]?.name, summary.verdict.metric).replaceAll("`", "");
  const nameOf = (show: Show): string =>
    show === "errors" && isInvalid
      ? "No answer"
      : show === "worse" || show === "better"
        ? `${showNames[show]}${on}`
        : showNames[show];
  const isOffered = (show: Show): boolean => passes || (show !== "failed" && show !== "passed");
  const chip = (show: Show) => (
    <button
      key={show}
      type="button"
      aria-pressed={address.show === show}
      title={show === "all" ? "Every row" : filterAbout[show]}
      onClick={() => setAddress({ show: address.show === show ? "all" : show })}
    >
      {nameOf(show)} <FilterCount count={counts?.[show] ?? null} />
    </button>
  );
  // A rare one that is chosen stays in sight.
  const chosen = more.filter((show) => show === address.show);
  return (
    <div class="filters" role="group" aria-label="Which rows">
      {address.group.length > 0 && <GroupChip {...{ address, counts, setAddress }} />}
      {[...first.filter(isOffered), ...chosen].map(chip)}
      {more.length > chosen.length && (
        <Menu kind="more-filters" name="More">
          {() => <div class="filters">{more.filter((show) => !chosen.includes(show)).map(chip)}</div>}
        </Menu>
      )}
    </div>
  );
}

/** The group of rows that a number beside the list led to; a click shows the others again. */
function GroupChip({ address, counts, setAddress }: Omit<Props, "summary">) {
  return (
    <button type="button" class="group-chip" aria-pressed="true" onClick={() => setAddress({ group: [] })}>
      <bdi>{groupWords(address.group)}</bdi> <FilterCount count={counts?.["all"] ?? null} />{" "}
      <span aria-hidden="true">✕</span>
      <span class="unseen">, show the others too</span>
    </button>
  );
}

function FilterCount({ count }: { count: number | null }) {
  return <span class="count">{count === null ? "…" : number(count)}</span>;
}
