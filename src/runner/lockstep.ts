/** An endpoint queue as the others see it. */
interface Side {
  /**
   * The earliest job of the plan that it has not finished; null when it holds nobody back: done, stopped, not reachable,
   * or without a sign for long.
   */
  frontier(): number | null;
}

/**
 * Keeps the sides of a comparison together: no side begins a job that is `lead` places of the plan, or more, ahead of
 * what another one has not finished. Only new jobs wait, and the side that is furthest behind never does: there is
 * always one that can go on.
 */
export class Lockstep {
  readonly #lead: number;
  readonly #sides = new Map<string, Side>();
  readonly #onProgress: () => void;

  /** `lead` in places of the plan: cases times the jobs of a case. */
  constructor(lead: number, onProgress: () => void) {
    this.#lead = lead;
    this.#onProgress = onProgress;
  }

  join(queue: string, side: Side): void {
    this.#sides.set(queue, side);
  }

  /** True when an endpoint queue must let the others catch up before it begins this job. */
  mustWait(queue: string, jobId: number): boolean {
    for (const [other, side] of this.#sides) {
      if (other === queue) continue;
      const frontier = side.frontier();
      if (frontier !== null && jobId - frontier >= this.#lead) return true;
    }
    return false;
  }

  /** A side has finished something, or holds nobody back any more: the others look again. */
  moved(): void {
    this.#onProgress();
  }
}
