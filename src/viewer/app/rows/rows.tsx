import { useEffect, useRef, useState } from "preact/hooks";
import { type Labelled, labelledChoices } from "../../api.ts";
import { type Address, type AddressSort, sorts, type SetAddress } from "../data/address.ts";
import { Filters } from "./filters.tsx";
import { Found, MissingRows } from "./found.tsx";
import { RowTable } from "./row-table.tsx";
import type { ListQuery, RowList, Source } from "../data/source.ts";
import { TagChoices } from "./tag-choices.tsx";
import { useTargetNames } from "../parts/target-name.tsx";

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
        <div class="narrow">
          <Filters summary={summary} address={address} counts={counts.current} setAddress={setAddress} />
          <Found source={source} list={list} query={query} address={address} setAddress={setAddress} />
        </div>
      </div>
      <MissingRows source={source} />
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
  const nameOf = useTargetNames();
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
          options={candidates.map((name, index) => [
            name,
            `${nameOf(name)} against ${nameOf(pairs[index]?.baseline ?? "")}`,
          ])}
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
