import { AppError } from "../../errors.ts";
import { showText } from "../../lib/show.ts";
import { findColumn } from "../table/column.ts";
import { compileTemplate } from "./template.ts";
import { isTemplate } from "../../lib/liquid-name.ts";

/** Reads one value out of a row. */
export type CellReader = (cells: readonly string[], columns: Record<string, string>) => string;

/** Finds columns in a header; remembers what they are used for, and what is wrong. */
export class ColumnFinder {
  readonly problems: AppError[] = [];
  readonly notices: string[] = [];
  readonly uses = new Map<number, string[]>();
  readonly #header: readonly string[];
  readonly #file: string;

  constructor(header: readonly string[], file: string) {
    this.#header = header;
    this.#file = file;
  }

  /** Reads a column or a template out of a row; null when it cannot be found. */
  async reader(source: string, usedFor: string): Promise<{ read: CellReader; at: number | null } | null> {
    // A column may be called so, however odd.
    if (!isTemplate(source) || this.#header.includes(source)) {
      const found = this.column(source, usedFor);
      if (found === null) return null;
      const { at } = found;
      return { read: (cells) => cells[at] ?? "", at };
    }
    try {
      const template = await compileTemplate(source, this.#header, { file: this.#file, usedFor });
      for (const column of template.columns) this.#use(column.name, column, `the template of ${usedFor}`);
      return { read: (_cells, columns) => template.render(columns), at: null };
    } catch (error) {
      return this.#note(error);
    }
  }

  /** The place of a column; null when it is not there. */
  column(name: string, usedFor: string): { name: string; at: number } | null {
    try {
      const found = findColumn(this.#header, name, { file: this.#file, usedFor });
      this.#use(name, found, usedFor);
      return { name, at: found.at };
    } catch (error) {
      return this.#note(error);
    }
  }

  #use(name: string, { at, loosely }: { at: number; loosely: boolean }, usedFor: string): void {
    this.uses.set(at, [...(this.uses.get(at) ?? []), usedFor]);
    if (!loosely) return;
    const [named, has] = [showText(name), showText(this.#header[at] ?? "")];
    this.notices.push(`${this.#file}: ${usedFor} names ${named}; the column ${has} is taken for it`);
  }

  #note(error: unknown): null {
    if (!(error instanceof AppError)) throw error;
    this.problems.push(error);
    return null;
  }
}
