import { freezeAnchors } from "../../../app/anchors/freeze.ts";
import { judgesWatched } from "../../../app/anchors/judge-watch.ts";
import { removeAnchors } from "../../../app/anchors/remove-anchors.ts";
import { AppError } from "../../../errors.ts";
import { checkRead } from "../../../store/batch-state.ts";
import { findBatch } from "../../../store/batches.ts";
import { databasePath, openDatabase } from "../../../store/database.ts";
import type { JsonData } from "../../json-outputs.ts";
import type { CommandResult } from "../../command-result.ts";
import type { Terminal } from "../../terminal.ts";
import { frozenText, anchorsRemovedText, watchedText } from "./anchors.text.ts";

interface AnchorsFlags {
  name?: string | undefined;
  results: string;
  metric?: string | undefined;
  count: number;
  seed: string;
  unlabelled: boolean;
  list: boolean;
  remove: boolean;
}

/** Freezes answers as anchors, lists the judges that are watched by them, or removes them. */
export async function runAnchors(flags: AnchorsFlags, terminal: Terminal): Promise<CommandResult> {
  const { name, metric = null, count, seed, unlabelled, list, remove } = flags;
  if (list && remove) throw new AppError("USAGE", "Give --list or --remove, not both.");
  if (!Number.isInteger(count) || count < 1)
    throw new AppError("USAGE", `--count takes a whole number of 60 or more; got ${count}.`);
  if (remove && name === undefined)
    throw new AppError("USAGE", "--remove needs the name of the suite.", {
      hint: "For example: tandem judge anchors help-desk --remove; --list shows what is watched.",
    });
  using db = openDatabase(databasePath(flags.results), { mustExist: true, reading: list });
  if (list) {
    const judges = judgesWatched(db, name ?? null).filter(({ scorer }) => metric === null || scorer === metric);
    const data = { judges } satisfies JsonData["judge"];
    return { data, text: watchedText(judges, terminal.columns) };
  }
  if (remove) {
    const removed = removeAnchors(db, { suite: name ?? "", scorer: metric });
    const data = { removed } satisfies JsonData["judge"];
    return { data, text: anchorsRemovedText(removed) };
  }
  const batch = findBatch(db, name ?? "latest");
  checkRead(db, batch);
  const frozen = freezeAnchors(db, batch, { scorer: metric, count, seed, unlabelled, at: Date.now() });
  const data = { frozen } satisfies JsonData["judge"];
  return { data, text: frozenText(frozen) };
}
