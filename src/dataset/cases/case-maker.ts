import { endpointOf } from "../../api/endpoints.ts";
import type { JsonObject } from "../../lib/json.ts";
import { hashText } from "../../lib/hash.ts";
import { showText } from "../../lib/show.ts";
import type { FileSettings } from "../../suite/suite.ts";
import type { AppError } from "../../errors.ts";
import { caseInput, inputFiles, inputText, isEmpty, namesFiles } from "./case-input.ts";
import { caseShape, type CaseShape } from "./case-shape.ts";
import type { Case, RowPlace } from "../case.ts";
import { CaseFiles } from "../files/case-files.ts";
import { placeOfCell } from "../table/cell-place.ts";
import { failedFormula } from "../table/failed-formula.ts";
import { fileColumn } from "../../lib/file-column.ts";
import type { ReadDatasetOptions } from "../read-options.ts";
import type { FindingList, NewFinding } from "../finding.ts";
import { headerFaults } from "../table/header-faults.ts";
import { RowNumbers } from "../table/row-numbers.ts";
import type { Row } from "../row.ts";
import { storedAnswers } from "./stored.ts";
import type { TurnOrder } from "./turn-order.ts";
import { ofTurn } from "../table/turns.ts";
import { KeyTable } from "../table/key-table.ts";

/** Parts that a made key is hashed from. */
interface Made {
  cluster: string;
  turn: number;
  inputHash: string;
  /** The dataset has neither clusters nor turns. */
  alone: boolean;
}

/** Takes a fault; `use` is the mapping's word for the column that it is about. */
type OnFault = (kind: string, use: string, message: string, hint: string) => void;

/** Remembers the keys and turns of all rows: no two may be the same. Memory is a few bytes for each. */
class CaseIdentity {
  readonly #rows: RowNumbers;
  readonly #onFault: OnFault;
  readonly #keys = new KeyTable();
  readonly #turns = new KeyTable();
  readonly #order = new KeyTable();

  constructor(rows: RowNumbers, onFault: OnFault) {
    this.#rows = rows;
    this.#onFault = onFault;
  }

  /** The number of the next row of a cluster; rows without a cluster are by themselves. */
  nextTurn(cluster: string): number {
    return cluster === "" ? 1 : this.#order.count(cluster);
  }

  /** A key for a row that has none; repetitions get #2, #3. */
  made({ cluster, turn, inputHash, alone }: Made): string {
    const hash = alone ? inputHash.slice(0, 16) : hashText(JSON.stringify([cluster, turn, inputHash]), 16);
    const count = this.#keys.count(hash);
    return count === 1 ? hash : `${hash}#${count}`;
  }

  /** Notes a key that is blank, or that another row has. */
  checkKey(key: string, place: RowPlace): void {
    const hint = "Every row needs a key of its own.";
    if (key.trim() === "") {
      this.#onFault("blank-key", "case.key", "the key is blank", hint);
      return;
    }
    const earlier = this.#keys.addOnce(key, this.#rows.numberOf(place.row));
    if (earlier === null) return;
    const message = `the key ${showText(key)} is also that of ${this.#rows.nameOf(earlier)}`;
    this.#onFault("duplicate-key", "case.key", message, hint);
  }

  checkTurn(cluster: string, turn: number, place: RowPlace): void {
    const earlier = this.#turns.addOnce(`${turn} ${cluster}`, this.#rows.numberOf(place.row));
    if (earlier === null) return;
    const what = `turn ${turn} of ${showText(cluster)} is also that of ${this.#rows.nameOf(earlier)}`;
    this.#onFault("duplicate-turn", "case.turn", what, "Number the turns of a conversation 1, 2, 3 ...");
  }
}

export interface CaseMakerOptions extends Pick<
  ReadDatasetOptions,
  "mapping" | "endpoints" | "asksItself" | "stored" | "named" | "checks" | "skipInvalid" | "onSkipped" | "onColumns"
> {
  /** The turns of rows by their times; null: as they stand. */
  order: TurnOrder | null;
  faults: FindingList;
  onNotice: (message: string) => void;
  /** Takes faults of the mapping, such as a column that it names and a file does not have. */
  onProblems: (problems: AppError[], file: string) => void;
  /** Where files are that cells name. */
  files?: FileSettings | undefined;
  /** Every row has a column with the name of its file. */
  withFile: boolean;
}

/** Makes cases of rows, file by file, and remembers keys over all of them. Faults go to the list. */
export class CaseMaker {
  readonly rows = new RowNumbers();
  readonly #options: CaseMakerOptions;
  readonly #identity: CaseIdentity;
  readonly #files: CaseFiles | null;
  #file = "";
  #fileName = "";
  #cases = 0;
  #row: Row | null = null;
  #rawHeader: readonly string[] | null = null;
  #shape: CaseShape | null = null;
  /** Places of the columns that are read by their names. */
  #named: ReadonlySet<number> = new Set();
  /** The cells with errors that were told last: the turns of a script share those of their row. */
  #toldFailed: Row["failed"];

