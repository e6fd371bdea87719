import type { FunctionsOutput } from "../../api/functions-schema.ts";
import type { JsonObject, JsonValue } from "../../lib/json.ts";
import type { SandboxLimits } from "./sandbox-limits.ts";
import { availableParallelism } from "node:os";
import { type ThreadCall, type ThreadResult, failedResult } from "./call.ts";
import type { Worker } from "node:worker_threads";
import { startOwnThread } from "../../lib/own-worker.ts";
import { limitTexts } from "./limit-texts.ts";

/** One run of a function. */
export interface FunctionCall {
  /** An ES module whose default export is a function of `(variables, body)`, async or not. */
  source: string;
  /** Name of the source in stack traces and messages. */
  fileName: string;
  /** The merged variables of the request. */
  variables: JsonObject;
  /** The whole merged request: the second argument. Its fields, except `variables`, are also in the first argument, where variables win. */
  body: JsonObject;
  limits: SandboxLimits;
}

/** Runs a function in the sandbox. Never rejects for what the function does: that is in `error` and `logs`. */
export async function runFunction(call: FunctionCall): Promise<FunctionsOutput> {
  const { variables: _, ...named } = call.body;
  const { valueJson, error, logs } = await runInPool({
    source: call.source,
    fileName: call.fileName,
    variablesJson: JSON.stringify({ ...named, ...call.variables }),
    bodyJson: JSON.stringify(call.body),
    limits: call.limits,
  });
  const value: JsonValue = JSON.parse(valueJson);
  return { return_value: value, error, logs };
}

/** Ends the threads of the sandbox; runs that are in them end with an error. */
export async function stopSandbox(): Promise<void> {
  await stopPool();
}

const maxThreads = Math.min(4, Math.max(2, availableParallelism()));

const idle: Thread[] = [];
const all = new Set<Thread>();
const waiting: ((thread: Thread) => void)[] = [];

/** Runs a call in the next free thread, first come first served. Threads start when needed and stay for the next call. */
async function runInPool(call: ThreadCall): Promise<ThreadResult> {
  const thread = await freeThread();
  const result = await thread.run(call);
  giveBack(thread);
  return result;
}

/** Ends all threads. Calls that are running end with an error; later calls start new threads. */
async function stopPool(): Promise<void> {
  const threads = [...all];
  all.clear();
  idle.length = 0;
  await Promise.all(threads.map((thread) => thread.stop()));
}

async function freeThread(): Promise<Thread> {
  const free = idle.pop();
  if (free?.isAlive() === true) return free;
  if (free !== undefined) all.delete(free);
  if (all.size < maxThreads) return newThread();
  return new Promise((resolve) => {
    waiting.push(resolve);
  });
}

function newThread(): Thread {
  const thread = startThread();
  all.add(thread);
  return thread;
}

function giveBack(thread: Thread): void {
  const wasStopped = !all.has(thread);
  if (!thread.isAlive() || wasStopped) all.delete(thread);
  const next = waiting.shift();
  if (next !== undefined) next(thread.isAlive() && !wasStopped ? thread : newThread());
  else if (thread.isAlive() && !wasStopped) idle.push(thread);
}

/** One thread that runs one call at a time. It has an empty environment and its own small heap. */
interface Thread {
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

function startThread(): Thread {
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
