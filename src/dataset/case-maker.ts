import type { Endpoint } from "../api.ts";
import { hashText } from "../lib/hash.ts";
import { showText } from "../lib/show.ts";
import type { CaseMapping } from "../suite/suite.ts";
import type { AppError } from "../errors.ts";
import { caseInput, inputText, isBlank } from "./case-input.ts";
import { caseShape } from "./case-shape.ts";
import type { CaseShape } from "./case-shape.ts";
import type { Case, RowPlace } from "./case.ts";
import { placeOfCell } from "./cell-place.ts";
import { fileColumn } from "./column.ts";
import type { FindingList, NewFinding } from "./finding.ts";
import { KeyTable } from "./key-table.ts";
import type { Row } from "./row.ts";
import { expectedOfTurn } from "./turns.ts";

export interface CaseMakerOptions {
  mapping: CaseMapping;
  endpoints: readonly Endpoint[];
  faults: FindingList;
  skipInvalid?: boolean;
  onSkipped?: (message: string) => void;
  onNotice: (message: string) => void;
  /** Told of every column that the mapping names and a file does not have, and other faults of the mapping. */
  onProblems: (problems: AppError[], file: string) => void;
  /** Every row has a column with the name of its file. */
  withFile: boolean;
}

/** Makes cases of rows, file by file, and remembers keys over all of them. What is wrong goes to the list of faults. */
export class CaseMaker {
  readonly #options: CaseMakerOptions;
  readonly #keys = new KeyTable();
  readonly #turns = new KeyTable();
  readonly #order = new KeyTable();
  /** Files so far, with the number of rows before each, so that a row's number over all files fits in 32 bits. */
  readonly #files: { file: string; rowsBefore: number }[] = [];
  #file = "";
  #fileName = "";
  #rowsBefore = 0;
  #lastRow = 0;
  #cases = 0;
  #rawHeader: readonly string[] | null = null;
  #shape: CaseShape | null = null;

  constructor(options: CaseMakerOptions) {
    this.#options = options;
  }

  /** The mapping for the rows that come; null before the first header, or when it is wrong. */
  get shape(): CaseShape | null {
    return this.#shape;
  }

  /** `file` is shown to people; `name` is what the column with the name of the file holds. */
  startFile(file: string, name: string): void {
    this.#rowsBefore += this.#lastRow;
    this.#lastRow = 0;
    this.#file = file;
    this.#fileName = name;
    this.#files.push({ file, rowsBefore: this.#rowsBefore });
    this.#rawHeader = null;
    this.#shape = null;
    this.#cases = 0;
  }

