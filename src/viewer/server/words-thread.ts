import { parentPort, workerData } from "node:worker_threads";
import { packFailure, type ThreadFailure } from "../../lib/thread-failure.ts";
import { folded } from "../../report/model/row-figures.ts";
import { WordsWriter } from "./words-file.ts";

/** Messages to the thread: the texts of the next rows; null: there are no more. */
export type WordsGiven = string[] | null;

/** Messages of the thread: it has written what was given, all is written, or the reason why it cannot go on. */
export type WordsTold =
  | { kind: "written" }
  | { kind: "ended"; starts: Float64Array<ArrayBuffer> }
  | { kind: "failed"; failure: ThreadFailure };

// The path comes from `row-words.ts` beside it.
const path: string = workerData;
const port = parentPort;
if (port !== null) {
  const tell = (told: WordsTold): void => port.postMessage(told, []);
  const guarded = <Value>(work: () => Value): Value | null => {
    try {
      return work();
    } catch (error) {
      tell({ kind: "failed", failure: packFailure(error) });
      port.close();
      return null;
    }
  };
  const writer = guarded(() => new WordsWriter(path));
  port.on("message", (texts: WordsGiven) => {
    guarded(() => {
      for (const text of texts ?? []) writer?.add(folded(text));
      if (texts !== null) return tell({ kind: "written" });
      tell({ kind: "ended", starts: Float64Array.from(writer?.end() ?? []) });
      return port.close();
    });
  });
}
