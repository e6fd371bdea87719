import type { Piece } from "./diff.ts";
import { LongText } from "../parts/long-text.tsx";
import { number } from "../../../report/words/quantity.ts";

interface Given {
  text: string;
  /** Null: nothing is marked. */
  pieces: Piece[] | null;
  role: "baseline" | "candidate" | null;
  isWhole: boolean;
  showWhole: () => void;
}

/** Number of characters without change that stay beside a change; longer stretches fold away. */
const context = 360;
/** A text without a change is shown up to here. */
const mostAtOnce = 4000;

/** An answer with the words that differ. A long one at first shows only the text near them. */
export function AnswerTextView({ text, pieces, role, isWhole, showWhole }: Given) {
  const Changed = role === "baseline" ? "del" : "ins";
  const all = pieces ?? [{ text, changed: false }];
  return (
    <div class="text said" dir="auto">
      {all.map((piece, index) => {
        if (piece.changed)
          return (
            <Changed key={index}>
              <LongText text={piece.text} />
            </Changed>
          );
        const fold = isWhole ? null : foldOf(piece.text, { isFirst: index === 0, isLast: index === all.length - 1 });
        if (fold === null) return <LongText key={index} text={piece.text} />;
        const [before, after] = fold;
        const folded = number(piece.text.length - before.length - after.length);
        return (
          <span key={index}>
            {before}
            <button type="button" class="fold" onClick={showWhole}>
              {all.length === 1 ? `Show ${folded} more characters` : `Show ${folded} characters that are alike`}
            </button>
            {after}
          </span>
        );
      })}
    </div>
  );
}

/**
 * The two ends of a stretch without changes that stay before and after the fold; null: all of it stays. It is cut
 * between words.
 */
function foldOf(text: string, { isFirst, isLast }: { isFirst: boolean; isLast: boolean }): [string, string] | null {
  const isAll = isFirst && isLast;
  const [before, after] = isAll ? [mostAtOnce, 0] : [isFirst ? 0 : context, isLast ? 0 : context];
  if (text.length <= (before + after) * (isAll ? 1.25 : 2)) return null;
  return [text.slice(0, wordStart(text, before)), text.slice(wordStart(text, text.length - after))];
}

const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });

/** Finds the start of the word at a place; a piece of the text around it is enough to know. */
function wordStart(text: string, at: number): number {
  if (at <= 0 || at >= text.length) return at;
  const from = Math.max(0, at - 200);
  const word = segmenter.segment(text.slice(from, at + 200)).containing(at - from);
  return from + (word?.index ?? 0);
}
