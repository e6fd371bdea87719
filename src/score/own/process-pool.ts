import type { JsonValue } from "../../lib/json.ts";

/** Something that answers one call at a time: a thread or a process. */
export interface OwnProcess {
  /** Rejects when it breaks; it is not used again then. */
  send: (call: JsonValue) => Promise<JsonValue>;
  stop: () => Promise<void>;
}

/** The result of a call. */
export type Called = { value: JsonValue } | { failed: string };

/** Processes that are started when they are needed. */
export interface ProcessPool {
  call: (call: JsonValue) => Promise<Called>;
  close: () => Promise<void>;
}

/** Number of calls in a row that may take too long before nothing more is tried: every one costs its whole time. */
const mostTimeouts = 5;

/**
 * Answers calls by processes, each one call at a time; there are as many as calls were made at the same time. A call
 * that takes too long ends with its process, and a process that breaks is replaced; either is a failed call and no
 * exception.
 */
export function processPool(start: () => OwnProcess, { timeoutMs }: { timeoutMs: number }): ProcessPool {
  const free: OwnProcess[] = [];
  const all = new Set<OwnProcess>();
  let timeouts = 0;
  const drop = async (worker: OwnProcess): Promise<void> => {
    all.delete(worker);
    await worker.stop();
  };
  return {
    call: async (call) => {
      if (timeouts >= mostTimeouts)
        return { failed: `it was given up after it took too long ${mostTimeouts} times in a row` };
      const worker = free.pop() ?? start();
      all.add(worker);
      const answered = await within(timeoutMs, worker.send(call));
      if (answered === "late") {
        timeouts++;
        await drop(worker);
        return { failed: `it took longer than ${timeoutMs} ms, and was ended` };
      }
      timeouts = 0;
      if ("failed" in answered) await drop(worker);
      else if (all.has(worker)) free.push(worker);
      return answered;
    },
    close: async () => {
      free.length = 0;
      await Promise.all([...all].map(drop));
    },
  };
}

async function within(timeoutMs: number, sent: Promise<JsonValue>): Promise<Called | "late"> {
  const settled = sent.then(
    (value) => ({ value }),
    (cause: unknown) => ({ failed: cause instanceof Error ? cause.message : String(cause) }),
  );
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(() => resolve("late"), timeoutMs);
  });
  try {
    return await Promise.race([settled, late]);
  } finally {
    clearTimeout(timer);
  }
}
