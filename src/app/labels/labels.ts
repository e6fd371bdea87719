import { findNamed } from "../../dataset/table/column-names.ts";
import { FeedbackScale } from "../../dataset/import/feedback.ts";
import { FindingList, findingText } from "../../dataset/finding.ts";
import type { Sheets } from "../../dataset/sheets.ts";
import { placeOfCell } from "../../dataset/table/cell-place.ts";
import type { Row } from "../../dataset/row.ts";
import { AppError } from "../../errors.ts";
import { showText } from "../../lib/show.ts";
import { didYouMean } from "../../lib/suggest.ts";
import { cellFromSheet } from "../../report/tables/spreadsheet.ts";
import { type Batch, batchTargets } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { firstKeys } from "../../store/plan/expectation.ts";
import { drawsOf } from "../../store/scores/label-draws.ts";
import { jobFinder, type LabelEntry, writeLabels } from "../../store/scores/labels.ts";
import { latestScoring } from "../../store/scores/scores.ts";
import { canCorrect } from "./people-labels.ts";
import { answerMarks } from "./answer-marks.ts";
import { drawnAnswerIds } from "./draw-sheet.ts";
import { markColumn, markIn } from "./label-sheet.ts";

/** Names that the columns of a file of labels may have, the usual one first. */
const columns = {
  answerId: ["answer_id"],
  key: ["key", "case_key", "case", "id"],
  target: ["target"],
  repeat: ["repeat"],
  batch: ["batch"],
  label: ["label", "feedback", "verdict"],
  note: ["note", "comment", "notes", "remark"],
  author: ["author", "annotator", "labeler", "labeller", "by"],
  scorer: ["scorer", "metric"],
  mark: [markColumn],
} as const;

/** The result of an import of labels. */
export interface Imported {
  added: number;
  changed: number;
  /** They were there already. */
  same: number;
  /** Rows without a label: not filled in. */
  blank: number;
  /** Those of them that have a note, as a spreadsheet numbers them: a note is kept only beside a label. */
  notesLeft: number[];
  /** Rows whose answer has another text by now, as a spreadsheet numbers them: their labels are not stored. */
  otherText: number[];
  /** Metrics of the draws of the batch that some of these labels cannot correct, as they are not on its scale. */
  offScale: OffScale[];
}

interface OffScale {
  metric: string;
  labels: number;
  /** Ends of the scale. */
  from: number;
  to: number;
}

/**
 * Stores the labels of a CSV beside the scores of a batch, all or nothing; the same file again changes nothing.
 * Throws LABELS_INVALID with every fault and its line.
 */
export async function importLabels(
  db: Connection,
  batch: Batch,
  given: { path: string; author: string; sheets: Sheets; at: number },
): Promise<Imported> {
  const table = given.sheets.table(given.path);
  const { file } = table;
  const faults = new FindingList();
  const scale = new FeedbackScale();
  const reader = rowReader(db, batch, { ...given, file, faults });
  const read: ReadRow[] = [];
  const notesLeft: number[] = [];
  const otherText: number[] = [];
  let blank = 0;
  const { rows } = table.rows({ onNotice: () => undefined, onEmpty: () => undefined, faults, mapping: {} });
  for await (const { header, rows: page } of rows) {
    const at = columnsOf(header, file);
    for (const row of page) {
      checkBatch(row, at, { file, batch: batch.name });
      const label = reader(row, at);
      if (label === "blank") blank += 1;
      if (label === "blank" && cellFromSheet(row.cells[at.note] ?? "").trim() !== "") notesLeft.push(row.row);
      if (label === "other text") otherText.push(row.row);
      if (label === "blank" || label === "other text" || label === null) continue;
      scale.note(label.label, `${file}:${row.line} (row ${row.row})`);
      read.push(label);
    }
  }
  const entries = read.flatMap((row) => entryOf(row, scale, { file, faults, at: given.at }));
  if (faults.count > 0) throw invalid(faults);
  const counts = writeLabels(db, entries);
  const offScale = labelsOffScale(db, batch, entries);
  return { ...counts, blank, notesLeft, otherText, offScale };
}

