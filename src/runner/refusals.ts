/** The refusal of one request (of its key, its account or its target). */
export interface RefusedRequest {
  /** Who has sent it. */
  side: object;
  jobId: number;
  caseId: number;
  targetId: number;
  /** When it was sent, in milliseconds since 1970. */
  sentAt: number;
  /** The key or its account was refused; false: the target was. */
  ofKey: boolean;
  /** Called when it is the fault of its row alone. */
  onRow: () => void;
  /** Called when it is the last of so many in a row that nothing more is sent. */
  onStop: (streak: RefusedStreak) => void;
}

/** So many refusals in a row that nothing more is sent. */
export interface RefusedStreak {
  refused: readonly RefusedRequest[];
  /** True: the key is refused, and its deployment stops; false: one target is. */
  ofKey: boolean;
}

/**
 * The meaning of a refusal.
 * - `stops`: nothing was accepted before, and nothing else is in flight, so that the key, or the target, is wrong
 * - `row`: a later request was accepted, so that it is the row
 * - `unknown`: the next answers tell
 */
export type RefusalMeaning = "stops" | "row" | "unknown";

/** So many cases refused in a row, with none accepted between, are no fault of theirs. */
const mostInARow = 5;

/** Tells a row that is refused by itself (a filter, a prompt that costs too much) from a key or a target that is. */
export class Refusals {
  /** Target to when the latest of its accepted requests was sent. */
  readonly #accepted = new Map<number, number>();
  /** Those of which it is not known yet. */
  #open: RefusedRequest[] = [];

  accepted(targetId: number, sentAt: number): void {
    this.#accepted.set(targetId, Math.max(this.#acceptedOf(targetId), sentAt));
    this.#blameRows((refusal) => refusal.targetId === targetId && refusal.sentAt < sentAt);
  }

  /** `mayBeRow`: others are in flight, and may be accepted. */
  refused(refusal: RefusedRequest, mayBeRow: boolean): RefusalMeaning {
    const { targetId, sentAt } = refusal;
    if (!mayBeRow && this.#isUnproven(refusal)) return "stops";
    if (this.#acceptedOf(targetId) > sentAt) return "row";
    this.#open.push(refusal);
    return "unknown";
  }

  /** True while it is not known of a request of this side whether its row is at fault. */
  isOpen(side: object): boolean {
    return this.#open.some((refusal) => refusal.side === side);
  }

  /** No other request is left for these targets: what they refused last is not known to be more than a few rows. */
  nothingLeft(targetIds: ReadonlySet<number>): void {
    this.#blameRows(({ targetId }) => targetIds.has(targetId));
  }

  /** A side has gone: what it was refused last stays undecided. */
  forget(side: object): void {
    this.#open = this.#open.filter((refusal) => refusal.side !== side);
  }

  /** True where so many are in a row that nothing more is sent. */
  get hasStreak(): boolean {
    return this.#streak() !== null;
  }

  /** Takes out so many in a row that nothing more is sent: their rows stay undecided. Null: there are fewer. */
  takeStreak(): RefusedStreak | null {
    const streak = this.#streak();
    if (streak === null) return null;
    const targets = new Set(streak.refused.map(({ targetId }) => targetId));
    this.#open = this.#open.filter(({ targetId, ofKey }) => !(streak.ofKey ? ofKey : targets.has(targetId)));
    return streak;
  }

  #streak(): RefusedStreak | null {
    const isLong = (each: readonly RefusedRequest[]): boolean =>
      each.some((refusal) => this.#isUnproven(refusal)) || new Set(each.map(({ caseId }) => caseId)).size >= mostInARow;
    const latest = Math.max(...this.#accepted.values());
    const ofKey = this.#open.filter((refusal) => refusal.ofKey && refusal.sentAt >= latest);
    if (isLong(ofKey)) return { refused: ofKey, ofKey: true };
    const ofTarget = [...Map.groupBy(this.#open, ({ targetId }) => targetId).values()].find(isLong);
    return ofTarget === undefined ? null : { refused: ofTarget, ofKey: false };
  }

  /** The key, or the target, was never accepted. */
  #isUnproven({ ofKey, targetId }: RefusedRequest): boolean {
    return ofKey ? this.#accepted.size === 0 : !this.#accepted.has(targetId);
  }

  #acceptedOf(targetId: number): number {
    return this.#accepted.get(targetId) ?? Number.NEGATIVE_INFINITY;
  }

  #blameRows(isRow: (refusal: RefusedRequest) => boolean): void {
    const { rows = [], others = [] } = Object.groupBy(this.#open, (each) => (isRow(each) ? "rows" : "others"));
    this.#open = others;
    for (const { onRow } of rows) onRow();
  }
}
