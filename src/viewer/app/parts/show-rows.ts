import type { SetAddress } from "../data/address.ts";

/** Narrows the rows down and brings the list in sight. */
export function showRows(setAddress: SetAddress, change: Parameters<SetAddress>[0]): void {
  setAddress({ view: "rows", show: "all", tags: [], text: "", group: [], labelled: "any", ...change });
  requestAnimationFrame(() => document.getElementById("tabs")?.scrollIntoView({ block: "start" }));
}
