import type { AttemptRequest } from "../../src/client/attempt-request.ts";
import type { Client } from "../../src/client/client.ts";
import type { Outcome } from "../../src/client/outcome.ts";
import { dateOffset, steadyNow } from "../../src/lib/clock.ts";
import type { Connection } from "../../src/store/connection.ts";
import { Sqlite, sqlite } from "../../src/store/sqlite.ts";
import { outcome } from "./outcome.ts";

/** The reply of a scripted service to a request. */
export interface Line {
  outcome: Partial<Outcome>;
  delayMs: number;
}

/** A request as the scripted service received it. */
export interface Seen {
  jobId: number;
  prompt: string;
  /** 1 for the first request of a job. */
  time: number;
  outcome: Outcome | null;
  body: string;
  /** When it came, as its dates go. */
  at: number;
}

/**
 * A client without a network that answers as it is told. It looks into the database with a connection of its own
 * before it answers, and notes what is not as it must be.
 */
export class ScriptedClient implements Client {
  readonly proxy = null;
  readonly isKeyless = false;
  readonly seen: Seen[] = [];
  readonly faults: string[] = [];
  mostInFlight = 0;
  /** The most entries of requests in flight that were seen in the database. */
  mostOpen = 0;
  readonly #script: (seen: Seen) => Line;
  readonly #jobs: Map<string, number>;
  readonly #journal: Connection;
  readonly #target: string;
  readonly #cuts = new Set<() => void>();
  #aborted = false;

  constructor(db: Connection, target: string, script: (seen: Seen) => Line) {
    this.#script = script;
    this.#target = target;
    this.#journal = new Sqlite(db.name, { readonly: true });
    const rows = sqlite(this.#journal)
      .prepare<[string], { id: number; prompt: string }>(
        `SELECT job.id, "case".input ->> '$.input_prompt' AS prompt FROM job JOIN "case" ON "case".id = job.case_id
         JOIN target ON target.id = job.target_id WHERE target.name = ?`,
      )
      .all(target);
    this.#jobs = new Map(rows.map(({ id, prompt }) => [prompt, id]));
  }

  attempt({ body: sent, dateOffset: offset = dateOffset(), mayLeave }: AttemptRequest): Promise<Outcome> {
    const body = typeof sent === "string" ? sent : "";
    const { input_prompt: prompt } = JSON.parse(body) as { input_prompt: string };
    const jobId = this.#jobs.get(prompt);
    if (jobId === undefined) throw new Error(`${this.#target} has no job for ${prompt}`);
    this.#checkBooks(jobId);
    if (mayLeave?.() === false) return Promise.resolve(outcome({ kind: "not-sent", heldBack: true }));
    const time = this.seen.filter((each) => each.jobId === jobId).length + 1;
    const seen: Seen = { jobId, prompt, time, outcome: null, body, at: steadyNow() + offset };
    this.seen.push(seen);
    if (this.#aborted) {
      seen.outcome = outcome({
        kind: "not-sent",
        error: "stopped",
        timing: { sentAt: null, firstByteAt: null, doneAt: 1 },
      });
      return Promise.resolve(seen.outcome);
    }
    const line = this.#script(seen);
    return new Promise((resolve) => {
      const cut = (): void => end({ kind: "ambiguous", error: "cut", possiblyPaid: true });
      const end = (part: Partial<Outcome>): void => {
        this.#cuts.delete(cut);
        clearTimeout(timer);
        seen.outcome = outcome(part);
        resolve(seen.outcome);
      };
      const timer = setTimeout(() => end(line.outcome), line.delayMs);
      this.#cuts.add(cut);
      this.mostInFlight = Math.max(this.mostInFlight, this.#cuts.size);
    });
  }

  abortAll(): void {
    this.#aborted = true;
    for (const cut of this.#cuts) cut();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async close(): Promise<void> {
    this.#journal.close();
  }

  /** The entry of this attempt is on disk before it is sent, and there are no more entries than requests in flight. */
  #checkBooks(jobId: number): void {
    const job = sqlite(this.#journal)
      .prepare<[number], { outcome: string | null; open: number; number: number | null }>(
        `SELECT outcome, (SELECT number FROM sending WHERE job_id = job.id) AS number,
           (SELECT count(*) FROM sending JOIN job AS other ON other.id = sending.job_id WHERE other.target_id = job.target_id) AS open
         FROM job WHERE id = ?`,
      )
      .get(jobId);
    if (job === undefined || job.number === null) this.faults.push(`job ${jobId} was sent before its entry`);
    else if (job.outcome !== null) this.faults.push(`job ${jobId} was sent after its outcome ${job.outcome}`);
    this.mostOpen = Math.max(this.mostOpen, job?.open ?? 0);
  }
}
