import { nightLabel } from "../../report/say/night-names.ts";
import { everything, type Selection } from "../../plan/select.ts";
import { type Batch, listBatches } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { historyOf } from "./history.ts";

/**
 * Says why a batch stays although it is old: an alarm that goes on is noticed anew whenever its nights are read, so that
 * without them it would be gone without a word. Null: no alarm needs it.
 */
export function alarmReasons(db: Connection): (batch: Batch) => string | null {
  const bySuite = new Map<string, ReadonlyMap<string, string>>();
  return ({ suiteName, selection }) => {
    const going = bySuite.get(suiteName) ?? goingAlarms(db, suiteName);
    bySuite.set(suiteName, going);
    const since = going.get(casesOf(selection));
    return since === undefined ? null : `the change since ${since} lasts, see \`tandem history\``;
  };
}

/** The cases of a selection as a text: a night that left targets out asked the same. */
const casesOf = (selection: Selection | null): string => JSON.stringify({ ...(selection ?? everything), targets: [] });

/** Selection of cases to the night since which something is other in their nights. */
function goingAlarms(db: Connection, suite: string): Map<string, string> {
  const batches = new Map(listBatches(db, suite).map((batch) => [batch.name, batch]));
  const going = historyOf(db, suite).alarms.filter(({ state }) => state === "new" || state === "still");
  return new Map(
    going.map(({ noticed, changed }) => [casesOf(batches.get(noticed.batch)?.selection ?? null), nightLabel(changed)]),
  );
}
