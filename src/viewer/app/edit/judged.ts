import { useEffect, useState } from "preact/hooks";
import { labelWords } from "../../../report/model/label-words.ts";
import type { RowJudged } from "../../api.ts";
import type { Actions } from "../data/source.ts";
import { shared } from "./shared.ts";

const nothing: RowJudged = { labels: {}, votes: [] };

/** Labels of the rows that were open on this page, which a list that was read before does not know. */
const wordsOfRows = shared<ReadonlyMap<string, readonly string[]>>(new Map());
const words = new Map<string, readonly string[]>();

/** The labels of a row: as they are now where it was open, else as the list was read. */
export function useLabelWords(rowKey: string, read: readonly string[] = []): readonly string[] {
  return wordsOfRows.use().get(rowKey) ?? read;
}

function keepWords(rowKey: string, { labels }: RowJudged): void {
  words.set(rowKey, labelWords(Object.values(labels).flat()));
  wordsOfRows.set(new Map(words));
}

/** Judgements of people on the answers of a row, read again after each change. */
export function useRowJudged(actions: Actions | null, rowKey: string): [RowJudged, () => void] {
  const [judged, setJudged] = useState(nothing);
  const [version, again] = useState(0);
  useEffect(() => {
    let wanted = true;
    void actions?.judged(rowKey).then((found) => {
      keepWords(rowKey, found);
      return wanted && setJudged(found);
    });
    return () => {
      wanted = false;
    };
  }, [actions, rowKey, version]);
  return [judged, () => again((times) => times + 1)];
}
