import { useEffect, useRef, useState } from "preact/hooks";
import { type Labelled, labelledChoices } from "../../api.ts";
import { type Address, type Show, type AddressSort, sorts, type SetAddress } from "../data/address.ts";
import { number, counted } from "../../../report/words/quantity.ts";
import { RowTable } from "./row-table.tsx";
import type { ListQuery, RowList, Source } from "../data/source.ts";
import { TagChoices } from "./tag-choices.tsx";

/** The name of each filter, and what it finds. */
const showNames: Record<Show, [name: string, meaning: string]> = {
  all: ["All", "Every row"],
  worse: ["Worse", "The candidate scores lower than the baseline, or has an error where the baseline answered"],
  better: ["Better", "The candidate scores higher than the baseline"],
  failed: ["Failed", "Some run does not pass the first metric"],
  passed: ["Passed", "Every run passes the first metric"],
  errors: ["Errors", "Some run has no usable answer"],
  slow: ["Slowest 5 %", "The twentieth of the rows that took longest"],
  different: ["Any difference", "The answers are not the same, if only by a word"],
  changed: ["Changed more than the baseline varies", "More than the baseline varies by itself, from run to run"],
  flaky: ["Flaky", "The same question passes once and fails once, or began to"],
  members: ["Output fields changed", "Parts of the output beside the answer changed"],
};

/** Filters by what is compared, and by what became of one target. */
const comparedShows: readonly Show[] = ["all", "worse", "better", "errors", "different", "changed", "flaky", "members"];
const aloneShows: readonly Show[] = ["all", "failed", "passed", "errors", "slow", "flaky"];

const labelledNames: Record<Labelled, string> = {
  any: "Labelled or not",
  yes: "Labelled",
  no: "Not labelled",
};

const sortNames: Record<AddressSort, string> = {
  rank: "Most telling first",
  place: "As in the dataset",
  distance: "Most different first",
  score: "Lowest score first",
  slow: "Slowest first",
};

/** Every row: what narrows them down, and the list. */
export function Rows(given: {
  source: Source;
  list: RowList;
  query: ListQuery;
  version: number;
  address: Address;
  candidate: number;
  setAddress: SetAddress;
}) {
  const { source, list, query, version, address, candidate, setAddress } = given;
  const { summary } = source;
  const compared = summary.candidates.length > 0;
  const passes = summary.metrics[0]?.passes === true;
  const alone = aloneShows.filter((show) => passes || (show !== "failed" && show !== "passed"));
  const offered = compared ? comparedShows : alone;
  // While a list is asked for, the counts of the last one stand.
  const counts = useRef(list.counts);
  counts.current = list.counts ?? counts.current;
  return (
    <section id="rows" aria-label="Rows">
      <div class="toolbar">
        <div class="find">
          <Search text={address.text} setText={(text) => setAddress({ text })} />
          <TagChoices tags={summary.tags} chosen={address.tags} choose={(tags) => setAddress({ tags })} />
          <Choices source={source} address={address} candidate={candidate} setAddress={setAddress} />
        </div>
        <div class="filters" role="group" aria-label="Which rows">
          {offered.map((show) => (
            <button
              key={show}
              type="button"
              aria-pressed={address.show === show}
              title={showNames[show][1]}
              onClick={() => setAddress({ show: address.show === show ? "all" : show })}
            >
              {showNames[show][0]} <FilterCount count={counts.current?.[show] ?? null} />
            </button>
          ))}
        </div>
      </div>
      <Found source={source} list={list} query={query} address={address} setAddress={setAddress} />
      <RowTable
        source={source}
        list={list}
        version={version}
        address={address}
        candidate={candidate}
        setAddress={setAddress}
      />
    </section>
  );
}

