import type { Connection } from "../connection.ts";
import { execute, inTransaction, selectRows, sqlite } from "../sqlite.ts";

/** Cases of a batch that were drawn at random for people to label, of one pair of targets. */
export interface StoredDraw {
  id: number;
  /** The judge's score that the labels are to correct. */
  scorer: string;
  baseline: string;
  candidate: string;
  seed: string;
  /** A hash over the cases that could be drawn; of parts that were merged, `mergedFrame` of theirs. */
  frame: string;
  /** Cases that could be drawn. */
  size: number;
  at: number;
}

/** A case of a draw. */
export interface StoredDrawnCase {
  caseId: number;
  /** The place of the part that drew it in a merged batch; else 0. */
  part: number;
  /** The chance that it had to be drawn. */
  chance: number;
  /** In the order in which they are labelled, from 0. */
  place: number;
}

const merged = "merged ";

/** The frame of a draw that was put together of those of parts. */
export const mergedFrame = (hash: string): string => `${merged}${hash}`;

/** Tells whether a draw was put together of those of parts, each with chances of its own. */
export const isOfParts = ({ frame }: StoredDraw): boolean => frame.startsWith(merged);

/** Keeps a draw with its cases. */
export function writeDraw(
  db: Connection,
  batchId: number,
  { cases, ...draw }: Omit<StoredDraw, "id"> & { cases: readonly StoredDrawnCase[] },
): void {
  inTransaction(db, () => {
    const { lastInsertRowid } = execute(
      db,
      `INSERT INTO label_draw (batch_id, scorer, baseline, candidate, seed, frame, size, at)
       VALUES (@batchId, @scorer, @baseline, @candidate, @seed, @frame, @size, @at)`,
      { ...draw, batchId },
    );
    writeCases(db, Number(lastInsertRowid), cases);
  });
}

/** Adds cases to a draw, and gives all of them the chances that they have now. */
export function extendDraw(db: Connection, drawId: number, cases: readonly StoredDrawnCase[]): void {
  inTransaction(db, () => writeCases(db, drawId, cases));
}

function writeCases(db: Connection, drawId: number, cases: readonly StoredDrawnCase[]): void {
  const write = sqlite(db).prepare(
    `INSERT INTO drawn_case (draw_id, case_id, part, chance, place) VALUES (@drawId, @caseId, @part, @chance, @place)
     ON CONFLICT (draw_id, case_id) DO UPDATE SET chance = excluded.chance`,
  );
  for (const each of cases) write.run({ ...each, drawId });
}

/** The draws of a batch, the latest first. */
export function drawsOf(db: Connection, batchId: number): StoredDraw[] {
  return selectRows<StoredDraw>(
    db,
    `SELECT id, scorer, baseline, candidate, seed, frame, size, at FROM label_draw WHERE batch_id = ? ORDER BY id DESC`,
    [batchId],
  );
}

/** The cases of a draw, in the order in which they are labelled. */
export function casesOfDraw(db: Connection, drawId: number): StoredDrawnCase[] {
  return selectRows<StoredDrawnCase>(
    db,
    "SELECT case_id AS caseId, part, chance, place FROM drawn_case WHERE draw_id = ? ORDER BY place",
    [drawId],
  );
}
