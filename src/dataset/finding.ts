import { AppError } from "../errors.ts";
import { brief, showText } from "../lib/show.ts";

/** Something about a dataset that a person should see, and its place. */
export interface Finding {
  /** Stable name of what was found, such as `duplicate-key`. */
  kind: string;
  file: string;
  /** As a spreadsheet shows it; null for what is not about one row. */
  row: number | null;
  line: number | null;
  /** Name of the column; null for what is about the row or the file. */
  column: string | null;
  /** Place in the line, in characters from 1, where it can be had. */
  character: number | null;
  /** A sentence that says what was found, and what was got. */
  message: string;
  /** Advice on how to correct it. */
  hint: string | null;
}

/** A finding as it is noted: what is left out is null. */
export type NewFinding = Pick<Finding, "kind" | "file" | "row" | "line" | "message"> & Partial<Finding>;

/** `file:line:character (row 3): column "x": message. Hint`; a column that the message names is not named twice. */
export function findingText({ file, row, line, column, character, message, hint }: Finding): string {
  const at = line === null ? "" : `:${line}${character === null ? "" : `:${character}`}`;
  const named = column === null || message.includes(showText(column)) ? "" : `column ${showText(column)}: `;
  return brief(
    `${file}${at}${row === null ? "" : ` (row ${row})`}: ${named}${message}${hint === null ? "" : `. ${hint}`}`,
  );
}

/** Collects findings in bounded memory: all are counted, by kind; the first of all and of each kind are kept. */
export class FindingList {
  #count = 0;
  readonly #counts = new Map<string, number>();
  readonly #listed: Finding[] = [];
  readonly #most: { all: number; ofKind: number };

  /** Default: the first 50, of whatever kind. */
  constructor(most: { all: number; ofKind: number } = { all: 50, ofKind: 50 }) {
    this.#most = most;
  }

  add(found: NewFinding): void {
    this.#count++;
    const ofKind = (this.#counts.get(found.kind) ?? 0) + 1;
    this.#counts.set(found.kind, ofKind);
    if (ofKind > this.#most.ofKind || this.#listed.length >= this.#most.all) return;
    const { kind, file, row, line, character = null, column = null, message, hint = null } = found;
    this.#listed.push({ kind, file, row, line, character, column, message, hint });
  }

  /**
   * True when a further finding of the kind would be kept: one that is costly to describe need not be described for
   * nothing.
   */
  keeps(kind: string): boolean {
    return (this.#counts.get(kind) ?? 0) < this.#most.ofKind && this.#listed.length < this.#most.all;
  }

  get count(): number {
    return this.#count;
  }

  /** Number of findings of each kind. */
  get counts(): Record<string, number> {
    return Object.fromEntries(this.#counts);
  }

  get listed(): readonly Finding[] {
    return this.#listed;
  }

  /** The findings so far as one DATASET_INVALID. */
  error(): AppError {
    const count = this.#count === 1 ? "1 fault" : `${this.#count.toLocaleString("en")} faults`;
    const more = this.#count - this.#listed.length;
    const lines = this.#listed.map((each) => `  ${findingText(each)}`);
    if (more > 0) lines.push(`  ... and ${more.toLocaleString("en")} more`);
    return new AppError("DATASET_INVALID", [`The dataset cannot be sent: ${count}:`, ...lines].join("\n"), {
      hint: "Nothing was sent. Correct the rows and start again.",
      faults: this.#listed.map(({ file, line, character, message, hint }) => ({
        file,
        line,
        column: character,
        message: hint === null ? message : `${message}. ${hint}`,
      })),
    });
  }
}
