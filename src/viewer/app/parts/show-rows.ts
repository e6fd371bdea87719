import { queryOfRows } from "../../../report/query/query-edit.ts";
import type { SetAddress } from "../data/address.ts";
import type { RowsTo } from "../data/batch-address.ts";

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
