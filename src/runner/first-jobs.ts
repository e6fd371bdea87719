import { outcomes } from "../api/outcomes.ts";
import type { Gate, GatedQueue, SettledAttempt } from "./gate.ts";
import type { PendingJob } from "./journal.ts";
import type { RunTarget } from "./run-target.ts";

/** So many wrong requests in a row, each of another case, are a refusal by the target. */
const mostWrong = 3;

/** After so many answers of a gateway to one first job, another one of its target is sent as well. */
const answersOfOneRow = 3;

/** An answer that takes longer holds no job back: a service that is slow, or hangs, has not refused. */
const patienceMs = 60_000;

/** A look at the first answers: one case of each target is sent alone, and the rest after it. */
export interface FirstLook {
  /** True for a case whose answer shows more than others: the first one is such, where the plan begins with any. */
  prefers: (caseId: number) => boolean;
  /** Looks at the answers; resolves with the reason why the rest is not sent, or null. */
  examine: () => Promise<string | null>;
}

export interface FirstJobsOptions extends FirstLook {
  /** Called with the reason why the rest is not sent. */
  onRefused: (reason: string) => void;
  /** Called when the rest may be sent. */
  onOpen: () => void;
}

/**
 * Holds everything back until the first job of each target has told whether the target takes it: a wrong id or address
 * then costs one request and not the half of a run. A first job that cannot tell (a service that is slow, throttles or
 * fails) holds no other back; one whose service cannot be reached does.
 */
export class FirstJobs implements Gate {
  readonly #options: FirstJobsOptions;
  /** Job to the target that it is the first of, and a way to take another in its place: false when there is none. */
  readonly #jobs = new Map<number, { target: string; next: () => boolean }>();
  /** Target to the number of its first jobs that were wrong requests. */
  readonly #wrong = new Map<string, number>();
  readonly #open = new Set<number>();
  /** Target to the error of a request that was wrong; null: its stop tells the error itself. */
  readonly #refused = new Map<string, string | null>();
  #refusal: string | null = null;
  /** Jobs whose service was away so far, with its answers in the words of a gateway; null: it could not be reached. */
  readonly #unreached = new Map<number, { error: string | null; answers: number }>();
  /** Target whose service was away, and was waited for long enough, to the words of a gateway; null: nothing left. */
  readonly #away = new Map<string, string | null>();
  #isOpen = false;
  #timer: NodeJS.Timeout | null = null;
  #examined: Promise<void> = Promise.resolve();

  constructor(options: FirstJobsOptions) {
    this.#options = options;
  }

  /** Adds the first job of each target that has answered nothing yet. */
  join({ targets, jobs }: Pick<GatedQueue, "targets" | "jobs">): void {
    for (const target of targets) if (target.isProven !== true) this.#addNext(target, jobs);
  }

  /** Adds the first job of a target; `next` adds another of its jobs, in case that this one is a wrong request. */
  add(jobId: number, target: string, next: () => boolean): void {
    this.#jobs.set(jobId, { target, next });
    this.#open.add(jobId);
  }

