import { parentPort, workerData } from "node:worker_threads";
import { historyOf } from "../../../app/history/history.ts";
import type { NightMemory } from "../../../app/history/known-nights.ts";
import { suiteStanding } from "../../../app/history/suite-standing.ts";
import { packFailure } from "../../../lib/thread-failure.ts";
import { openDatabase } from "../../../store/database.ts";
import type { NightsAsked, NightsTold } from "./nights-asked.ts";

// The path comes from `nights-reader.ts` beside it.
const path: string = workerData;
const port = parentPort;
if (port !== null) {
  const db = openDatabase(path, { mustExist: true });
  const memories = new Map<string, NightMemory>();
  const answer = ({ id, kind, suite }: NightsAsked): NightsTold => {
    try {
      const memory = memories.get(suite) ?? new Map();
      memories.set(suite, memory);
      const history = historyOf(db, suite, { memory });
      return { id, kind: "read", text: JSON.stringify(kind === "standing" ? suiteStanding(history) : history) };
    } catch (error) {
      return { id, kind: "failed", failure: packFailure(error) };
    }
  };
  port.on("message", (asked: NightsAsked) => port.postMessage(answer(asked), []));
}
