import { useCallback, useState } from "preact/hooks";
import { useFollowedAddress } from "./follow-address.ts";

/** The view of a home page or of a suite's nights, as it stands behind the # of the address. */
export interface HomeAddress {
  /** The suite whose nights are shown; null: all suites. */
  suite: string | null;
  text: string;
  order: string;
  /** The metric of the series; null: the primary one. */
  metric: string | null;
  /** The baseline, and then the candidate: a batch or pin, or `BATCH:TARGET`. */
  ticks: string[];
}

/** Shows another view of the same page. */
export type SetHome = (change: Partial<HomeAddress>) => void;

function readHomeAddress(hash: string): HomeAddress {
  const given = new URLSearchParams(hash.replace(/^#/, ""));
  return {
    suite: given.get("suite"),
    text: given.get("q") ?? "",
    order: given.get("order") ?? "",
    metric: given.get("metric"),
    ticks: given.getAll("tick").slice(0, 2),
  };
}

function writeHomeAddress({ suite, text, order, metric, ticks }: HomeAddress): string {
  const given = new URLSearchParams();
  if (suite !== null) given.set("suite", suite);
  if (text !== "") given.set("q", text);
  if (order !== "") given.set("order", order);
  if (metric !== null) given.set("metric", metric);
  for (const tick of ticks) given.append("tick", tick);
  return `#${given.toString()}`;
}

/** The address of a home page; a change takes the place of what stood there, so that Back leads to the page before. */
export function useHomeAddress(): [HomeAddress, SetHome] {
  const [address, keep] = useState(() => readHomeAddress(location.hash));
  useFollowedAddress(() => keep(readHomeAddress(location.hash)));
  const set = useCallback<SetHome>((change) => {
    const next = { ...readHomeAddress(location.hash), ...change };
    history.replaceState(history.state, "", writeHomeAddress(next));
    keep(next);
  }, []);
  return [address, set];
}
