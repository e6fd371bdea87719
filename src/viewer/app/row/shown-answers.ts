import type { ReportRun } from "../../../report/shape/model.ts";
import type { TargetLook } from "../parts/target-colour.ts";
import { alignedRows, type AlignedRow } from "./aligned.ts";
import type { AnswerRow } from "./answer-text.tsx";
import { textDiff } from "./diff.ts";
import { type Form, prettyJson } from "./forms.ts";

/** One answer of those that stand side by side. */
export interface AnswerSide {
  /** Place of its target. */
  place: number;
  name: string;
  /** Null where nobody shall know whose it is. */
  look: TargetLook | null;
  /** Its letter in blind judging, once the names are shown; null: it has none. */
  letter: "A" | "B" | null;
  role: "baseline" | "candidate" | null;
  run: ReportRun | undefined;
}

/** The rows of each side, and how the comparison of the texts went. */
export interface ShownAnswers {
  /** Null: it has no answer. */
  rows: (AnswerRow[] | null)[];
  texts: (string | null)[];
  gaveUp: boolean;
  /** Two answers with the same words. */
  isAlike: boolean;
}

/** Sets answers side by side in a form: two that are compared row by row, more than two each with what differs from the baseline. */
export function shownAnswers(
  sides: readonly AnswerSide[],
  { form, expected, isWhole }: { form: Form; expected: string | null; isWhole: boolean },
): ShownAnswers {
  const texts = sides.map(({ run }) => inForm(run?.answer ?? null, form));
  const [first = null, second = null] = texts;
  if (form === "expected" && expected !== null) {
    const wanted = inForm(expected, prettyJson(expected) === null ? form : "json") ?? expected;
    const found = texts.map((text) => (text === null ? null : textDiff(wanted, text)));
    const rows = found.map((diff) => (diff === null ? null : side(alignedRows(diff.parts, true), "right")));
    return { rows, texts, gaveUp: found.some((diff) => diff?.gaveUp === true), isAlike: false };
  }
  if (form === "raw" || sides.every(({ role }) => role === null))
    return { rows: texts.map(plain(isWhole)), texts, gaveUp: false, isAlike: false };
  if (sides.length === 2 && first !== null && second !== null) {
    const { parts, gaveUp } = textDiff(first, second);
    const aligned = alignedRows(parts, isWhole);
    const isAlike = parts.every(({ changed }) => !changed);
    return { rows: [side(aligned, "left"), side(aligned, "right")], texts, gaveUp, isAlike };
  }
  return besideBaseline(sides, texts, isWhole);
}

/** Every candidate with the words that differ from the baseline; nothing folds away where it would in one alone. */
function besideBaseline(sides: readonly AnswerSide[], texts: (string | null)[], isWhole: boolean): ShownAnswers {
  const baseline = texts[sides.findIndex(({ role }) => role === "baseline")] ?? null;
  let gaveUp = false;
  const rows = sides.map(({ role }, index) => {
    const text = texts[index] ?? null;
    if (text === null || baseline === null || role !== "candidate") return plain(isWhole)(text);
    const diff = textDiff(baseline, text);
    gaveUp ||= diff.gaveUp;
    return joined(side(alignedRows(diff.parts, true), "right"));
  });
  return { rows, texts, gaveUp, isAlike: false };
}

function inForm(text: string | null, form: Form): string | null {
  if (text === null || (form !== "json" && form !== "expected")) return text;
  return prettyJson(text) ?? text;
}

const side = (rows: readonly AlignedRow[], which: "left" | "right"): AnswerRow[] =>
  rows.map((row) => ({ pieces: row[which], isFolded: row.isFolded }));

/** An answer that nothing is compared with. */
const plain =
  (isWhole: boolean) =>
  (text: string | null): AnswerRow[] | null =>
    text === null ? null : side(alignedRows([{ left: text, right: text, changed: false }], isWhole), "left");

const joined = (rows: readonly AnswerRow[]): AnswerRow[] => [
  { pieces: rows.flatMap(({ pieces }) => pieces), isFolded: false },
];
