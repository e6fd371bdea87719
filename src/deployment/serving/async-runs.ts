import type { ServiceEndpoint } from "../../api/endpoint-name.ts";
import { now } from "../../lib/clock.ts";
import type { JsonObject, JsonValue } from "../../lib/json.ts";
import { type HttpAnswer, jsonAnswer } from "../answers/http-answer.ts";
import { notFound } from "../answers/refusal.ts";
import type { RunIdentity } from "../record/record.ts";

/** The end of a run that nobody waited for. `status`: an error with a code, told with that status. */
export type AsyncEnd = { output: JsonObject } | { error: string; status: number | null };

/** A run that answers before it is done, as it stands. */
interface AsyncRun {
  run: RunIdentity;
  uid: string;
  endpoint: ServiceEndpoint;
  startedAt: number;
  /** Milliseconds from its submission until it leaves `standby`, and then `starting`. */
  standbyMs: number;
  startingMs: number;
  /** Its output is told once. */
  deletes: boolean;
  end: AsyncEnd | null;
  endedAt: number;
}

/** The runs of the asynchronous form, with their states. They are gone when the deployment is started again. */
export class AsyncRuns {
  /** Requests for a status so far. */
  polls = 0;
  readonly #runs = new Map<string, AsyncRun>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  /** Keeps a run that has been taken. */
  add(given: Omit<AsyncRun, "end" | "endedAt" | "startedAt">): void {
    this.#runs.set(given.run.id, { ...given, startedAt: now(), end: null, endedAt: 0 });
    if (this.#runs.size <= this.#most) return;
    // Those that are still going are asked for again: the oldest of the others goes.
    for (const [id, { end }] of this.#runs) {
      if (end === null) continue;
      this.#runs.delete(id);
      return;
    }
  }

  end(id: string, end: AsyncEnd): void {
    const run = this.#runs.get(id);
    if (run !== undefined) Object.assign(run, { end, endedAt: now() });
  }

  /** Forgets a run, as a service that was started again. */
  forget(id: string): void {
    this.#runs.delete(id);
  }

  /** The answer to whoever asks what became of a run; 404 for a run that is not known, or not theirs. */
  status(endpoint: ServiceEndpoint, id: string, uid: string): HttpAnswer {
    this.polls += 1;
    const run = this.#runs.get(id);
    if (run === undefined || run.uid !== uid || run.endpoint !== endpoint) return notFound();
    const state = stateOf(run);
    const { end } = run;
    const asked = { ...identity(run), run_time_sec: seconds(run, state) };
    if (end === null || (state !== "completed" && state !== "failed")) return reported(asked, state, "", null);
    if ("output" in end) {
      const { output } = end;
      if (run.deletes) run.end = { output: Object.fromEntries(Object.keys(output).map((name) => [name, null])) };
      return reported(asked, state, "", output);
    }
    if (end.status === null) return reported(asked, state, end.error, null);
    return jsonAnswer(end.status, { detail: { ...asked, error: end.error } });
  }
}

function stateOf({ startedAt, standbyMs, startingMs, end }: AsyncRun): string {
  const age = now() - startedAt;
  if (age < standbyMs) return "standby";
  if (age < standbyMs + startingMs) return "starting";
  if (end === null) return "running";
  return "output" in end ? "completed" : "failed";
}

/** Seconds of the run itself, without the waiting before it. */
function seconds({ startedAt, standbyMs, startingMs, endedAt }: AsyncRun, state: string): number {
  const began = startedAt + standbyMs + startingMs;
  if (state === "standby" || state === "starting") return 0;
  return Math.max(0, (endedAt === 0 ? now() : endedAt) - began) / 1000;
}

/** The names that the asynchronous form has for what a record calls `id` and `url`. */
function identity({ run }: Pick<AsyncRun, "run">): { run_id: string; web_url: string; created_at: string } {
  return { run_id: run.id, web_url: run.url, created_at: run.createdAt };
}

function reported(asked: JsonObject, status: string, detail: string, output: JsonValue): HttpAnswer {
  return jsonAnswer(200, { ...asked, status, detail, output });
}

/** The answer to a run that has been taken: where to ask what becomes of it. */
export function takenAnswer(run: RunIdentity, statusUrl: string): HttpAnswer {
  return jsonAnswer(202, { ...identity({ run }), status_url: statusUrl }, { location: statusUrl });
}