/** Labels were drawn to correct a metric: those that cannot, such as `good` where it goes from 0 to 10, are told at once. */
function labelsOffScale(
  db: Connection,
  { id }: Batch,
  entries: readonly Pick<LabelEntry, "scorer" | "label" | "value">[],
) {
  const drawn = new Set(drawsOf(db, id).map(({ scorer }) => scorer));
  const metrics = (latestScoring(db, id)?.scorers ?? []).map(({ metric }) => metric);
  return metrics.flatMap((metric): OffScale[] => {
    const { name, scale } = metric;
    if (!drawn.has(name) || scale.kind !== "bounded") return [];
    const meant = entries.filter(({ scorer }) => scorer === "" || scorer === name);
    const labels = meant.filter((entry) => !canCorrect(entry, metric)).length;
    return labels === 0 ? [] : [{ metric: name, labels, from: scale.min, to: scale.max }];
  });
}

type Places = Record<keyof typeof columns, number>;

function columnsOf(header: readonly string[], file: string): Places {
  const at = (names: readonly string[]): number => {
    const found = findNamed(header, names);
    return found === null ? -1 : header.indexOf(found);
  };
  const places = {
    answerId: at(columns.answerId),
    key: at(columns.key),
    target: at(columns.target),
    repeat: at(columns.repeat),
    batch: at(columns.batch),
    label: at(columns.label),
    note: at(columns.note),
    author: at(columns.author),
    scorer: at(columns.scorer),
    mark: at(columns.mark),
  };
  const which = places.answerId < 0 ? (["key", "label"] as const) : (["label"] as const);
  const missing = which.filter((name) => places[name] < 0);
  if (missing.length === 0) return places;
  throw new AppError("LABELS_INVALID", `${file} has no column ${missing.join(" and no column ")}.`, {
    hint: `It has: ${header.join(", ")}. \`tandem label export\` writes a file to fill in.`,
  });
}

/** A sheet stays about the answers that were read, also when another night has answered the same cases by now. */
function checkBatch({ row, cells }: Row, at: Places, { file, batch }: { file: string; batch: string }): void {
  const other = cellFromSheet(cells[at.batch] ?? "").trim();
  if (other === "" || other === batch) return;
  const message = `${file} has labels of answers of ${showText(other)} (row ${row}), not of ${batch}.`;
  throw new AppError("LABELS_INVALID", message, {
    hint: `Name that batch before the file; or delete the column batch, if the labels are meant for the answers of ${batch}.`,
  });
}

type ReadRow = Omit<LabelEntry, "value" | "at"> & { row: Row; at: number };

