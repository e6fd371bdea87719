import { AppError } from "../../errors.ts";
import { exportPin } from "../../app/compare/pin-file.ts";
import { pinAs } from "../../app/compare/pin-as.ts";
import { findReference } from "../../app/compare/reference.ts";
import { tableLines } from "../../report/terminal/table.ts";
import { visible } from "../../report/text/visible.ts";
import { listBatches } from "../../store/batches.ts";
import { databasePath, openDatabase } from "../../store/database.ts";
import type { Connection } from "../../store/connection.ts";
import { findPin, listPins, removePin } from "../../store/pins/pins.ts";
import type { Terminal } from "../terminal.ts";

interface PinFlags {
  batches: readonly string[];
  out: string;
  json: boolean;
  as?: string | undefined;
  replace: boolean;
  remove: boolean;
  export?: string | undefined;
}

/** Does what was asked with pins, and says so. */
export async function editPins(flags: PinFlags, terminal: Terminal): Promise<number> {
  const db = openDatabase(databasePath(flags.out), { mustExist: true });
  try {
    const told = await edited(db, flags);
    if (told !== null) terminal.print(flags.json ? pinsJson(db) : told);
    return 0;
  } finally {
    db.close();
  }
}

async function edited(db: Connection, flags: PinFlags): Promise<string | null> {
  if (flags.as !== undefined) return pinned(db, flags, flags.as);
  if (flags.remove) {
    for (const name of flags.batches) removePin(db, name);
    return `Removed: ${flags.batches.map(visible).join(", ")}. The batches are still there.`;
  }
  if (flags.export === undefined) return pinList(db);
  const [reference = "", ...more] = flags.batches;
  if (more.length > 0)
    throw new AppError("USAGE", "--export takes one pin.", { hint: "Pool batches with --as first." });
  const { name, batches } = findReference(db, reference);
  const pin = findPin(db, name) ?? { name, createdAt: batches[0]?.createdAt ?? 0, batches };
  await exportPin(db, pin, { suite: batches[0]?.suiteName ?? name, path: flags.export });
  // Standard output holds the file itself.
  return flags.export === "-"
    ? null
    : `${visible(name)} is in ${visible(flags.export)}: answers and scores of ${batchNames(pin)}.`;
}

function pinned(db: Connection, { batches, replace }: PinFlags, name: string): string {
  return `${name} is ${batchNames({ batches: pinAs(db, { name, references: batches, replace }) })}.`;
}

function batchNames({ batches }: { batches: readonly { name: string }[] }): string {
  return batches.map(({ name }) => visible(name)).join(", ");
}

function pinList(db: Connection): string {
  const pins = listPins(db);
  if (pins.length === 0) return "There is no pin yet: `tandem pin BATCH --as NAME` makes one.";
  const suites = new Map(listBatches(db).map(({ id, suiteName }) => [id, suiteName]));
  const rows = pins.map((pin) => [
    visible(pin.name),
    visible(Array.from(new Set(pin.batches.map(({ id }) => suites.get(id) ?? "an exported pin"))).join(", ")),
    new Date(pin.createdAt).toISOString().slice(0, 10),
    batchNames(pin),
  ]);
  return tableLines(
    [
      { title: "pin", align: "left", most: 64 },
      { title: "of", align: "left", most: 40 },
      { title: "made on", align: "left", most: 10 },
      { title: "batches", align: "left", most: 400 },
    ],
    rows,
  ).join("\n");
}

function pinsJson(db: Connection): string {
  const pins = listPins(db).map(({ name, createdAt, batches }) => ({
    name,
    createdAt: new Date(createdAt).toISOString(),
    batches: batches.map((batch) => batch.name),
  }));
  return JSON.stringify({ version: 1, pins });
}
