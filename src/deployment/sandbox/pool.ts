import { availableParallelism } from "node:os";
import type { ThreadCall, ThreadResult } from "./call.ts";
import { type Thread, startThread } from "./thread.ts";

const maxThreads = Math.min(4, Math.max(2, availableParallelism()));

const idle: Thread[] = [];
const all = new Set<Thread>();
const waiting: ((thread: Thread) => void)[] = [];

/** Runs a call in the next free thread, first come first served. Threads start when needed and stay for the next call. */
export async function runInPool(call: ThreadCall): Promise<ThreadResult> {
  const thread = await freeThread();
  const result = await thread.run(call);
  giveBack(thread);
  return result;
}

/** Ends all threads. Calls that are running end with an error; later calls start new threads. */
export async function stopPool(): Promise<void> {
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