  constructor(options: CaseMakerOptions) {
    this.#options = options;
    this.#files = options.files === undefined ? null : new CaseFiles(options.files, options.endpoints);
    this.#identity = new CaseIdentity(this.rows, (kind, use, message, hint) => this.#faultOf(kind, use, message, hint));
  }

  /** The mapping for the rows that come; null before the first header, or when it is wrong. */
  get shape(): CaseShape | null {
    return this.#shape;
  }

  /** `file` is shown to people; `name` is what the column with the name of the file holds. */
  startFile(file: string, name: string): void {
    this.rows.startFile(file);
    this.#file = file;
    this.#fileName = name;
    this.#rawHeader = null;
    this.#shape = null;
    this.#cases = 0;
    this.#files?.nextDataset();
  }

  /** Notes a file without rows; tells what was left aside. */
  endFile(): void {
    const { faults, onNotice } = this.#options;
    for (const remark of this.#shape?.remarks() ?? []) onNotice(`${this.#file}: ${remark}`);
    if (this.#cases > 0 || faults.count > 0) return;
    const message = "the file has no rows to send";
    const hint = "It needs a header and rows.";
    faults.add({ kind: "no-rows", file: this.#file, row: null, line: null, message, hint });
  }

  /** Looks up the columns of the rows that follow. A header with faults is noted; its rows are then passed over. */
  async useHeader(raw: readonly string[]): Promise<void> {
    if (raw === this.#rawHeader) return;
    this.#rawHeader = raw;
    const { faults, onNotice, onProblems, withFile } = this.#options;
    const header = raw.map((name, i) => (name.trim() === "" ? `column ${i + 1}` : name));
    if (withFile && !header.includes(fileColumn)) header.push(fileColumn);
    this.#shape = null;
    const wrong = headerFaults(header, this.#file);
    for (const fault of wrong) faults.add(fault);
    if (wrong.length > 0) return;
    const { shape, problems, notices } = await caseShape({ ...this.#options, header, file: this.#file });
    for (const notice of notices) onNotice(notice);
    this.#shape = shape;
    this.#named = new Set((this.#options.named ?? []).map((name) => header.indexOf(name)));
    const used = [...shape.uses].toSorted(([a], [b]) => a - b);
    this.#options.onColumns?.(
      this.#file,
      used.map(([at, uses]) => ({ column: header[at] ?? "", uses })),
    );
    if (problems.length > 0) onProblems(problems, this.#file);
  }

  /** The case of a row; null when it is left out or has a fault. */
  make(row: Row): Case | null {
    this.rows.note(row.row);
    const shape = this.#shape;
    if (shape === null) return null;
    this.#cases++;
    if (row.cells.length < shape.header.length) row.cells.push(this.#fileName);
    const before = this.#options.faults.count;
    const made = this.#read(shape, row);
    return this.#options.faults.count > before ? null : made;
  }

  #read(shape: CaseShape, row: Row): Case | null {
    const place = { file: this.#file, row: row.row, line: row.line };
    this.#row = row;
    try {
      return this.#case(shape, row, place);
    } catch (error) {
      if (!(error instanceof Error) || error.name !== "RenderError") throw error;
      this.#fault("template", place, `a template cannot be rendered: ${error.message}`, null);
      return null;
    }
  }

  #case(shape: CaseShape, row: Row, place: RowPlace): Case | null {
    const { cells } = row;
    const columns = columnsOf(shape.header, cells);
    const text = (read: CaseShape["key"]): string | null => read?.(cells, columns) ?? null;
    const onCell = (message: string, hint: string | null, at: number | null): void =>
      this.#fault("cell", place, message, hint, at === null ? {} : inCell(shape, row, at));
    if (this.#hasFailed(shape, row, (at) => shape.uses.has(at) || this.#named.has(at))) return null;
    const cluster = text(shape.cluster) ?? "";
    const reported = shape.turnByOrder ? this.#turnByOrder(cluster, place) : this.#turn(text(shape.turn));
    const turn = reported ?? 1;
    // The turns of a script share the key of their row.
    const given = shape.key === null ? null : `${text(shape.key) ?? ""}${row.turns === undefined ? "" : `/${turn}`}`;
    const input = caseInput(shape, { cells, columns, turn, files: this.#files }, onCell);
    // All that is wrong with the row is told at once.
    const checks = shape.checks?.({ cells, columns, row: place.row }, onCell) ?? null;
    const checked = row.failed === undefined ? [] : (checks?.scorers ?? []).flatMap((own) => this.#columnsOf(own));
    if (this.#hasFailed(shape, row, (at) => checked.includes(shape.header[at] ?? ""))) return null;
    if (input === null) {
      if (given !== null) this.#identity.checkKey(given, place);
      return null;
    }
    const files = this.#files === null ? [] : inputFiles(shape, input);
    const tooLarge = this.#files?.tooLarge(files.reduce((sum, { bytes }) => sum + bytes, 0)) ?? null;
    if (tooLarge !== null) {
      this.#fault("files", place, tooLarge, "Name fewer or smaller files, or raise files.max_request in the suite.");
      return null;
    }
    const missing = shape.partial ? null : this.#missing(shape, input);
    if (missing !== null) return this.#blank(place, missing);
    const inputHash = hashText(inputText(shape, input), 32);
    if (given !== null) this.#identity.checkKey(given, place);
    const alone = shape.cluster === null && shape.turn === null && !shape.turnByOrder;
    const key = given ?? this.#identity.made({ cluster, turn, inputHash, alone });
    if (shape.turn !== null && cluster !== "" && reported !== null) this.#identity.checkTurn(cluster, turn, place);
    const wanted = text(shape.expected);
    const expected = row.turns === undefined || shape.expectsByTurn ? wanted : ofTurn(wanted ?? "", turn, row.turns);
    const tags: Record<string, string> = {};
    for (const { name, at } of shape.tags) tags[name] = cells[at] ?? "";
    const stored = storedAnswers(shape.stored, { cells, columns, turn, turns: row.turns });
    return {
      key,
      input,
      inputHash,
      expected: (expected ?? "").trim() === "" ? null : expected,
      cluster: cluster === "" ? key : cluster,
      turn,
      tags,
      columns,
      checks,
      ...(stored.length > 0 && { stored }),
      ...(files.length > 0 && { files: files.map(({ bytes, type }) => ({ bytes, type })) }),
      source: place,
    };
  }

  #columnsOf(check: JsonObject): readonly string[] {
    return this.#options.checks?.columnsOf(check) ?? [];
  }

  /** Notes the cells of used columns that show an error of a formula. */
  #hasFailed(shape: CaseShape, row: Row, isUsed: (at: number) => boolean): boolean {
    const place = { file: this.#file, row: row.row, line: row.line };
    const failed = [...(row.failed?.keys() ?? [])].filter(isUsed);
    if (failed.length === 0 || row.failed === this.#toldFailed) return failed.length > 0;
    this.#toldFailed = row.failed;
    for (const at of failed) {
      const fault = failedFormula(row, at);
      if (fault !== null) this.#fault(fault.kind, place, fault.message, fault.hint, inCell(shape, row, at));
    }
    return true;
  }

  /** A fault of the column that the mapping uses for something, in the row that is read. */
  #faultOf(kind: string, use: string, message: string, hint: string | null): void {
    const [shape, row] = [this.#shape, this.#row];
    if (shape === null || row === null) return;
    const at = shape.columnOf.get(use) ?? null;
    const place = { file: this.#file, row: row.row, line: row.line };
    this.#fault(kind, place, message, hint, at === null ? {} : inCell(shape, row, at));
  }

  #fault(kind: string, place: RowPlace, message: string, hint: string | null, more: Partial<NewFinding> = {}): void {
    this.#options.faults.add({ kind, ...place, message, hint, ...more });
  }

  #turnByOrder(cluster: string, { row }: RowPlace): number {
    const { order } = this.#options;
    if (order === null || cluster === "") return this.#identity.nextTurn(cluster);
    return order.turnOf(this.rows.numberOf(row));
  }

  /** null: it is none, which is noted. */
  #turn(text: string | null): number | null {
    if (text === null) return 1;
    const trimmed = text.trim();
    // Programs that know no whole numbers write 2.0.
    if (/^[1-9]\d{0,8}(?:\.0+)?$/.test(trimmed)) return Number(trimmed);
    const hint = "Number the turns 1, 2, 3 ..., or write turn: __order (with order_by for times).";
    this.#faultOf("turn", "case.turn", `the turn must be a whole number from 1, got ${showText(text)}`, hint);
    return null;
  }

  /** The things of which a case has none, although one of its endpoints needs one; null for a sound case. */
  #missing({ fields }: CaseShape, input: JsonObject): string | null {
    if (this.#options.asksItself === true) return null;
    const isFile = (field: string): boolean => fields.some(({ name, from }) => name === field && namesFiles(from));
    for (const name of this.#options.endpoints) {
      const { prompt, leavesOut } = endpointOf(name);
      const saysNothing = (field: string): boolean => isEmpty(input[field]) || leavesOut(field, isFile(field));
      if (prompt?.fields.every(saysNothing) === true) return prompt.missing;
    }
    return null;
  }

  #blank(place: RowPlace, missing: string): null {
    const { skipInvalid, onSkipped } = this.#options;
    const message = `blank: ${missing}`;
    const hint = "Fill it in, delete the row (a total, a note?), or leave blank rows out with --skip-invalid.";
    if (skipInvalid === true) onSkipped?.({ ...place, why: `is ${message}` });
    else this.#faultOf("blank-case", "case.input.input_prompt", `the case is ${message}`, hint);
    return null;
  }
}

function inCell(shape: CaseShape, row: Row, at: number): Partial<NewFinding> {
  return { ...placeOfCell(row, at), column: shape.header[at] ?? null };
}

function columnsOf(header: readonly string[], cells: readonly string[]): Record<string, string> {
  const columns: Record<string, string> = {};
  for (let i = 0; i < header.length; i++) columns[header[i] ?? ""] = cells[i] ?? "";
  return columns;
}
