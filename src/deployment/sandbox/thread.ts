import type { Worker } from "node:worker_threads";
import { startOwnThread } from "../../lib/own-worker.ts";
import { type ThreadCall, type ThreadResult, failedResult } from "./call.ts";
import { limitTexts } from "./limit-texts.ts";

/** One thread that runs one call at a time. It has an empty environment and its own small heap. */
export interface Thread {
  /** Resolves with the result, also when the thread had to be ended for it; never rejects. */
  run(call: ThreadCall): Promise<ThreadResult>;
  isAlive(): boolean;
  stop(): Promise<void>;
}

/**
 * A call that does not end itself at its limit (a loop in native code) is ended this much later with its thread, but
 * only after a turn of the event loop: an answer that waited while this thread was busy comes first.
 */
const graceMs = 250;

export function startThread(): Thread {
  const worker = startWorker();
  let alive = true;
  let death = "it was stopped";
  let end: ((result: ThreadResult | string) => void) | null = null;
  const ready = new Promise<void>((resolve) => {
    worker.once("message", () => resolve());
    worker.once("error", () => resolve());
    worker.once("exit", () => resolve());
  });
  const died = (problem: string): void => {
    if (alive) death = problem;
    alive = false;
    end?.(death);
  };
  worker.on("message", (result: ThreadResult | "ready") => {
    if (result !== "ready") end?.(result);
  });
  worker.on("error", (error) => died(error instanceof Error ? error.message : String(error)));
  worker.on("exit", (code) => died(`its thread ended with code ${code}`));
  worker.unref();
  const stop = async (): Promise<void> => {
    alive = false;
    await worker.terminate();
  };
  return {
    isAlive: () => alive,
    stop,
    async run(call) {
      worker.ref();
      await ready;
      if (!alive) return failedResult(limitTexts.crash(call, death));
      const outcome = await new Promise<ThreadResult | string>((resolve) => {
        const giveUp = (): void => resolve(limitTexts.time(call));
        const timer = setTimeout(() => setImmediate(() => setImmediate(giveUp)), call.limits.time_ms + graceMs);
        end = (result) => {
          clearTimeout(timer);
          resolve(typeof result === "string" ? limitTexts.crash(call, result) : result);
        };
        worker.postMessage(call, []);
      });
      end = null;
      worker.unref();
      if (typeof outcome !== "string") return outcome;
      await stop();
      return failedResult(outcome);
    },
  };
}

function startWorker(): Worker {
  return startOwnThread(
    { bundled: "sandbox-worker", source: "deployment/sandbox/worker.ts" },
    {
      // The text that QuickJS prints when it aborts helps nobody; the result says what happened.
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: 256, stackSizeMb: 16 },
    },
  );
}
