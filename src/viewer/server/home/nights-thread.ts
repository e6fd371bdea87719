import { dirname } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { judgesWatched } from "../../../app/judge/judge-watch.ts";
import { historyOf } from "../../../app/history/history.ts";
import type { NightMemory } from "../../../app/history/known-nights.ts";
import { suiteStanding } from "../../../app/history/suite-standing.ts";
import { folderFlag } from "../../../lib/paths/results-folder.ts";
import { packFailure } from "../../../lib/thread-failure.ts";
import { openDatabase } from "../../../store/database.ts";
import { knownPath } from "../../../store/read-only-folder.ts";
import type { SuiteStanding, WhyLook } from "../../../report/shape/standing.ts";
import type { SuiteNights } from "../../api.ts";
import type { NightsAsked, NightsReported } from "./nights-reader.ts";

function whyOf({ reasons, worstSlice, error, last }: SuiteStanding): WhyLook {
  return { reasons, worstSlice, error, last };
}

// The path comes from `nights-reader.ts` beside it.
const path: string = workerData;
const port = parentPort;
if (port !== null) {
  const db = openDatabase(path, { mustExist: true });
  const memories = new Map<string, NightMemory>();
  const answer = ({ id, kind, suite }: NightsAsked): NightsReported => {
    try {
      const memory = memories.get(suite) ?? new Map();
      memories.set(suite, memory);
      const history = historyOf(db, suite, { memory });
      const standing = suiteStanding(history, folderFlag(dirname(knownPath(path))));
      const read: SuiteStanding | SuiteNights =
        kind === "standing" ? standing : { ...history, why: whyOf(standing), judges: judgesWatched(db, suite) };
      return { id, kind: "read", text: JSON.stringify(read) };
    } catch (error) {
      return { id, kind: "failed", failure: packFailure(error) };
    }
  };
  port.on("message", (asked: NightsAsked) => port.postMessage(answer(asked), []));
}