/** The choices that are one of several: order, labels, and the candidate where there are more. */
function Choices(given: { source: Source; address: Address; candidate: number; setAddress: SetAddress }) {
  const { source, address, candidate, setAddress } = given;
  const { candidates, pairs } = source.summary;
  return (
    <>
      <Choice
        label="Order"
        value={address.sort}
        options={sorts.map((sort) => [sort, sortNames[sort]])}
        choose={(sort) => setAddress({ sort })}
      />
      {source.labels() && (
        <Choice
          label="Labels"
          value={address.labelled}
          options={labelledChoices.map((each) => [each, labelledNames[each]])}
          choose={(labelled) => setAddress({ labelled })}
        />
      )}
      {candidates.length > 1 && (
        <Choice
          label="Candidate"
          value={candidates[candidate] ?? ""}
          options={candidates.map((name, index) => [name, `${name} against ${pairs[index]?.baseline ?? ""}`])}
          choose={(target) => setAddress({ target })}
        />
      )}
    </>
  );
}

function Choice<Value extends string>(given: {
  label: string;
  value: Value;
  options: readonly (readonly [value: Value, name: string])[];
  choose: (value: Value) => void;
}) {
  const { label, value, options, choose } = given;
  return (
    <label>
      <span class="unseen">{label}</span>
      <select
        value={value}
        onChange={({ currentTarget }) => {
          const chosen = options.find(([each]) => each === currentTarget.value);
          if (chosen !== undefined) choose(chosen[0]);
        }}
      >
        {options.map(([each, name]) => (
          <option key={each} value={each}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

function FilterCount({ count }: { count: number | null }) {
  return count === null ? null : <span class="count">{number(count)}</span>;
}

/** The text is used when typing pauses for a moment, so that no letter waits for a search. */
function Search({ text, setText }: { text: string; setText: (text: string) => void }) {
  const [typed, setTyped] = useState(text);
  const timer = useRef(0);
  useEffect(() => setTyped(text), [text]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <label class="search">
      <span class="unseen">Search in questions, answers, keys and errors</span>
      <input
        id="search"
        type="search"
        dir="auto"
        placeholder="Search all rows"
        value={typed}
        autocomplete="off"
        spellcheck={false}
        onInput={(event) => {
          const { value } = event.currentTarget;
          setTyped(value);
          clearTimeout(timer.current);
          timer.current = window.setTimeout(() => setText(value), 25);
        }}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          event.stopPropagation();
          if (typed === "") event.currentTarget.blur();
          else setText("");
        }}
      />
      <kbd aria-hidden="true">/</kbd>
    </label>
  );
}

/** Number of rows that were found, told to screen readers too; and a note on rows that the list cannot show. */
function Found(given: { source: Source; list: RowList; query: ListQuery; address: Address; setAddress: SetAddress }) {
  const { source, list, query, address, setAddress } = given;
  const { show, tags, text, labelled } = address;
  const narrowed = show !== "all" || tags.length > 0 || text !== "" || labelled !== "any";
  const leftOut = source.summary.cases - source.total;
  return (
    <div class="found">
      <p role="status" aria-live="polite">
        {list.matched === null ? "Searching ..." : counted(list.matched, "row")}
        {narrowed && ` of ${number(source.total)}`}
        {source.ready() < source.total && ` (reading: ${number(source.ready())} of ${number(source.total)})`}
      </p>
      {narrowed && (
        <button
          type="button"
          class="link"
          onClick={() => setAddress({ show: "all", tags: [], text: "", labelled: "any" })}
        >
          Show all
        </button>
      )}
      {source.actions !== null && (
        <>
          <a href={source.actions.exportAddress(query)} download="rows.csv">
            Export as CSV
          </a>
          <a href={source.actions.exportAddress(query, "runs")} download="runs.csv">
            Runs of <bdi>{source.summary.batch}</bdi> as CSV
          </a>
        </>
      )}
      {leftOut > 0 && (
        <p class="quiet">
          {counted(leftOut, "row")} with little or no change {leftOut === 1 ? "is" : "are"} not in this file, to keep it
          small; tandem view shows them all.
        </p>
      )}
    </div>
  );
}
