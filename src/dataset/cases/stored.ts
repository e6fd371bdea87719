import { scriptColumns } from "../../lib/script-columns.ts";
import type { StoredColumns } from "../../suite/suite.ts";
import type { CellReader } from "./column-finder.ts";
import type { StoredAnswer } from "../case.ts";
import { isOfLastTurn, ofTurn } from "../table/turns.ts";

/** A target that is not asked, and the columns with its answers. */
export interface StoredSource {
  target: string;
  columns: StoredColumns;
}

/** The columns of a target's stored answers, found in a header. */
export interface StoredReaders {
  target: string;
  answer: CellReader;
  /** The answers of a script are in a column for each turn by itself. */
  byTurn: boolean;
  others: Record<Exclude<keyof StoredColumns, "answer">, CellReader | null>;
}

type Find = (source: string | null, usedFor: string) => Promise<CellReader | null>;

/** Looks up the columns of stored answers; what is not there is a problem that `find` notes. */
export async function storedReaders(sources: readonly StoredSource[], find: Find): Promise<StoredReaders[]> {
  const readers: StoredReaders[] = [];
  for (const { target, columns } of sources) {
    const of = (source: string | null, key: string): Promise<CellReader | null> =>
      find(source, `targets.${target}.${key}`);
    const answer = await of(columns.answer, "answers");
    const others = {
      runId: await of(columns.runId, "run_id"),
      url: await of(columns.url, "run_url"),
      createdAt: await of(columns.createdAt, "created_at"),
      label: await of(columns.label, "label"),
      note: await of(columns.note, "note"),
    };
    if (answer !== null) readers.push({ target, answer, byTurn: columns.answer === scriptColumns.answer, others });
  }
  return readers;
}

/** A row, or one turn of a script. */
interface StoredRow {
  cells: readonly string[];
  columns: Record<string, string>;
  turn: number;
  /** Number of turns of the script; undefined for a plain row. */
  turns: number | undefined;
}

/** The stored answers of a row. Those of a script are a list of as many texts as it has turns, or the last reply. */
export function storedAnswers(
  readers: readonly StoredReaders[],
  { cells, columns, turn, turns }: StoredRow,
): StoredAnswer[] {
  return readers.map(({ target, answer, byTurn, others }) => {
    const text = (read: CellReader | null): string | null => {
      const value = read?.(cells, columns).trim() ?? "";
      return value === "" ? null : value;
    };
    const { runId, url, createdAt, label, note } = others;
    const cell = answer(cells, columns);
    const isWhole = turns === undefined || byTurn;
    const isEarlier = !isWhole && turn < turns && isOfLastTurn(cell, turns);
    return {
      target,
      ...(isEarlier && { isEarlier }),
      text: isWhole ? cell : ofTurn(cell, turn, turns),
      runId: text(runId),
      url: text(url),
      createdAt: text(createdAt),
      label: text(label),
      note: text(note),
    };
  });
}