  /** Notes a file without rows; tells what was left aside. */
  endFile(): void {
    const { faults, onNotice } = this.#options;
    for (const remark of this.#shape?.remarks() ?? []) onNotice(`${this.#file}: ${remark}`);
    if (this.#cases > 0 || faults.count > 0) return;
    const message = "the file has no rows to send";
    faults.add({
      kind: "no-rows",
      file: this.#file,
      row: null,
      line: null,
      message,
      hint: "It needs a header and rows.",
    });
  }

  /** Looks up the columns of the rows that follow. A header with faults is noted; its rows are then passed over. */
  async useHeader(raw: readonly string[]): Promise<void> {
    if (raw === this.#rawHeader) return;
    this.#rawHeader = raw;
    const { mapping, endpoints, faults, onNotice, onProblems, withFile } = this.#options;
    const header = raw.map((name, i) => (name.trim() === "" ? `column ${i + 1}` : name));
    if (withFile && !header.includes(fileColumn)) header.push(fileColumn);
    this.#shape = null;
    const wrong = headerFaults(header, this.#file);
    for (const fault of wrong) faults.add(fault);
    if (wrong.length > 0) return;
    const { shape, problems, notices } = await caseShape({ header, mapping, endpoints, file: this.#file });
    for (const notice of notices) onNotice(notice);
    this.#shape = shape;
    if (problems.length > 0) onProblems(problems, this.#file);
  }

  /** The case of a row; null when it is left out or has a fault. */
  make(row: Row): Case | null {
    this.#lastRow = row.row;
    const shape = this.#shape;
    if (shape === null) return null;
    this.#cases++;
    if (row.cells.length < shape.header.length) row.cells.push(this.#fileName);
    const before = this.#options.faults.count;
    const made = this.#read(shape, row);
    return this.#options.faults.count > before ? null : made;
  }

  #read(shape: CaseShape, row: Row): Case | null {
    const { endpoints } = this.#options;
    const { cells } = row;
    const place = { file: this.#file, row: row.row, line: row.line };
    const columns = columnsOf(shape.header, cells);
    const text = (read: CaseShape["key"]): string | null => read?.(cells, columns) ?? null;
    try {
      const cluster = text(shape.cluster) ?? "";
      const turn = shape.turnByOrder ? this.#nextTurn(cluster) : this.#turn(text(shape.turn), place);
      // The turns of a script share the key of their row.
      const keyText = (): string => `${text(shape.key) ?? ""}${row.turns === undefined ? "" : `/${turn}`}`;
      const input = caseInput(shape, { cells, columns, turn }, (message, hint, at) => {
        this.#fault("cell", place, message, hint, at === null ? {} : inCell(shape, row, at));
      });
      if (input === null) {
        // All that is wrong with the row is told at once.
        if (shape.key !== null) this.#givenKey(keyText(), place);
        return null;
      }
      if (endpoints.includes("video-bots") && !shape.partial && isBlank(input)) return this.#blank(place);
      const canonical = inputText(shape, input);
      const inputHash = hashText(canonical, 32);
      const key =
        shape.key === null ? this.#madeKey(shape, cluster, turn, inputHash) : this.#givenKey(keyText(), place);
      if (shape.turn !== null && cluster !== "") this.#checkTurn(cluster, turn, place);
      const wanted = text(shape.expected);
      const expected = row.turns === undefined ? wanted : expectedOfTurn(wanted ?? "", turn, row.turns);
      const tags: Record<string, string> = {};
      for (const { name, at } of shape.tags) tags[name] = cells[at] ?? "";
      return {
        key,
        input,
        inputHash,
        expected: expected === "" ? null : expected,
        cluster: cluster === "" ? key : cluster,
        turn,
        tags,
        columns,
        source: place,
      };
    } catch (error) {
      if (!(error instanceof Error) || error.name !== "RenderError") throw error;
      this.#fault("template", place, `a template cannot be rendered: ${error.message}`, null);
      return null;
    }
  }

  #fault(kind: string, place: RowPlace, message: string, hint: string | null, more: Partial<NewFinding> = {}): void {
    this.#options.faults.add({ kind, ...place, message, hint, ...more });
  }

  /** Rows without a cluster are by themselves. */
  #nextTurn(cluster: string): number {
    return cluster === "" ? 1 : this.#order.count(cluster);
  }

  #turn(text: string | null, place: RowPlace): number {
    if (text === null) return 1;
    const trimmed = text.trim();
    if (/^[1-9]\d{0,8}$/.test(trimmed)) return Number(trimmed);
    this.#fault("turn", place, `the turn must be a whole number from 1, got ${showText(text)}`, null);
    return 1;
  }

  #blank(place: RowPlace): null {
    const { skipInvalid, onSkipped } = this.#options;
    const message = "blank: no prompt, audio, image or document";
    const hint = "Fill it in, or leave blank rows out with --skip-invalid.";
    if (skipInvalid === true) onSkipped?.(`${place.file}:${place.line} (row ${place.row}) is ${message}`);
    else this.#fault("blank-case", place, `the case is ${message}`, hint);
    return null;
  }

  #madeKey(shape: CaseShape, cluster: string, turn: number, inputHash: string): string {
    const alone = shape.cluster === null && shape.turn === null && !shape.turnByOrder;
    const hash = alone ? inputHash.slice(0, 16) : hashText(JSON.stringify([cluster, turn, inputHash]), 16);
    const count = this.#keys.count(hash);
    return count === 1 ? hash : `${hash}#${count}`;
  }

  #givenKey(key: string, place: RowPlace): string {
    const hint = "Every row needs a key of its own.";
    if (key.trim() === "") this.#fault("blank-key", place, "the key is blank", hint);
    else {
      const earlier = this.#keys.addOnce(key, this.#rowsBefore + place.row);
      if (earlier !== null) {
        const message = `the key ${showText(key)} is also that of ${this.rowName(earlier)}`;
        this.#fault("duplicate-key", place, message, hint);
      }
    }
    return key;
  }

  #checkTurn(cluster: string, turn: number, place: RowPlace): void {
    const earlier = this.#turns.addOnce(`${turn} ${cluster}`, this.#rowsBefore + place.row);
    if (earlier === null) return;
    const what = `turn ${turn} of ${showText(cluster)} is also that of ${this.rowName(earlier)}`;
    this.#fault("duplicate-turn", place, what, "Number the turns of a conversation 1, 2, 3 ...");
  }

  /** A row's number over all files, which fits in 32 bits. */
  numberOf(row: number): number {
    return this.#rowsBefore + row;
  }

  /** How a person is told of a row by its number over all files. */
  rowName(number: number): string {
    const found = this.#files.findLast(({ rowsBefore }) => rowsBefore < number);
    const row = `row ${number - (found?.rowsBefore ?? 0)}`;
    return found === undefined || found.file === this.#file ? row : `${row} of ${found.file}`;
  }
}

function headerFaults(header: readonly string[], file: string): NewFinding[] {
  const faults: NewFinding[] = [];
  const place = { kind: "header", file, row: null, line: 1 };
  for (const [i, name] of header.entries()) {
    const first = header.indexOf(name);
    if (first < i) {
      const message = `the columns ${first + 1} and ${i + 1} are both named ${showText(name)}`;
      faults.push({ ...place, column: name, message, hint: "Rename one of them." });
    }
    if (name === "__proto__") {
      faults.push({ ...place, column: name, message: `a column must not be named ${name}`, hint: "Rename it." });
    }
  }
  return faults;
}

function inCell(shape: CaseShape, row: Row, at: number): Partial<NewFinding> {
  return { ...placeOfCell(row, at), column: shape.header[at] ?? null };
}

function columnsOf(header: readonly string[], cells: readonly string[]): Record<string, string> {
  const columns: Record<string, string> = {};
  for (let i = 0; i < header.length; i++) columns[header[i] ?? ""] = cells[i] ?? "";
  return columns;
}