/** Reads one row: the answer that it is about must be there. */
function rowReader(
  db: Connection,
  batch: Batch,
  given: { file: string; author: string; faults: FindingList },
): (row: Row, at: Places) => ReadRow | "blank" | "other text" | null {
  const targets = batchTargets(db, batch.id).map(({ name }) => name);
  const [only] = targets;
  const metrics = latestScoring(db, batch.id)?.scorers.map(({ metric }) => metric.name) ?? [];
  const find = jobFinder(db, batch.id);
  const markOf = answerMarks(db);
  let drawn: ReturnType<typeof drawnAnswerIds> | null = null;
  const keys = firstKeys(db, batch.id, 5_000);
  const seen = new Map<string, { line: number; label: string }>();
  const { file, faults } = given;
  return (row, at) => {
    const cell = (name: keyof Places): string => cellFromSheet(row.cells[at[name]] ?? "").trim();
    const fault = (name: keyof Places, message: string, hint: string | null = null): null => {
      const place = at[name] < 0 ? { line: row.line } : placeOfCell(row, at[name]);
      faults.add({ kind: name, file, row: row.row, ...place, message, hint });
      return null;
    };
    const label = cell("label");
    if (label === "") return "blank";
    const answerId = cell("answerId");
    drawn ??= answerId === "" ? null : drawnAnswerIds(db, batch);
    const ofDraw = answerId === "" ? undefined : drawn?.get(answerId);
    if (answerId !== "" && ofDraw === undefined) {
      return fault("answerId", `there is no answer ${showText(answerId)} in a draw of ${batch.name}`);
    }
    const target = cell("target") === "" && targets.length === 1 ? (only ?? "") : cell("target");
    if (ofDraw === undefined && !targets.includes(target)) {
      const what = target === "" ? "the row does not say of which target" : `there is no target ${showText(target)}`;
      return fault("target", what, didYouMean(target, targets) ?? `The batch has: ${targets.join(", ")}.`);
    }
    const repeat = cell("repeat") === "" ? 1 : Number(cell("repeat"));
    if (!Number.isInteger(repeat) || repeat < 1) {
      return fault("repeat", `the repeat must be a whole number from 1, got ${showText(cell("repeat"))}`);
    }
    const scorer = cell("scorer");
    if (scorer !== "" && metrics.length > 0 && !metrics.includes(scorer)) {
      return fault("scorer", `there is no scorer ${showText(scorer)}`, didYouMean(scorer, metrics));
    }
    const key = row.cells[at.key] ?? "";
    const jobOf = (spelled: string) => find(spelled, target, repeat);
    const jobId = ofDraw ?? (jobOf(cellFromSheet(key)) ?? jobOf(key) ?? jobOf(cell("key")))?.jobId;
    if (jobId === undefined) {
      return fault(
        "key",
        `there is no answer of ${showText(target)} to the case ${showText(key)}${repeat > 1 ? ` in repeat ${repeat}` : ""}`,
        didYouMean(key, keys),
      );
    }
    const author = cell("author") === "" ? given.author : cell("author");
    const id = JSON.stringify([jobId, scorer, author]);
    const earlier = seen.get(id);
    if (earlier !== undefined && earlier.label !== label) {
      return fault(
        "label",
        `another label for the same answer, by the same author, is on line ${earlier.line}`,
        "Keep one of them.",
      );
    }
    seen.set(id, { line: row.line, label });
    const note = cell("note");
    const answer = markOf(jobId);
    const labelled = markIn(cell("mark"));
    if (labelled !== null && labelled !== answer) return "other text";
    return { jobId, scorer, label, note: note === "" ? null : note, author, answer, row, at: at.label };
  };
}

function entryOf(
  { row, at: cell, ...entry }: ReadRow,
  scale: FeedbackScale,
  { file, faults, at }: { file: string; faults: FindingList; at: number },
): LabelEntry[] {
  const read = scale.read(entry.label);
  if (read === null) {
    const message = `the label ${showText(entry.label)} says neither good nor bad`;
    faults.add({
      kind: "label",
      file,
      row: row.row,
      ...placeOfCell(row, cell),
      message,
      hint: "Write good or bad (also yes/no, pass/fail, 👍/👎), or a number.",
    });
    return [];
  }
  const note = [read.note, entry.note].filter((text) => text !== null).join("\n");
  return [{ ...entry, value: read.value, note: note === "" ? null : note, at }];
}

function invalid(faults: FindingList): AppError {
  const count = faults.count === 1 ? "1 fault" : `${faults.count.toLocaleString("en")} faults`;
  const more = faults.count - faults.listed.length;
  const lines = faults.listed.map((each) => `  ${findingText(each)}`);
  if (more > 0) lines.push(`  ... and ${more.toLocaleString("en")} more`);
  return new AppError("LABELS_INVALID", [`The labels cannot be stored: ${count}:`, ...lines].join("\n"), {
    hint: "No label was stored. Correct the rows and import the file again.",
    faults: faults.listed.map(({ file, line, character, message, hint }) => ({
      file,
      line,
      column: character,
      message: hint === null ? message : `${message}. ${hint}`,
    })),
  });
}
