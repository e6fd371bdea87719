import type { ComponentChildren } from "preact";
import type { AddressSort } from "../data/address.ts";
import { SortIcon } from "../parts/icons.tsx";
import { sidePlaces } from "../parts/side-places.ts";
import type { RowList } from "../data/source.ts";
import { useReport } from "../parts/report.tsx";
import { TargetMark } from "../parts/target-mark.tsx";
import { TargetName } from "../parts/target-name.tsx";
import { ScoreHeads } from "./score-head.tsx";
import { directionOf, headSorts, nextSort, sortName } from "./row-sorts.ts";

/** The heads of the columns: a click sorts by one. */
export function TableHead({ list }: { list: RowList }) {
  const { summary, candidate, address, setAddress, lookOf, nameOf } = useReport();
  const { places, compared } = sidePlaces(summary, candidate, address.isAll);
  const [baseline] = compared ? sidePlaces(summary, candidate).places : [];
  const orders = headSorts(summary, address.sort);
  // A click is a step that Back takes back.
  const sorting = { now: address.sort, choose: (sort: AddressSort) => setAddress({ sort }, true) };
  return (
    <div role="rowgroup" class="table-head">
      <div role="row" aria-rowindex={1} class="row">
        <SortHead orders={orders.row} {...sorting}>
          Row
        </SortHead>
        {places.map((place) => {
          const target = summary.targets[place];
          if (target === undefined) return null;
          return (
            <SortHead
              key={place}
              name={nameOf(target.name)}
              orders={orders.answer}
              beside={<ScoreHeads side={place} list={list} />}
              {...sorting}
            >
              <TargetMark look={lookOf(target.name)} />
              <TargetName name={target.name} />
              {place === baseline && <span class="note">baseline</span>}
            </SortHead>
          );
        })}
        {compared && (
          <SortHead orders={orders.change} {...sorting}>
            Change
          </SortHead>
        )}
      </div>
    </div>
  );
}

/** A head that sorts where it has orders; that of an answer has its scores beside its name. */
function SortHead(props: {
  name?: string;
  beside?: ComponentChildren;
  orders: readonly AddressSort[];
  now: AddressSort;
  choose: (sort: AddressSort) => void;
  children: ComponentChildren;
}) {
  const { name, orders, now, choose, children, beside } = props;
  const head = { role: "columnheader", class: beside === undefined ? "" : "answer-head", "aria-label": name } as const;
  if (orders.length === 0) {
    return (
      <span {...head}>
        {children}
        {beside}
      </span>
    );
  }
  const direction = orders.includes(now) ? directionOf(now) : null;
  const next = nextSort(orders, now);
  return (
    <span {...head} aria-sort={direction ?? "none"}>
      <button type="button" title={`Sort: ${sortName(next)}`} onClick={() => choose(next)}>
        {children}
        {direction !== null && <SortIcon isUp={direction === "ascending"} />}
      </button>
      {beside}
    </span>
  );
}
