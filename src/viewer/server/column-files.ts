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

/** The file of one number or outcome, which is there once a row has it. */
class Slot {
  readonly #path: string;
  readonly #kind: "numbers" | "values";
  file: ColumnFile | null = null;

  constructor(path: string, kind: "numbers" | "values" = "numbers") {
    this.#path = path;
    this.#kind = kind;
  }

  set(place: number, value: number | null): void {
    if (value === null) return;
    this.file ??= new ColumnFile(this.#path, this.#kind);
    this.file.set(place, value);
  }
}

interface SideSlots {
  figures: Slot[];
  scores: Slot[];
  outcome: Slot;
}

const outcomeNumbers: ReadonlyMap<string, number> = new Map(outcomeWords.map((word, place) => [word, place + 1]));

/**
 * The numbers and the outcomes of the rows of an index, each in a file of its own; one that no row has has no file. They are
 * found by their places: a name that is made for each number of each row takes as long as the numbers.
 */
export class NumberFiles {
  readonly #folder: string;
  readonly #all: Slot[] = [];
  readonly #row: Slot;
  readonly #turn: Slot;
  readonly #distances: Slot[] = [];
  readonly #sides: SideSlots[] = [];

  constructor(folder: string) {
    this.#folder = folder;
    this.#row = this.#slot(numberFile({ of: "row" }));
    this.#turn = this.#slot(numberFile({ of: "turn" }));
  }

  add(place: number, row: ReportRow, { sides, changes }: RowFigures): void {
    this.#row.set(place, row.row);
    this.#turn.set(place, row.turn);
    for (let pair = 0; pair < changes.length; pair++) {
      const slot = (this.#distances[pair] ??= this.#slot(distanceFile(pair)));
      slot.set(place, changes[pair]?.distance ?? null);
    }
    for (let side = 0; side < row.sides.length; side++) {
      const { figures, scores, outcome } = (this.#sides[side] ??= this.#ofSide(side));
      const own = row.sides[side];
      for (let at = 0; at < figures.length; at++)
        figures[at]?.set(place, runFigure(own?.runs[0], sideFigures[at] ?? "time"));
      for (let metric = 0; metric < (own?.scores.length ?? 0); metric++) {
        const slot = (scores[metric] ??= this.#slot(numberFile({ of: "score", side, metric })));
        slot.set(place, own?.scores[metric]?.value ?? null);
      }
      outcome.set(place, outcomeNumbers.get(sides[side]?.outcome ?? "") ?? 0);
    }
  }

  #ofSide(side: number): SideSlots {
    return {
      figures: sideFigures.map((of) => this.#slot(numberFile({ of, side }))),
      scores: [],
      outcome: this.#slot(outcomeFile(side), "values"),
    };
  }

  #slot(name: string, kind: "numbers" | "values" = "numbers"): Slot {
    const slot = new Slot(join(this.#folder, name), kind);
    this.#all.push(slot);
    return slot;
  }

  end(rows: number): void {
    for (const { file } of this.#all) file?.end(rows);
  }

  close(): void {
    for (const { file } of this.#all) file?.close();
  }
}

interface ValueLimits {
  /** Characters of the values of all columns that share it. */
  room: { left: number };
  mostValues: number;
  isTag: boolean;
}

/** Texts of one tag or column of all rows, each by its number from 1; 0: the row has none. */
export class ValueColumn {
  readonly name: string;
  readonly #file: ColumnFile;
  readonly #numbers = new Map<string, number>();
  readonly #room: { left: number };
  readonly #mostValues: number;
  readonly #isTag: boolean;
  #characters = 0;
  #isWhole = true;

  constructor(path: string, name: string, { room, mostValues, isTag }: ValueLimits) {
    this.name = name;
    this.#file = new ColumnFile(path, "values");
    this.#room = room;
    this.#mostValues = mostValues;
    this.#isTag = isTag;
  }

  add(place: number, text: string): void {
    if (!this.#isWhole) return;
    let number = this.#numbers.get(text);
    if (number === undefined) {
      number = this.#numbers.size + 1;
      this.#characters += text.length;
      this.#room.left -= text.length + bytesOfValue;
      if (number > this.#mostValues || this.#room.left < 0 || this.#areTexts(place)) {
        this.#isWhole = false;
        this.#room.left += this.#characters + number * bytesOfValue;
        this.#numbers.clear();
        return;
      }
      this.#numbers.set(text, number);
    }
    this.#file.set(place, number);
  }

  /** Most rows have a text of their own, such as a question: it is searched, and nobody chooses it or asks for more or less. */
  #areTexts(place: number): boolean {
    const values = this.#numbers.size;
    return !this.#isTag && values >= fewValues && values * 2 > place && this.#characters > values * longValue;
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

/** With fewer values it is not known whether each row has its own. */
const fewValues = 1000;
/** Characters of a value, on average, that are more than those of a number, a date or an id. */
const longValue = 30;
/** Weight of a value beside its text. */
const bytesOfValue = 32;
