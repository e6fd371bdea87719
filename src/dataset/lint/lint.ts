import { showText } from "../../lib/show.ts";
import { cellWarnings } from "./cell-warnings.ts";
import type { CaseMaker } from "../cases/case-maker.ts";
import type { CaseShape } from "../cases/case-shape.ts";
import type { Case, StoredAnswer } from "../case.ts";
import { placeOfCell } from "../table/cell-place.ts";
import { readFeedback } from "../import/feedback.ts";
import type { FindingList } from "../finding.ts";
import type { CaseMapping } from "../../suite/suite.ts";
import { KeyTable } from "../table/key-table.ts";
import type { Row } from "../row.ts";
import { listInCell } from "./written-list.ts";

/** The facts about a column that names the rows it stands in. */
interface Column {
  filled: number;
  blank: number;
  values: Set<string>;
  /** Two filled cells in a row, of which the second says the same: such cells were never merged. */
  repeats: boolean;
  last: string | null;
  firstIsFilled: boolean;
  /** The first blank cell below a filled one. */
  below: Row | null;
}

/** A column that was probably exported from merged cells, and the first row that lost its value. */
interface MergedColumn {
  at: number;
  row: Row;
  filled: number;
  blank: number;
}

/** Fewer rows show nothing, and more values are not remembered. */
const fewestBlank = 2;
const mostValues = 10_000;

/**
 * Finds columns in which each value stands once, above blank cells: an export writes the value of merged cells into the
 * first of them alone. Looked at are columns that say what a row belongs to (tags, conversations) and expected answers;
 * where rows are messages, a blank conversation is that of the row above it anyway.
 */
class MergedCells {
  readonly #columns = new Map<number, Column>();
  readonly #uses: readonly string[];

  constructor({ messages }: Pick<CaseMapping, "messages">) {
    this.#uses = ["case.tags", ...(messages === undefined ? ["case.cluster"] : [])];
  }

  look({ header, uses: all, cluster }: CaseShape, row: Row): void {
    // The turns of a conversation have an expected answer where its writer wants one.
    const looked = cluster === null ? [...this.#uses, "case.expected"] : this.#uses;
    for (const [at, uses] of all) {
      // A program wrote the column, and left out what it had nothing to say of.
      if (header[at]?.startsWith("__") === true) continue;
      if (uses.some((use) => looked.includes(use))) this.#note(at, row);
    }
  }

  /** The columns of the file that was read; the next one begins anew. */
  take(): MergedColumn[] {
    const found = [...this.#columns].flatMap(([at, { filled, blank, values, repeats, firstIsFilled, below }]) => {
      const eachOnce = !repeats && values.size === filled && filled < mostValues;
      const isMerged = firstIsFilled && eachOnce && filled >= 2 && blank >= Math.max(fewestBlank, filled);
      return isMerged && below !== null ? [{ at, row: below, filled, blank }] : [];
    });
    this.#columns.clear();
    return found;
  }

  #note(at: number, row: Row): void {
    const cell = row.cells[at]?.trim() ?? "";
    const known = this.#columns.get(at);
    const column = known ?? {
      filled: 0,
      blank: 0,
      values: new Set<string>(),
      repeats: false,
      last: null,
      firstIsFilled: cell !== "",
      below: null,
    };
    if (known === undefined) this.#columns.set(at, column);
    if (cell === "") {
      column.blank += 1;
      column.below ??= row;
    } else {
      column.filled += 1;
      column.repeats ||= cell === column.last;
      if (column.values.size < mostValues) column.values.add(cell);
    }
    column.last = cell;
  }
}

const urlFields = new Set(["input_audio", "input_images", "input_documents"]);

/** A row and what it is read by. */
interface LintedRow {
  shape: CaseShape;
  file: string;
  row: Row;
}

/** Looks for what can be sent and is probably not meant, in the columns that the mapping uses. */
export class Linter {
  readonly #warnings: FindingList;
  readonly #maker: CaseMaker;
  readonly #inputs = new KeyTable();
  readonly #merged: MergedCells;

  constructor(warnings: FindingList, maker: CaseMaker, mapping: CaseMapping) {
    this.#merged = new MergedCells(mapping);
    this.#warnings = warnings;
    this.#maker = maker;
  }

