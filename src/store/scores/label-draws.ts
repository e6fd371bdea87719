import { z } from "zod";
import { storedJson } from "../../lib/stored-json.ts";
import type { Connection } from "../connection.ts";
import { sqlite } from "../sqlite.ts";

export type DrawDesign = "simple" | "strata";

/** Cases of a batch that were drawn at random for people to label, of one pair of targets. */
export interface StoredDraw {
  id: number;
  /** The judge's score by which the cases were put into strata. */
  scorer: string;
  baseline: string;
  candidate: string;
  design: DrawDesign;
  seed: string;
  /** A hash over the cases that could be drawn; of parts that were merged, `mergedFrame` of theirs. */
  frame: string;
  strata: DrawStratum[];
  at: number;
}

interface DrawStratum {
  name: string;
  /** Cases that could be drawn. */
  size: number;
}

/** A case of a draw. */
export interface StoredDrawnCase {
  caseId: number;
  /** Place among the strata. */
  stratum: number;
  /** The chance that it had to be drawn. */
  chance: number;
  /** 1: at first; more: added later. */
  wave: number;
  /** In the order in which they are labelled, from 0. */
  place: number;
}

const strata = z.array(z.object({ name: z.string(), size: z.number() }));
const areStrata = (value: unknown): value is DrawStratum[] => strata.safeParse(value).success;

const merged = "merged ";

/** The frame of a draw that was put together of those of parts. */
export const mergedFrame = (hash: string): string => `${merged}${hash}`;

/** Tells whether a draw was put together of those of parts: which of its cases are of which stratum is not known any more. */
export const isOfParts = ({ frame }: StoredDraw): boolean => frame.startsWith(merged);

/** Keeps a draw with its cases. */
export function writeDraw(
  db: Connection,
  batchId: number,
  { cases, strata: groups, ...draw }: Omit<StoredDraw, "id"> & { cases: readonly StoredDrawnCase[] },
): void {
  const sql = sqlite(db);
  sql
    .transaction(() => {
      const { lastInsertRowid } = sql
        .prepare(
          `INSERT INTO label_draw (batch_id, scorer, baseline, candidate, design, seed, frame, strata, at)
           VALUES (@batchId, @scorer, @baseline, @candidate, @design, @seed, @frame, @strata, @at)`,
        )
        .run({ ...draw, batchId, strata: JSON.stringify(groups) });
      writeCases(db, Number(lastInsertRowid), cases);
    })
    .immediate();
}

/** Adds cases to a draw, and gives all of them the chances that they have now. */
export function extendDraw(db: Connection, drawId: number, cases: readonly StoredDrawnCase[]): void {
  sqlite(db)
    .transaction(() => writeCases(db, drawId, cases))
    .immediate();
}

function writeCases(db: Connection, drawId: number, cases: readonly StoredDrawnCase[]): void {
  const write = sqlite(db).prepare(
    `INSERT INTO drawn_case (draw_id, case_id, stratum, chance, wave, place) VALUES (@drawId, @caseId, @stratum, @chance, @wave, @place)
     ON CONFLICT (draw_id, case_id) DO UPDATE SET chance = excluded.chance`,
  );
  for (const each of cases) write.run({ ...each, drawId });
}

/** The draws of a batch, the latest first. */
export function drawsOf(db: Connection, batchId: number): StoredDraw[] {
  return sqlite(db)
    .prepare<[number], Omit<StoredDraw, "strata"> & { strata: string }>(
      `SELECT id, scorer, baseline, candidate, design, seed, frame, strata, at FROM label_draw WHERE batch_id = ? ORDER BY id DESC`,
    )
    .all(batchId)
    .map((draw) => ({ ...draw, strata: storedJson(draw.strata, "strata of a draw", areStrata) }));
}

/** The cases of a draw, in the order in which they are labelled. */
export function casesOfDraw(db: Connection, drawId: number): StoredDrawnCase[] {
  return sqlite(db)
    .prepare<[number], StoredDrawnCase>(
      "SELECT case_id AS caseId, stratum, chance, wave, place FROM drawn_case WHERE draw_id = ? ORDER BY place",
    )
    .all(drawId);
}
