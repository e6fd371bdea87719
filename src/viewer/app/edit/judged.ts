import { useEffect, useState } from "preact/hooks";
import type { RowJudged } from "../../api.ts";
import type { Actions } from "../data/source.ts";

const nothing: RowJudged = { labels: {}, votes: [] };

/** Judgements of people on the answers of a row, read again after each change. */
export function useRowJudged(actions: Actions | null, rowKey: string): [RowJudged, () => void] {
  const [judged, setJudged] = useState(nothing);
  const [version, again] = useState(0);
  useEffect(() => {
    let wanted = true;
    void actions?.judged(rowKey).then((found) => wanted && setJudged(found));
    return () => {
      wanted = false;
    };
  }, [actions, rowKey, version]);
  return [judged, () => again((times) => times + 1)];
}
