import { join } from "node:path";
import { acknowledgeChange } from "../../src/app/history/acknowledge.ts";
import { databasePath, openDatabase } from "../../src/store/database.ts";
import { type DrawnNight, firstNight, storeNights } from "../app/nights.ts";
import { Tandem } from "../e2e/tandem.ts";

const dayMs = 86_400_000;
export const same = (nights: number, night: DrawnNight = {}): DrawnNight[] =>
  Array.from({ length: nights }, () => night);

/** Suites that need a look, are quiet, and have a change that is acknowledged; a hostile name among them. */
export async function morning(more: Record<string, DrawnNight[]> = {}): Promise<Tandem> {
  const tandem = new Tandem().file("results/.keep", "");
  const db = openDatabase(databasePath(join(tandem.folder, "results")));
  const suites: Record<string, DrawnNight[]> = {
    "<b>desk": [...same(3), ...same(4, { verdict: "regression" })],
    down: [...same(2), { verdict: "invalid", failed: 27 }],
    known: same(5),
    fine: same(1),
    ...more,
  };
  for (const [name, nights] of Object.entries(suites)) {
    await storeNights(
      db,
      nights.map((night) => ({ ...night, suite: { name } })),
    );
  }
  const since = firstNight + 3 * dayMs - dayMs / 2;
  acknowledgeChange(db, "known", { since, note: "new prompt", author: "Ada", at: since + dayMs });
  db.close();
  return tandem;
}
