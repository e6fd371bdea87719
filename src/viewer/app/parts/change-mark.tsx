import type { ReportChange } from "../../../report/shape/model.ts";
import { kindWord, kindWords } from "../../../report/say/changes.ts";

const signs: Record<ReportChange["kind"], string> = {
  "error-appeared": "!",
  "error-gone": "○",
  changed: "Δ",
  "newly-flaky": "~",
  "newly-stable": "–",
  differs: "Δ",
  "within-noise": "≈",
  same: "=",
  "not-compared": "·",
};

type Props = Pick<ReportChange, "kind" | "trend"> & {
  /** False where the data decide nothing: better and worse are left out. */
  counts?: boolean;
  /** True for words that fit a column of a list. */
  isShort?: boolean;
};

/** The change of a row, in signs and words: better or worse first, then the kind of change. */
export function ChangeMark({ kind, trend, counts = true, isShort = false }: Props) {
  const reported = counts ? trend : null;
  return (
    <span class="marks">
      {reported !== null && (
        <span class={`mark ${reported}`}>
          <span aria-hidden="true">{reported === "worse" ? "▼" : "▲"}</span> {reported}
        </span>
      )}
      <span class={`mark kind-mark-${kind}`} title={isShort ? kindWords(kind) : undefined}>
        <span aria-hidden="true">{signs[kind]}</span> {isShort ? kindWord(kind) : kindWords(kind)}
      </span>
    </span>
  );
}
