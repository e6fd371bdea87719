import { isMadeKey } from "../../../compare/cases/made-key.ts";
import type { RowHead } from "../../../report/shape/row-head.ts";
import { rowWords } from "../../../report/words/row-words.ts";

/** A row as its reader knows it: its number in the sheet, what was asked, and its key unless we made that. */
export function RowTitle({ head }: { head: RowHead }) {
  return (
    <span class="what">
      {head.row !== null && <b>{rowWords(head)}</b>} <span dir="auto">{head.question}</span>{" "}
      {!(isMadeKey(head.key) && head.row !== null) && (
        <span class="quiet" dir="auto">
          {head.key}
        </span>
      )}
    </span>
  );
}
