import { LongText } from "../parts/long-text.tsx";
import { number } from "../../../report/say/quantity.ts";
import type { Piece } from "./aligned.ts";
import { type Stretch, withExpected } from "./expected-text.ts";

/** One row of an answer, which stands beside that of the other. */
export interface AnswerRow {
  pieces: Piece[];
  isFolded: boolean;
}

interface Props {
  rows: readonly AnswerRow[];
  role: "baseline" | "candidate" | null;
  /** Where it has the expected text. */
  found: readonly Stretch[];
  /** It is shown letter by letter. */
  isRaw: boolean;
  /** Names tell which side it is; false: what differs is marked alike in both. */
  isNamed: boolean;
  showWhole: () => void;
}

/** An answer with the words that differ, row by row. */
export function AnswerTextView({ rows, role, found, isRaw, isNamed, showWhole }: Props) {
  const Changed = !isNamed ? "mark" : role === "baseline" ? "del" : "ins";
  let start = 0;
  const isOnly = rows.length === 2 && rows[1]?.isFolded === true;
  return (
    <div class={`said text ${isRaw ? "as-it-came" : ""}`} dir="auto" style={{ gridRow: `2 / span ${rows.length}` }}>
      {rows.map(({ pieces, isFolded }, index) => {
        const [from, size] = [start, pieces.reduce((sum, { text }) => sum + text.length, 0)];
        start += size;
        if (isFolded) {
          return (
            <button key={index} type="button" class="fold" onClick={showWhole}>
              {isOnly ? `Show ${number(size)} more characters` : `Show ${number(size)} characters that are alike`}
            </button>
          );
        }
        return (
          <div key={index} class={pieces.length === 0 ? "line-of none" : "line-of"}>
            {withExpected(pieces, from, found).map(({ text, changed, expected }, at) => {
              const part = expected ? (
                <mark class="expected-here" title="The expected text">
                  {text}
                </mark>
              ) : (
                <LongText text={text} />
              );
              return changed ? <Changed key={at}>{part}</Changed> : <span key={at}>{part}</span>;
            })}
          </div>
        );
      })}
    </div>
  );
}
