import { startOwnThread } from "../../lib/own-worker.ts";
import { unpackFailure } from "../../lib/thread-failure.ts";
import { folded } from "../../report/model/row-figures.ts";
import { WordsWriter } from "./words-file.ts";
import type { WordsGiven, WordsTold } from "./words-thread.ts";

/** Writes the texts of rows into the file that searches read, in the form in which texts are compared. */
export interface RowWords {
  add: (text: string) => void;
  /** Resolves when there is room for more. Throws what stopped the writing. */
  room: () => Promise<void>;
  /** Writes the rest; the start of each row. */
  end: () => Promise<Float64Array>;
  stop: () => void;
}

/** Number of rows from which a thread of its own pays. */
const manyRows = 20_000;

export function wordsOfRows(path: string, rows: number): RowWords {
  return rows < manyRows ? wordsHere(path) : wordsInThread(path);
}

function wordsHere(path: string): RowWords {
  const writer = new WordsWriter(path);
  return {
    add: (text) => writer.add(folded(text)),
    room: () => Promise.resolve(),
    end: () => Promise.resolve(writer.end()),
    stop: () => {},
  };
}

/** Rows that are handed over together, and the number of such parts that may wait: memory stays flat. */
const rowsOfPart = 32;
const mostWaiting = 4;

/** Texts are folded in a thread of its own, which is a fifth of the work of an index. */
function wordsInThread(path: string): RowWords {
  const thread = startOwnThread(
    { bundled: "viewer-words", source: "viewer/server/words-thread.ts" },
    { workerData: path, env: {}, execArgv: [], argv: [], resourceLimits: { maxYoungGenerationSizeMb: 4 } },
  );
  let part: string[] = [];
  let waiting = 0;
  let failure: Error | null = null;
  let starts: Float64Array | null = null;
  let wake: (() => void) | null = null;
  const end = (error: Error): void => {
    failure ??= error;
    wake?.();
  };
  thread.on("message", (told: WordsTold) => {
    if (told.kind === "failed") return end(unpackFailure(told.failure));
    if (told.kind === "written") waiting -= 1;
    else starts = told.starts;
    return wake?.();
  });
  thread.on("error", (error) => end(error instanceof Error ? error : new Error(String(error))));
  thread.on("exit", () => end(new Error("the thread that writes the words of rows was ended")));
  const give = (texts: WordsGiven): void => thread.postMessage(texts, []);
  const until = async (isSo: () => boolean): Promise<void> => {
    while (!isSo()) {
      if (failure !== null) throw failure;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  return {
    add(text) {
      part.push(text);
    },
    async room() {
      if (failure !== null) throw failure;
      if (part.length < rowsOfPart) return;
      give(part);
      part = [];
      waiting += 1;
      await until(() => waiting < mostWaiting);
    },
    async end() {
      give(part);
      give(null);
      await until(() => starts !== null);
      return starts ?? new Float64Array();
    },
    stop: () => void thread.terminate(),
  };
}
