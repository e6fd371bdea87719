import type { ComponentChildren } from "preact";
import type { Address, SetAddress } from "../data/address.ts";
import { showRows } from "./show-rows.ts";

/** A number or a name that leads to its rows, or opens the one that it is about. */
export function RowsLink(props: { to: Partial<Address>; setAddress: SetAddress; children: ComponentChildren }) {
  const { to, setAddress, children } = props;
  const open = (): void => (to.row === undefined ? showRows(setAddress, to) : setAddress(to, true));
  return (
    <button type="button" class="link" dir="auto" onClick={open}>
      {children}
    </button>
  );
}
