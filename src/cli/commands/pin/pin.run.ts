import { AppError } from "../../../errors.ts";
import { exportPin } from "../../../app/compare/pin-file.ts";
import { pinAs } from "../../../app/compare/pin-as.ts";
import { findReference } from "../../../app/compare/batch-reference.ts";
import { listBatches } from "../../../store/batches.ts";
import { databasePath, openDatabase } from "../../../store/database.ts";
import { isToldName } from "../../../store/compared/comparisons.ts";
import type { Connection } from "../../../store/connection.ts";
import { findPin, listPins, removePin } from "../../../store/pins/pins.ts";
import { earlierStayText, exportedText, pinListText, pinnedText, removedText } from "./pin.text.ts";
import type { CommandResult } from "../../command-result.ts";
import { needOneDocument } from "../../flags/output-flags.ts";
import type { JsonData } from "../../json-outputs.ts";
import type { PinFlags } from "./pin.ts";

/** Does what was asked with pins, and says so. */
export async function editPins(flags: PinFlags): Promise<CommandResult> {
  if (flags.export !== undefined) needOneDocument(flags.json, [flags.export]);
  const reading = flags.as === undefined && !flags.remove;
  using db = openDatabase(databasePath(flags.results), { mustExist: true, reading });
  const text = await edited(db, flags);
  return text === null ? {} : { data: pinsOf(db), text };
}

async function edited(db: Connection, flags: PinFlags): Promise<string | null> {
  if (flags.as !== undefined) return pinned(db, flags, flags.as);
  if (flags.remove) {
    for (const name of flags.batches) removePin(db, name);
    return removedText(flags.batches);
  }
  if (flags.export === undefined) return pinList(db);
  const [reference = "", ...more] = flags.batches;
  if (more.length > 0)
    throw new AppError("USAGE", "--export takes one pin.", { hint: "Pool batches with --as first." });
  const { name, batches } = findReference(db, reference);
  const pin = findPin(db, name) ?? { name, createdAt: batches[0]?.createdAt ?? 0, batches };
  await exportPin(db, pin, { suite: batches[0]?.suiteName ?? name, path: flags.export });
  // Standard output holds the file itself.
  return flags.export === "-" ? null : exportedText(pin, flags.export);
}

function pinned(db: Connection, { batches, replace }: PinFlags, name: string): string {
  const text = pinnedText({ name, batches: pinAs(db, { name, references: batches, replace }) });
  return replace && isToldName(db, name) ? `${text} ${earlierStayText}` : text;
}

function pinList(db: Connection): string {
  return pinListText(listPins(db), new Map(listBatches(db).map(({ id, suiteName }) => [id, suiteName])));
}

function pinsOf(db: Connection): JsonData["pin"] {
  const pins = listPins(db).map(({ name, createdAt, batches }) => ({
    name,
    createdAt: new Date(createdAt).toISOString(),
    batches: batches.map((batch) => batch.name),
  }));
  return { pins };
}
