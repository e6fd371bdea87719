import { costOf } from "../../api/price.ts";
import type { Client } from "../../client/client.ts";
import type { Outcome } from "../../client/outcome.ts";
import type { Budget } from "../budget.ts";
import type { Answers } from "../answers.ts";
import { reasonOf } from "../completion.ts";
import { steadyNow } from "../../lib/clock.ts";
import type { JobSource } from "../job-source.ts";
import type { Journal, PendingJob, Sending } from "../journal.ts";
import type { StepRules } from "../next-step.ts";
import { OpenRuns } from "./open-runs.ts";
import type { RunTarget } from "../run-target.ts";

interface SubmittedRunsOptions extends Pick<StepRules, "deployment" | "waits"> {
  client: Client;
  journal: Journal;
  jobs: JobSource;
  budget: Budget;
  answers: Answers;
  /** Called when nobody may ask here any more. */
  onRefused: (reason: string, kind: Outcome["kind"]) => void;
  onChange: () => void;
}

/** Keeps the runs of an endpoint queue that the service has taken: their ids in the journal, and their ends. */
export class SubmittedRuns {
  readonly #options: SubmittedRunsOptions;
  readonly #open: OpenRuns;

  constructor(options: SubmittedRunsOptions) {
    this.#options = options;
    this.#open = new OpenRuns({
      ...options,
      onEnded: ({ job, target, taken, reattached }, outcome, isFinal) => {
        const tried = { ...job, attempts: taken.number };
        options.answers.settle({ job: tried, target, queuedAt: taken.queuedAt, outcome, isFinal, reattached });
      },
      onOutcome: ({ job }, outcome, askedAt) => options.answers.onOutcome(job.id, outcome, askedAt),
      onLeft: ({ job }) => options.jobs.leave(job.id),
      onRefused: (outcome) => {
        this.#open.close();
        options.onRefused(reasonOf(outcome), outcome.kind);
      },
    });
  }

  /** Runs that have not ended. */
  get size(): number {
    return this.#open.size;
  }

  isSilent(now: number, finishedAt: number, patienceMs: number): boolean {
    return this.#open.isSilent(now, finishedAt, patienceMs);
  }

  finishesWithinMs(now: number): number {
    return this.#open.finishesWithinMs(now);
  }

  /** The reason why some are left to a later process; null: none is. */
  get leftReason(): string | null {
    const { left, lastUntold } = this.#open;
    if (left <= 0) return null;
    const which = left === 1 ? "1 run is" : `${left} runs are`;
    const longest = `longer than the timeout of ${this.#options.deployment.timeoutMs / 1_000} s`;
    const last = lastUntold === null ? "" : ` (an answer that told nothing: ${lastUntold})`;
    return `${which} still going on at the service, ${longest}${last}; a resume asks again and sends nothing twice`;
  }

  /** Goes on asking for the runs that an earlier process had submitted; gives the ids of the targets that have taken them. */
  reattach(targets: ReadonlyMap<number, RunTarget>): Set<number> {
    const found = new Set<number>();
    const { journal, jobs } = this.#options;
    for (const { job, taken } of journal.takenRuns([...targets.keys()])) {
      const target = targets.get(job.targetId);
      if (target === undefined) continue;
      jobs.hold(job.id);
      // Only dates are known of the time until now. Where the clock was set back meanwhile, that time counts as none.
      const date = Math.max(journal.now(), taken.sentAt ?? taken.queuedAt);
      this.#open.add({ job, target, taken, reattached: true, dateOffset: date - steadyNow() });
      found.add(target.id);
    }
    return found;
  }

  /** Enters the id of a run before anything else: from here on it is asked for, whatever becomes of this process. */
  async take(
    { job, target, entry, queuedAt: moment }: { job: PendingJob; target: RunTarget; entry: Sending; queuedAt: number },
    outcome: Outcome,
  ): Promise<void> {
    const { jobId, number, queuedAt } = entry;
    const dateOffset = queuedAt - moment;
    const { record, timing } = outcome;
    const run = { id: record?.id ?? "", url: record?.url ?? null, createdAt: record?.createdAt ?? null };
    const taken = { jobId, number, queuedAt, sentAt: timing.sentAt, run };
    await this.#options.journal.taken(taken);
    // A price by the run is due from here on, not when the run ends; these endpoints tell no tokens.
    const cost = costOf(target.price ?? null, null);
    if (cost !== null) this.#options.budget.pay(cost);
    this.#open.add({ job: { ...job, attempts: number }, target, taken, reattached: false, dateOffset });
  }

  /** Asks no more: what has not ended is left to a later process. */
  close(): void {
    this.#open.close();
  }
}
