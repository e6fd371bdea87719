import { useEffect, useState } from "preact/hooks";
import { labelWords } from "../../../report/model/label-words.ts";
import type { RowJudged } from "../../api.ts";
import type { Actions } from "../data/source.ts";
import { shared, type SharedValue } from "./shared.ts";

const nothing: RowJudged = { labels: {}, votes: [] };

type WordsOfRows = ReadonlyMap<string, readonly string[]>;

/** Labels of the rows that were open in a report, which its list that was read before does not know. */
const wordsOfReports = new WeakMap<Actions, SharedValue<WordsOfRows>>();
const noWords = shared<WordsOfRows>(new Map());

function wordsIn(actions: Actions): SharedValue<WordsOfRows> {
  const known = wordsOfReports.get(actions) ?? shared<WordsOfRows>(new Map());
  wordsOfReports.set(actions, known);
  return known;
}

/** The labels of a row: as they are now where it was open, else as the list was read. */
export function useLabelWords(
  actions: Actions | null,
  rowKey: string,
  read: readonly string[] = [],
): readonly string[] {
  const words = actions === null ? noWords : wordsIn(actions);
  return words.use().get(rowKey) ?? read;
}

function keepWords(actions: Actions, rowKey: string, { labels }: RowJudged): void {
  const words = wordsIn(actions);
  words.set(new Map(words.now()).set(rowKey, labelWords(Object.values(labels).flat())));
}

/** Judgements of people on the answers of a row, read again after each change. */
export function useRowJudged(actions: Actions | null, rowKey: string): [RowJudged, () => void] {
  const [judged, setJudged] = useState(nothing);
  const [version, again] = useState(0);
  useEffect(() => {
    let wanted = true;
    void actions?.judged(rowKey).then((found) => {
      keepWords(actions, rowKey, found);
      return wanted && setJudged(found);
    });
    return () => {
      wanted = false;
    };
  }, [actions, rowKey, version]);
  return [judged, () => again((times) => times + 1)];
}
