import type { ComponentChildren } from "preact";
import type { SetAddress } from "../data/address.ts";
import type { RowsTo } from "../data/batch-address.ts";
import { showRows } from "./show-rows.ts";

/** A number or a name that leads to its rows, or opens the one that it is about. */
export function RowsLink(props: { to: RowsTo; setAddress: SetAddress; children: ComponentChildren }) {
  const { to, setAddress, children } = props;
  const open = (): void => (to.row === undefined ? showRows(setAddress, to) : setAddress({ row: to.row }, true));
  return (
    <button type="button" class="link" dir="auto" onClick={open}>
      {children}
    </button>
  );
}
