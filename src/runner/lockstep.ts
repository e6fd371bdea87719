import type { Gate, GatedQueue } from "./gate.ts";
import type { PendingJob } from "./journal.ts";

/**
 * Keeps the sides of a comparison together: no side begins a job that is `lead` places of the plan, or more, ahead of
 * what another one has not finished. Only new jobs wait, and the side that is furthest behind never does: there is
 * always one that can go on.
 */
export class Lockstep implements Gate {
  readonly #lead: number;
  readonly #queues: GatedQueue[] = [];

  /** `lead` in places of the plan: cases times the jobs of a case. */
  constructor(lead: number) {
    this.#lead = lead;
  }

  join(queue: GatedQueue): void {
    // Sides wait for the earliest job of each other, and it must be the next.
    queue.jobs.keepOrder();
    this.#queues.push(queue);
  }

  mayBegin({ id, firstTriedAt }: PendingJob, queue: GatedQueue): boolean | null {
    if (firstTriedAt !== null) return null;
    const isAhead = (frontier: number | null): boolean => frontier !== null && id - frontier >= this.#lead;
    return !this.#queues.some((other) => other !== queue && isAhead(other.frontier()));
  }

  isAwaited(): boolean {
    return false;
  }

  settled(): void {}
}
