import { counted, number } from "../../../report/words/quantity.ts";
import type { Address, SetAddress } from "../data/address.ts";
import { Menu } from "./menu.tsx";
import type { Actions, ListQuery, RowList, Source } from "../data/source.ts";
import { useEffect, useState } from "preact/hooks";

interface Given {
  source: Source;
  list: RowList;
  query: ListQuery;
  address: Address;
  setAddress: SetAddress;
}

/** Number of rows that were found, told to screen readers too, and what can be done with them. */
export function Found({ source, list, query, address, setAddress }: Given) {
  const { show, tags, text, group, labelled } = address;
  const narrowed = show !== "all" || tags.length > 0 || text !== "" || group.length > 0 || labelled !== "any";
  const openFirst = useOpenFirst(source.actions !== null, address.row);
  return (
    <div class="found">
      <p role="status" aria-live="polite">
        {list.matched === null ? "Searching ..." : counted(list.matched, "row")}
        {narrowed && ` of ${number(source.total)}`}
        {source.ready() < source.total && ` (reading: ${number(source.ready())} of ${number(source.total)})`}
        {openFirst !== "" && <b> {openFirst}</b>}
      </p>
      {narrowed && (
        <button
          type="button"
          class="link"
          onClick={() => setAddress({ show: "all", tags: [], text: "", group: [], labelled: "any" })}
        >
          Show all
        </button>
      )}
      {source.actions !== null && (
        <Exports query={query} batch={source.summary.batch} exportAddress={source.actions.exportAddress} />
      )}
    </div>
  );
}

function Exports(given: { query: ListQuery; batch: string; exportAddress: Actions["exportAddress"] }) {
  const { query, batch, exportAddress } = given;
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
export function MissingRows({ source }: { source: Source }) {
  const leftOut = source.summary.cases - source.total;
  if (leftOut <= 0) return null;
  return (
    <p class="quiet">
      {counted(leftOut, "row")} with little or no change {leftOut === 1 ? "is" : "are"} not in this file, to keep it
      small; tandem view shows them all.
    </p>
  );
}

/** Keys that judge a row that is open. */
const judging = new Set(["g", "b", "n", "1", "2", "0"]);

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
