import { useCallback, useEffect, useRef } from "preact/hooks";
import type { Address } from "../data/address.ts";
import type { RowList } from "../data/source.ts";

interface Props {
  list: RowList;
  address: Pick<Address, "row" | "view">;
  openRow: (row: string) => void;
}

/** Moves through rows by keys, whether one is open or not; the list stands where somebody looks. */
export function useMoves(given: Props): {
  /** Opens the row so many places below the one that is open, or moves between the lines of the list. */
  step: (by: 1 | -1) => void;
  /** Gives the focus to the line of a row that was closed. False: the list does not have it, or is not there. */
  standAt: (row: string) => boolean;
} {
  const now = useRef(given);
  now.current = given;
  useOpenInSight(given);
  const step = useCallback((by: 1 | -1): void => {
    const { list, address, openRow } = now.current;
    if (address.row === null) {
      document.dispatchEvent(new CustomEvent("tandem:step", { detail: by }));
      return;
    }
    const at = list.indexOf(address.row);
    const next = list.head(at === null ? 0 : at + by);
    if (next !== null) openRow(next.key);
  }, []);
  const standAt = useCallback((row: string): boolean => {
    const { list, address } = now.current;
    const at = list.indexOf(row);
    if (at === null || address.view !== "rows") return false;
    document.dispatchEvent(new CustomEvent("tandem:left", { detail: at }));
    return true;
  }, []);
  return { step, standAt };
}

/** The list beside follows the row that is open. */
function useOpenInSight({ list, address: { row } }: Props): void {
  const shown = useRef("");
  const at = row === null ? null : list.indexOf(row);
  useEffect(() => {
    // Rows that arrive move it to another place.
    const place = at === null ? "" : `${at} ${row}`;
    if (at !== null && shown.current !== place) {
      document.dispatchEvent(new CustomEvent("tandem:show", { detail: at }));
    }
    shown.current = place;
  }, [at, row]);
}
