import type { CaseShape } from "../cases/case-shape.ts";
import type { CaseMapping } from "../../suite/suite.ts";
import type { Row } from "../row.ts";

/** The facts about a column that names the rows it stands in. */
interface Column {
  filled: number;
  blank: number;
  values: Set<string>;
  /** Two filled cells in a row, of which the second says the same: nobody merges such cells. */
  repeats: boolean;
  last: string | null;
  firstIsFilled: boolean;
  /** The first blank cell below a filled one. */
  below: Row | null;
}

/** A column that was probably exported from merged cells, and the first row that lost its value. */
export interface MergedColumn {
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
export class MergedCells {
  readonly #columns = new Map<number, Column>();
  readonly #uses: readonly string[];

  constructor({ messages }: Pick<CaseMapping, "messages">) {
    this.#uses = ["case.tags", ...(messages === undefined ? ["case.cluster"] : [])];
  }

  look({ uses: all, cluster }: CaseShape, row: Row): void {
    // The turns of a conversation have an expected answer where its writer wants one.
    const looked = cluster === null ? [...this.#uses, "case.expected"] : this.#uses;
    for (const [at, uses] of all) if (uses.some((use) => looked.includes(use))) this.#note(at, row);
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
