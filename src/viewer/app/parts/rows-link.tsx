import type { ComponentChildren } from "preact";
import type { Address, SetAddress } from "../data/address.ts";
import { showRows } from "./show-rows.ts";

/** A number or a name that leads to its rows. */
export function RowsLink(props: { to: Partial<Address>; setAddress: SetAddress; children: ComponentChildren }) {
  const { to, setAddress, children } = props;
  return (
    <button type="button" class="link" dir="auto" onClick={() => showRows(setAddress, to)}>
      {children}
    </button>
  );
}
