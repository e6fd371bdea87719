import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { runFigure, sideFigures } from "../../report/model/run-figures.ts";
import { outcomeWords, type RowFigure } from "../../report/query/row-conditions.ts";
import type { RowFigures } from "../../report/shape/row-head.ts";
import type { ReportRow } from "../../report/shape/row.ts";

/** Rows that are held before they are written. */
const heldRows = 4096;

/** Values of one kind for all rows of an index, written as they come: what is held does not grow with the rows. */
export class ColumnFile {
  readonly #file: number;
  readonly #held: Float64Array | Uint32Array;
  /** The value of a row that was given none. */
  readonly #empty: number;
  #used = 0;
  #rows = 0;

  constructor(path: string, kind: "numbers" | "values") {
    this.#file = openSync(path, "wx", 0o600);
    this.#held = kind === "numbers" ? new Float64Array(heldRows) : new Uint32Array(heldRows);
    this.#empty = kind === "numbers" ? Number.NaN : 0;
  }

  /** Sets the value of a row; places ascend. */
  set(place: number, value: number): void {
    this.#fill(place);
    this.#push(value);
  }

  #fill(rows: number): void {
    while (this.#rows < rows) this.#push(this.#empty);
  }

  #push(value: number): void {
    if (this.#used === heldRows) this.#flush();
    this.#held[this.#used++] = value;
    this.#rows += 1;
  }

  #flush(): void {
    const bytes = Buffer.from(this.#held.buffer, 0, this.#used * this.#held.BYTES_PER_ELEMENT);
    for (let done = 0; done < bytes.length;) done += writeSync(this.#file, bytes, done);
    this.#used = 0;
  }

  /** Writes the rest, with nothing for the rows that are left. */
  end(rows: number): void {
    this.#fill(rows);
    this.#flush();
    closeSync(this.#file);
  }

  /** Leaves the file as it is. */
  close(): void {
    closeSync(this.#file);
  }
}

/** The file with a number of every row. */
export function numberFile(figure: Exclude<RowFigure, { of: "change" | "distance" }>): string {
  if (figure.of === "row" || figure.of === "turn") return `number-${figure.of}`;
  const of = figure.of === "score" ? `score-${figure.metric}` : figure.of;
  return `number-${of}-${figure.side}`;
}

export const distanceFile = (pair: number): string => `number-distance-${pair}`;
export const outcomeFile = (side: number): string => `outcome-${side}`;

/** The numbers and the outcomes of the rows of an index, each in a file of its own; one that no row has has no file. */
export class NumberFiles {
  readonly #folder: string;
  readonly #files = new Map<string, ColumnFile>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  add(place: number, row: ReportRow, { sides, changes }: RowFigures): void {
    this.#set(numberFile({ of: "row" }), place, row.row);
    this.#set(numberFile({ of: "turn" }), place, row.turn);
    for (const [pair, { distance }] of changes.entries()) this.#set(distanceFile(pair), place, distance);
    for (const [side, { runs, scores }] of row.sides.entries()) {
      for (const of of sideFigures) this.#set(numberFile({ of, side }), place, runFigure(runs[0], of));
      for (const [metric, score] of scores.entries()) {
        this.#set(numberFile({ of: "score", side, metric }), place, score?.value ?? null);
      }
      this.#set(outcomeFile(side), place, outcomeWords.indexOf(sides[side]?.outcome ?? "") + 1, "values");
    }
  }

  #set(name: string, place: number, value: number | null, kind: "numbers" | "values" = "numbers"): void {
    if (value === null) return;
    let file = this.#files.get(name);
    if (file === undefined) {
      file = new ColumnFile(join(this.#folder, name), kind);
      this.#files.set(name, file);
    }
    file.set(place, value);
  }

  end(rows: number): void {
    for (const file of this.#files.values()) file.end(rows);
  }

  close(): void {
    for (const file of this.#files.values()) file.close();
  }
}

/** Texts of one tag or column of all rows, each by its number from 1; 0: the row has none. */
export class ValueColumn {
  readonly name: string;
  readonly #file: ColumnFile;
  readonly #numbers = new Map<string, number>();
  readonly #room: { left: number };
  readonly #mostValues: number;
  #isWhole = true;

  constructor(path: string, name: string, { room, mostValues }: { room: { left: number }; mostValues: number }) {
    this.name = name;
    this.#file = new ColumnFile(path, "values");
    this.#room = room;
    this.#mostValues = mostValues;
  }

  add(place: number, text: string): void {
    if (!this.#isWhole) return;
    let number = this.#numbers.get(text);
    if (number === undefined) {
      number = this.#numbers.size + 1;
      this.#room.left -= text.length + bytesOfValue;
      if (number > this.#mostValues || this.#room.left < 0) {
        this.#isWhole = false;
        this.#numbers.clear();
        return;
      }
      this.#numbers.set(text, number);
    }
    this.#file.set(place, number);
  }

  /** The values by their numbers; null: there are too many. */
  end(rows: number): string[] | null {
    this.#file.end(rows);
    return this.#isWhole ? Array.from(this.#numbers.keys()) : null;
  }

  close(): void {
    this.#file.close();
  }
}

/** Weight of a value beside its text. */
const bytesOfValue = 32;
