import { changeWords } from "../say/changes.ts";
import { keyWords, rowWords } from "../say/names.ts";
import type { ReportFrame } from "../shape/reporter.ts";
import { fit } from "../text/width.ts";
import { questionOfRow } from "./row-figures.ts";
import { type ShownRun, shownRuns } from "./shown-runs.ts";
import type { WorstRow } from "./worst-rows.ts";

/** A row that a person should look at, as media show it that have room for whole answers. */
export interface RowToLookAt {
  /** `row 4`; empty where it is of no file. */
  place: string;
  /** The question in one line, cut. */
  title: string;
  /** Its key where that is not one that we made; else empty. */
  key: string;
  /** `newly fails`. */
  change: string;
  question: string;
  /** Null: nothing is expected. */
  expected: string | null;
  /** Baseline, then candidate; a side without a name is none. */
  sides: SideToLookAt[];
}

export interface SideToLookAt {
  name: string;
  /** `its 2nd run, which passed`; empty for the first. */
  which: string;
  outcome: string;
  /** Why scores failed it. */
  reasons: string[];
  url: string | null;
  /** The answer, or the error in place of one; null: neither. */
  text: string | null;
}

export function rowToLookAt(worst: WorstRow, frame: ReportFrame): RowToLookAt {
  const { row } = worst;
  const { baseline, candidate } = shownRuns(worst, frame);
  const question = questionOfRow(row);
  const title = question.replaceAll(/\s+/g, " ").trim();
  return {
    place: rowWords(row),
    title: title === "" ? "" : fit(title, 80),
    key: keyWords({ ...row, question: title }),
    change: changeWords(worst, frame),
    question,
    expected: row.expected === "" ? null : row.expected,
    sides: [baseline, candidate].filter(({ name }) => name !== "").map(sideOf),
  };
}

const mostReasons = 3;

function sideOf({ name, run, which }: ShownRun): SideToLookAt {
  if (run === null) return { name, which, outcome: "not run", reasons: [], url: null, text: null };
  const reasons = run.scores.flatMap((found) => (found?.pass === false && found.reason !== null ? [found.reason] : []));
  const text = run.answer ?? run.error;
  return {
    name,
    which,
    outcome: run.outcome,
    reasons: reasons.slice(0, mostReasons).map((reason) => reason.slice(0, 300)),
    url: run.url,
    text: text === null || text.trim() === "" ? null : text,
  };
}
