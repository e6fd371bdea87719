import { counted, number } from "../../../report/words/quantity.ts";
import type { Address, SetAddress } from "../data/address.ts";
import { Menu } from "./menu.tsx";
import { useOpenFirst } from "./open-first.ts";
import type { Actions, ListQuery, RowList, Source } from "../data/source.ts";

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
