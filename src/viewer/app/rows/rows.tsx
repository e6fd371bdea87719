import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { sortName, sortsOf } from "./row-sorts.ts";
import { type AskedBeside, askedBeside } from "../data/asked.ts";
import type { LabelChoice } from "../../../report/query/row-terms.ts";
import { Filters } from "./filters.tsx";
import { RowTable } from "./row-table.tsx";
import { rowFilters } from "../../../report/model/row-filters.ts";
import type { ListQuery, RowList, Actions, Source } from "../data/source.ts";
import { ColumnChoice } from "./column-choice.tsx";
import { QueryBox, QueryWords } from "./query-box.tsx";
import { useReport } from "../parts/report.tsx";
import { counted, number } from "../../../report/say/quantity.ts";
import { uncountedLines } from "../../../report/say/validity.ts";
import { Menu } from "../parts/menu.tsx";

const labelledNames: [choice: "any" | LabelChoice, name: string][] = [
  ["any", "Labelled or not"],
  ["yes", "Labelled"],
  ["no", "Not labelled"],
  ["good", "Labelled good"],
  ["bad", "Labelled bad"],
  ["comment", "With a comment"],
];

/** Every row: what narrows them down, and the list. */
export function Rows({ list, query, version }: { list: RowList; query: ListQuery; version: number }) {
  const { source, summary, address, candidate, setAddress } = useReport();
  // While a list is asked for, the counts of the last one stand, at first those of all rows: nothing moves when it comes.
  const counts = useRef(list.counts ?? wholeCounts(source, candidate));
  counts.current = list.counts ?? counts.current;
  const beside = useMemo(() => askedBeside(summary, candidate, address.text), [summary, candidate, address.text]);
  // A click is a step that Back takes back; what is typed is not one for each letter.
  const ask = (text: string): void => setAddress({ text }, true);
  return (
    <section id="rows" aria-label="Rows">
      {uncountedLines(summary).map((line) => (
        <p key={line} class="uncounted">
          <span aria-hidden="true">! </span>
          {line}
        </p>
      ))}
      <div class="toolbar">
        <div class="find">
          <QueryBox text={address.text} setText={(text) => setAddress({ text })} />
          <Choices beside={beside} ask={ask} />
        </div>
        <div class="narrow">
          <Filters summary={summary} beside={beside} counts={counts.current} ask={ask} />
          <Found list={list} query={query} ask={ask} />
        </div>
      </div>
      <MissingRows />
      <RowTable list={list} version={version} />
    </section>
  );
}

/** Number of rows that each filter finds among all; null: not known yet. */
function wholeCounts(source: Source, candidate: number): Record<string, number> | null {
  const found = rowFilters.map((filter) => [filter, source.count(filter, candidate)] as const);
  const known = found.flatMap(([filter, rows]) => (rows === null ? [] : [[filter, rows] as const]));
  return known.length < found.length ? null : Object.fromEntries([["all", source.total], ...known]);
}

/** The choices that are one of several: order, labels, and the candidate where there are more. */
function Choices({ beside, ask }: { beside: AskedBeside; ask: (text: string) => void }) {
  const { source, summary, address, candidate, nameOf, setAddress } = useReport();
  const { candidates, pairs, targets } = summary;
  return (
    <>
      <Choice
        label="Order"
        value={address.sort}
        options={sortsOf(source, candidate).map((sort) => [sort, sortName(sort)] as const)}
        choose={(sort) => setAddress({ sort })}
      />
      {source.labels() && (
        <Choice
          label="Labels"
          value={beside.labelled ?? "any"}
          options={labelledNames}
          choose={(choice) => ask(beside.withLabelled(choice === "any" ? null : choice))}
        />
      )}
      {targets.length > 2 && (
        <Choice
          label="Targets in the list"
          value={address.isAll ? "all" : "two"}
          options={[
            ["two", "Two targets"],
            ["all", `All ${targets.length} side by side`],
          ]}
          choose={(which) => setAddress({ isAll: which === "all" })}
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

function Choice<Value extends string>(props: {
  label: string;
  value: Value;
  options: readonly (readonly [value: Value, name: string])[];
  choose: (value: Value) => void;
}) {
  const { label, value, options, choose } = props;
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

/** Number of rows that were found, told to screen readers too, and what can be done with them. */
function Found({ list, query, ask }: { list: RowList; query: ListQuery; ask: (text: string) => void }) {
  const { source, summary, address } = useReport();
  const narrowed = address.text.trim() !== "";
  const openFirst = useOpenFirst(source.actions !== null, address.row);
  const matched = list.matched ?? (narrowed || source.ready() < source.total ? null : source.total);
  return (
    <div class="found">
      <p role="status" aria-live="polite">
        {list.failure !== null && list.matched === null
          ? `The rows cannot be read. ${list.failure}`
          : matched === null
            ? "Searching ..."
            : counted(matched, "row")}
        {narrowed && matched !== null && ` of ${number(source.total)}`}
        {source.ready() < source.total && ` (reading: ${number(source.ready())} of ${number(source.total)})`}
        {openFirst !== "" && <b> {openFirst}</b>}
      </p>
      {narrowed && (
        <button type="button" class="link" onClick={() => ask("")}>
          Show all
        </button>
      )}
      <ColumnChoice />
      {source.actions !== null && (
        <Exports query={query} batch={summary.batch} exportAddress={source.actions.exportAddress} />
      )}
      <QueryWords />
    </div>
  );
}

function Exports(props: { query: ListQuery; batch: string; exportAddress: Actions["exportAddress"] }) {
  const { query, batch, exportAddress } = props;
  return (
    <Menu kind="exports" name="Export">
      {() => (
        <div>
          <a href={exportAddress(query)} download="rows.csv">
            These rows as CSV
          </a>
          <a href={exportAddress(query, "runs")} download="runs.csv">
            Runs of <bdi>{batch}</bdi> as CSV
          </a>
        </div>
      )}
    </Menu>
  );
}

/** A note on rows that a file does not have. */
function MissingRows() {
  const { source } = useReport();
  const leftOut = source.summary.cases - source.total;
  if (leftOut <= 0) return null;
  return (
    <p class="quiet">
      {source.view !== null && source.total < source.view
        ? `This file holds ${number(source.total)} of the ${counted(source.view, "row")} of a view that was saved, to keep it small: rows with little or no change are left out first. tandem view shows all of them.`
        : source.view !== null
          ? `This file holds ${number(source.total)} of ${counted(source.summary.cases, "row")}: those of a view that was saved. tandem view shows all of them.`
          : `${counted(leftOut, "row")} with little or no change ${leftOut === 1 ? "is" : "are"} not in this file, to keep it small; tandem view shows them all.`}
    </p>
  );
}

/** Keys that judge a row that is open. */
const judging = new Set(["g", "b", "n"]);

/** A word to who judges a row that is marked in the list but not open; empty: nobody does. */
function useOpenFirst(canJudge: boolean, openRow: string | null): string {
  const [said, say] = useState("");
  useEffect(() => {
    say("");
    if (!canJudge || openRow !== null) return;
    const press = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): void => {
      if (ctrlKey || metaKey || altKey) return;
      const isMarked = document.activeElement?.matches("[data-row]") === true;
      say(isMarked && judging.has(key) ? "Open the row first: Enter" : "");
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [canJudge, openRow]);
  return said;
}
