/** Shortest time over which a pace is told, and the time after which it is measured anew. */
const leastMs = 4000;
const windowMs = 60_000;

interface Look {
  at: number;
  left: number;
}

/** Tells how fast batches come along, by the times at which somebody looked. */
export class Paces {
  readonly #looks = new Map<number, Look[]>();

  /** Time until nothing is left, at the pace of the last minute; null: it is not known yet. */
  leftMs(batch: number, left: number): number | null {
    const now = performance.now();
    const looks = (this.#looks.get(batch) ?? []).filter(({ at }) => now - at < windowMs);
    looks.push({ at: now, left });
    this.#looks.set(batch, looks);
    const [first] = looks;
    if (first === undefined || now - first.at < leastMs || first.left <= left) return null;
    return (left * (now - first.at)) / (first.left - left);
  }

  forget(batch: number): void {
    this.#looks.delete(batch);
  }
}