  /** `made` is null when the row has a fault. */
  look(linted: LintedRow, made: Case | null): void {
    const { shape, row } = linted;
    for (const [at, uses] of shape.uses) {
      const text = row.cells[at] ?? "";
      for (const { kind, at: offset, message, hint } of cellWarnings(text)) {
        // In a workbook it is a fault.
        if (kind === "spreadsheet-error" && row.failed?.has(at) === true) continue;
        this.#warn(linted, at, offset, { kind, message, hint });
      }
      if (uses.includes("case.key") && /^\d(?:[.,]\d+)?E\+\d+$/.test(text)) {
        const message = `holds ${showText(text)}: the spreadsheet has rounded a long number`;
        this.#warn(linted, at, 0, {
          kind: "rounded-key",
          message,
          hint: "Format the column as text and enter it again.",
        });
      }
    }
    this.#merged.look(shape, row);
    if (isHeader(linted)) {
      const message = "the row is the header once more";
      this.#warn(linted, null, 0, {
        kind: "repeated-header",
        message,
        hint: "Delete it, or it is sent like any other.",
      });
    }
    if (made === null) return;
    this.#expected(linted, made);
    this.#urls(linted, made);
    for (const answer of made.stored ?? []) this.#stored(linted, answer);
    if (shape.turn === null && !shape.turnByOrder && !shape.partial) this.#duplicate(linted, made);
  }

  /** Warns of what shows only when all rows of a file were seen. */
  endFile(shape: CaseShape | null, file: string): void {
    const merged = this.#merged.take();
    if (shape === null) return;
    for (const { at, row, filled, blank } of merged) {
      const message = `is blank here and in ${(blank - 1).toLocaleString("en")} more rows, each below one of ${filled.toLocaleString("en")} values, as an export of merged cells looks`;
      const hint =
        "Only the first of merged cells keeps the value: where it is meant for the rows below too, unmerge, fill down and export again.";
      this.#warn({ shape, file, row }, at, 0, { kind: "merged-cells", message, hint });
    }
  }

  #expected(linted: LintedRow, made: Case): void {
    const { shape } = linted;
    // A row with checks of its own says what is right.
    if (shape.expected === null || made.checks !== null) return;
    const at = shape.columnOf.get("case.expected") ?? null;
    if ((made.expected ?? "").trim() !== "") {
      const list = listInCell(made);
      const subject = at === null ? "the expected answer " : "";
      if (list !== null) this.#warn(linted, at, 0, { ...list, message: `${subject}${list.message}` });
      return;
    }
    const message = at === null ? "the row has no expected answer" : "is blank: the row has no expected answer";
    const hint = "Nothing can be said about whether an answer is right.";
    this.#warn(linted, at, 0, { kind: "blank-expected", message, hint });
  }

  #urls(linted: LintedRow, { input }: Case): void {
    const { shape } = linted;
    for (const { name, from } of shape.fields) {
      if (!urlFields.has(name)) continue;
      const [first] = [from].flat();
      const at = first === undefined || "value" in first ? null : first.at;
      for (const text of [input[name]].flat()) {
        if (typeof text !== "string" || text === "" || isUrl(text)) continue;
        const message = `${at === null ? `${name} ` : ""}holds ${showText(text)}, which is not a URL`;
        const hint = `${name} needs addresses that begin with https://; several are written as ["...", "..."]. Files of your own are sent with ${name}: { column: ${shape.header[at ?? -1] ?? "NAME"}, type: file } in the suite.`;
        this.#warn(linted, at, 0, { kind: "not-a-url", message, hint });
      }
    }
  }

  /** Warns of odd things about an answer that was given before. */
  #stored(linted: LintedRow, { target, text, url, runId, label }: StoredAnswer): void {
    const at = (key: string): number | null => linted.shape.columnOf.get(`targets.${target}.${key}`) ?? null;
    if (text.trim() === "" && url === null && runId === null) {
      const hint = `The target ${target} has nothing to compare in this row.`;
      this.#warn(linted, at("answers"), 0, {
        kind: "blank-answer",
        message: "is blank: the row has no stored answer",
        hint,
      });
    }
    if (url !== null && !isUrl(url)) {
      const hint = "It is kept as it is.";
      this.#warn(linted, at("run_url"), 0, {
        kind: "not-a-url",
        message: `holds ${showText(url)}, which is not a URL`,
        hint,
      });
    }
    if (label === null || readFeedback(label) !== null) return;
    const message = `holds ${showText(label)}, which says neither good nor bad`;
    const hint = "It becomes no label; thumbs, positive and negative, good and bad, 1 and 0 or a number do.";
    this.#warn(linted, at("label"), 0, { kind: "unknown-feedback", message, hint });
  }

  #duplicate(linted: LintedRow, { inputHash }: Case): void {
    const earlier = this.#inputs.addOnce(inputHash, this.#maker.rows.numberOf(linted.row.row));
    if (earlier === null) return;
    const message = `the input is the same as that of ${this.#maker.rows.nameOf(earlier)}`;
    const hint =
      "It is sent twice, and with the same expected answer both count as one question; delete one unless it is meant.";
    this.#warn(linted, null, 0, { kind: "duplicate-input", message, hint });
  }

  /** `at` is the column, null for the whole row. */
  #warn(
    { shape, file, row }: LintedRow,
    at: number | null,
    offset: number,
    { kind, message, hint }: { kind: string; message: string; hint: string },
  ): void {
    const column = at === null ? null : (shape.header[at] ?? null);
    // Finding the character is worth it only for what is listed.
    const place =
      at === null || !this.#warnings.keeps(kind) ? { line: row.line, character: null } : placeOfCell(row, at, offset);
    const said = column === null ? message : `column ${showText(column)} ${message}`;
    this.#warnings.add({ kind, file, row: row.row, ...place, column, message: said, hint });
  }
}

/** Sheets that were put together by hand have their headers between the rows. */
function isHeader({ shape: { header }, row: { cells } }: LintedRow): boolean {
  return cells[0] === header[0] && header.every((name, i) => cells[i] === name || name.startsWith("__"));
}

function isUrl(text: string): boolean {
  return /^(?:https?:\/\/|data:)/i.test(text) && !/\s/.test(text) && URL.canParse(text);
}
