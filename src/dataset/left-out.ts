import type { RowPlace } from "./case.ts";

/** A row that is left out, and the reason: `is blank: no prompt`. */
export interface LeftOutRow extends RowPlace {
  why: string;
}

/** `prompts.csv:4 (row 4) has no content` */
export function leftOutText({ file, row, line, why }: LeftOutRow): string {
  return `${file}:${line} (row ${row}) ${why}`;
}

const mostKinds = 10;
const mostRows = 10;

/** Rows that are left out, by file and reason: all are counted, and the first of each kind are named. */
export class LeftOutRows {
  readonly #kinds = new Map<string, { first: LeftOutRow; count: number; rows: number[] }>();
  /** Rows of further kinds. */
  #others = 0;

  add(left: LeftOutRow): void {
    const kind = `${left.why}\n${left.file}`;
    const known = this.#kinds.get(kind);
    if (known === undefined && this.#kinds.size >= mostKinds) this.#others += 1;
    else if (known === undefined) this.#kinds.set(kind, { first: left, count: 1, rows: [left.row] });
    else {
      known.count += 1;
      if (known.rows.length < mostRows) known.rows.push(left.row);
    }
  }

  /** True when every row is named in the lines. */
  get areAllNamed(): boolean {
    return this.#others === 0 && [...this.#kinds.values()].every(({ count, rows }) => count === rows.length);
  }

  /** A line for each kind: `14 rows of chats.csv (3, 4, 5, ...): each is a blank message`. */
  lines(): string[] {
    const lines = [...this.#kinds.values()].map(({ first, count, rows }) => {
      if (count === 1) return leftOutText(first);
      const named = `${rows.join(", ")}${count > rows.length ? ", ..." : ""}`;
      return `${count.toLocaleString("en")} rows of ${first.file} (${named}): each ${first.why}`;
    });
    return this.#others === 0 ? lines : [...lines, `${this.#others.toLocaleString("en")} rows for other reasons`];
  }
}
