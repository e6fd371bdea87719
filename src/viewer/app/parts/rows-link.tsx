import type { ComponentChildren } from "preact";
import { queryOfRows } from "../../../report/query/query-edit.ts";
import type { SetAddress } from "../data/address.ts";
import type { RowsTo } from "../data/batch-address.ts";
import { useReport } from "./report.tsx";

/** A number or a name that leads to its rows, or opens the one that it is about. */
export function RowsLink({ to, children }: { to: RowsTo; children: ComponentChildren }) {
  const { setAddress } = useReport();
  const open = (): void => (to.row === undefined ? showRows(setAddress, to) : setAddress({ row: to.row }, true));
  return (
    <button type="button" class="link" dir="auto" onClick={open}>
      {children}
    </button>
  );
}

/** Narrows the rows down and brings the list in sight; Back leads to where somebody was. */
export function showRows(setAddress: SetAddress, { target, sort, isAll, ...rows }: RowsTo): void {
  setAddress(
    {
      view: "rows",
      row: null,
      text: queryOfRows(rows),
      ...(target === undefined ? {} : { target }),
      ...(sort === undefined ? {} : { sort }),
      ...(isAll === undefined ? {} : { isAll }),
    },
    true,
  );
  requestAnimationFrame(() => document.getElementById("tabs")?.scrollIntoView({ block: "start" }));
}