  /** Begins: without first jobs nothing is held back. */
  begin(): void {
    if (this.#open.size === 0) this.#isOpen = true;
    else this.#timer = setTimeout(() => this.#goOn(), patienceMs);
  }

  /** Waits no longer, when all has ended. */
  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  /** Resolves when the first answers have been looked at, if they are to be. */
  get examined(): Promise<void> {
    return this.#examined;
  }

  /** The reason why only first jobs were sent. */
  get refusal(): string | null {
    return this.#refusal;
  }

  isAwaited(jobId: number): boolean {
    return !this.#isOpen && this.#open.has(jobId);
  }

  /** First jobs wait for nothing, but that one of their target which another has sent may look for the service. */
  mayBegin({ id }: Pick<PendingJob, "id">, { isAskedByOthers }: Pick<GatedQueue, "isAskedByOthers">): boolean | null {
    if (this.isAwaited(id)) return !isAskedByOthers();
    if (this.#jobs.has(id)) return true;
    return this.#isOpen ? null : false;
  }

  settled(jobId: number, attempt: SettledAttempt | null): void {
    if (attempt === null) this.#end(jobId, null);
    if (attempt === null || !this.#open.has(jobId)) return;
    const { outcome, decision } = attempt;
    const { kind, error } = outcome;
    const { left, wrongRequest } = outcomes[kind];
    if (decision === "hold" || !left) this.#noteAway(jobId, left ? error : null);
    else this.#unreached.delete(jobId);
    if (decision === "hold" || (decision === "wait" && !left)) return;
    this.#endOthers(jobId);
    if (wrongRequest) this.#isWrong(jobId, error);
    else this.#end(jobId, decision === "stop-target" || decision === "stop-deployment" ? { error: null } : null);
  }

  /** A gateway that answers one job again and again may mean that row alone: then another one looks for the service, too. */
  #noteAway(jobId: number, error: string | null): void {
    const answers = (this.#unreached.get(jobId)?.answers ?? 0) + (error === null ? 0 : 1);
    this.#unreached.set(jobId, { error, answers });
    if (answers === answersOfOneRow) this.#jobs.get(jobId)?.next();
  }

  /** The service has answered a job of a target: no job waits for those that a gateway answered. */
  #endOthers(jobId: number): void {
    const target = this.#jobs.get(jobId)?.target;
    for (const [other, { answers }] of this.#unreached)
      if (answers > 0 && other !== jobId && this.#jobs.get(other)?.target === target) this.#end(other, null);
  }

  /** Notes that nothing more is sent to some targets, because their deployment is out of reach. */
  unreached(targets: readonly string[]): void {
    for (const [jobId, { target }] of this.#jobs) if (targets.includes(target)) this.#end(jobId, { error: null });
  }

  /** Adds the next job of a target; false when there is none. */
  #addNext(target: RunTarget, jobs: GatedQueue["jobs"]): boolean {
    const jobId = jobs.putAhead(target.id, this.#options.prefers);
    if (jobId === null) return false;
    this.add(jobId, target.name, () => this.#addNext(target, jobs));
    return true;
  }

  /** Goes on without the answers that have not come. */
  #goOn(): void {
    for (const jobId of this.#open) if (!this.#unreached.has(jobId)) this.#end(jobId, null);
  }

  /** One row may be wrong by itself; several in a row tell of the target. */
  #isWrong(jobId: number, error: string | null): void {
    const { target = "", next } = this.#jobs.get(jobId) ?? {};
    const wrong = (this.#wrong.get(target) ?? 0) + 1;
    this.#wrong.set(target, wrong);
    const goesOn = wrong < mostWrong && next?.() === true;
    this.#end(jobId, goesOn ? null : { error });
  }

  #end(jobId: number, refused: { error: string | null } | null): void {
    if (!this.#open.delete(jobId)) return;
    const { target = "" } = this.#jobs.get(jobId) ?? {};
    const away = this.#unreached.get(jobId);
    if (refused !== null && away !== undefined) this.#away.set(target, away.error);
    else if (refused !== null) this.#refused.set(target, refused.error);
    if (this.#open.size > 0) return;
    if (this.#refused.size + this.#away.size > 0) this.#refuse();
    else {
      this.#examined = this.#examine();
      // `examined` is awaited at the end: until then its failure is not an unhandled one.
      this.#examined.catch(() => undefined);
    }
  }

  #refuse(): void {
    const reported = [...this.#refused].map(([name, error]) => (error === null ? name : `${name} (${error})`));
    const away = [...this.#away].flatMap(([name, error]) => (error === null ? [name] : []));
    const behindGateway = [...this.#away].flatMap(([name, error]) => (error === null ? [] : [`${name} (${error})`]));
    const parts = [
      ...(reported.length === 0 ? [] : [`${reported.join(", ")} rejected it`]),
      ...(away.length === 0 ? [] : [`${away.join(", ")} ${away.length === 1 ? "was" : "were"} not reached`]),
      ...(behindGateway.length === 0 ? [] : [`${behindGateway.join(", ")} did not answer`]),
    ];
    // Each target is asked first by one request; where none of them has left, nothing has.
    const isAllAway = [...this.#jobs.values()].every(({ target }) => away.includes(target));
    this.#stop(`${isAllAway ? "nothing was sent" : "stopped after one row"}: ${parts.join("; ")}`);
  }

  #stop(reason: string): void {
    this.#refusal = reason;
    this.#options.onRefused(reason);
  }

  async #examine(): Promise<void> {
    let reason: string | null = "the first answers could not be looked at";
    try {
      reason = await this.#options.examine();
    } finally {
      if (reason !== null) this.#stop(`stopped after one row: ${reason}`);
    }
    if (reason === null) {
      this.#isOpen = true;
      this.#options.onOpen();
    }
  }
}
