import type { Worker } from "node:worker_threads";
import { startOwnThread } from "../../../lib/own-worker.ts";
import { type ThreadFailure, unpackFailure } from "../../../lib/thread-failure.ts";

/** A question to the thread that reads nights: the whole history of a suite, or how it stands. */
export interface NightsAsked {
  id: number;
  kind: "history" | "standing";
  suite: string;
}

/** Its answer, as JSON. */
export type NightsReported =
  | { id: number; kind: "read"; text: string }
  | { id: number; kind: "failed"; failure: ThreadFailure };

interface Waiting {
  resolve: (text: string) => void;
  reject: (error: Error) => void;
}

/**
 * Reads the nights of suites in a thread of its own, as hundreds of them take their time, and others are answered
 * meanwhile. The thread remembers the nights that it has read.
 */
export class NightsReader {
  readonly #database: string;
  readonly #waiting = new Map<number, Waiting>();
  #thread: Worker | null = null;
  #asked = 0;

  constructor(database: string) {
    this.#database = database;
  }

  /** Resolves with the JSON of a SuiteHistory, or of a SuiteStanding. */
  read(kind: NightsAsked["kind"], suite: string): Promise<string> {
    this.#thread ??= this.#start();
    const question: NightsAsked = { id: ++this.#asked, kind, suite };
    this.#thread.postMessage(question, []);
    return new Promise((resolve, reject) => this.#waiting.set(question.id, { resolve, reject }));
  }

  #start(): Worker {
    const thread = startOwnThread(
      { bundled: "viewer-nights", source: "viewer/server/home/nights-thread.ts" },
      { workerData: this.#database },
    );
    thread.on("message", (reported: NightsReported) => {
      const waiting = this.#waiting.get(reported.id);
      this.#waiting.delete(reported.id);
      if (reported.kind === "read") waiting?.resolve(reported.text);
      else waiting?.reject(unpackFailure(reported.failure));
    });
    thread.on("error", (error) => this.#lose(thread, error instanceof Error ? error : new Error(String(error))));
    thread.on("exit", () => this.#lose(thread, new Error("The thread that reads nights has ended.")));
    thread.unref();
    return thread;
  }

  /** Those who wait are told; the next question starts another thread. */
  #lose(thread: Worker, error: Error): void {
    if (this.#thread !== thread) return;
    this.#thread = null;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(error);
  }

  close(): void {
    void this.#thread?.terminate();
  }
}
