import type { Journal, PendingJob } from "./journal.ts";

/** Jobs read from the plan at once. */
const pageSize = 256;
/** No more is read from the plan while so many jobs wait to be sent again. */
const mostWaiting = 1_000;
/** So many jobs that were never sent go before one that is throttled alone. */
const freshBefore = 5;

/** The jobs of an endpoint queue: first those that were tried before, then the plan in its order, read page by page. */
export class JobSource {
  readonly #journal: Pick<Journal, "pending">;
  readonly #targets: Set<number>;
  readonly #onReady: () => void;
  /** Jobs that were given out or wait here, until they are released: the journal may name them again. */
  readonly #active = new Set<number>();
  /** Jobs that another process will end: none waits for them, and they are not given out. */
  readonly #left = new Set<number>();
  readonly #waiting = new Map<number, { job: PendingJob; timer: NodeJS.Timeout }>();
  /** Jobs that wait until their service is there, the oldest first. */
  #parked: PendingJob[] = [];
  /** Jobs to send again now. */
  readonly #returned: PendingJob[] = [];
  /** Turns whose time has come, in the order of the plan. */
  readonly #turns: PendingJob[] = [];
  #page: PendingJob[] = [];
  /** Jobs of the plan that go last. */
  #last: PendingJob[] = [];
  #place = 0;
  #after = 0;
  #exhausted = false;
  #keepsOrder = false;

  constructor(journal: Pick<Journal, "pending">, targetIds: number[], onReady: () => void) {
    this.#journal = journal;
    this.#targets = new Set(targetIds);
    this.#onReady = onReady;
  }

  /** Keeps to the order of the plan until the end: sides in lockstep wait for the earliest job of each other, and it must be the next. */
  keepOrder(): void {
    this.#keepsOrder = true;
  }

  /** Jobs that wait for their back-off, or for their service. */
  get waiting(): number {
    return this.#waiting.size + this.#parked.length;
  }

  /** Jobs that are not released or not yet given out, and wait for no other; two stand for more. */
  get unfinished(): number {
    const isPlanned = this.hasReady() && this.#page[this.#place] !== undefined;
    return Math.min(2, this.#active.size + (isPlanned ? 1 : 0));
  }

  /** True when a job is left that is none of these. */
  hasOther(isOneOf: (jobId: number) => boolean): boolean {
    for (const id of this.#active) if (!isOneOf(id)) return true;
    if (this.#readAhead() === undefined) return false;
    const isOther = ({ id }: PendingJob): boolean => !this.#active.has(id) && !isOneOf(id);
    return !this.#exhausted || [...this.#page.slice(this.#place), ...this.#last].some(isOther);
  }

  /** Targets that are not stopped. */
  get targets(): number {
    return this.#targets.size;
  }

  /** The earliest job of the plan that is not released; null when there is none. */
  get frontier(): number | null {
    // Turns whose time has come are among those that are not released.
    const ready = this.hasReady() ? this.#page[this.#place]?.id : undefined;
    let frontier = ready ?? Number.POSITIVE_INFINITY;
    for (const id of this.#active) if (id < frontier) frontier = id;
    return Number.isFinite(frontier) ? frontier : null;
  }

  hasReady(): boolean {
    if (this.#returned.length > 0 || this.#turns.length > 0) return true;
    if (this.#place < this.#page.length) return true;
    return this.#waiting.size < mostWaiting && this.#readAhead() !== undefined;
  }

  /** The next job that was not yet given out; undefined when the plan has no more. */
  #readAhead(): PendingJob | undefined {
    while (this.#place >= this.#page.length && !this.#exhausted) this.#readPage();
    if (this.#place >= this.#page.length) [this.#page, this.#place, this.#last] = [this.#last, 0, []];
    return this.#fresh();
  }

  /** The next job, left in its place; only after `hasReady`. */
  peek(): PendingJob {
    const job = this.#keepsOrder ? this.#earliest() : (this.#returned[0] ?? this.#fresh());
    if (job === undefined) throw new Error("no job is ready");
    return job;
  }

  /** The earliest job of the plan that is ready, whatever it was before. */
  #earliest(): PendingJob | undefined {
    const fresh = this.#fresh();
    const ready = fresh === undefined ? this.#returned : [...this.#returned, fresh];
    return ready.length === 0 ? undefined : ready.reduce((first, job) => (job.id < first.id ? job : first));
  }

  /** The next job; only after `hasReady`. */
  take(): PendingJob {
    const job = this.peek();
    const at = this.#returned.indexOf(job);
    if (at === -1) this.#takeFresh(job);
    else this.#returned.splice(at, 1);
    this.#active.add(job.id);
    return job;
  }

  #takeFresh(job: PendingJob): void {
    if (job === this.#page[this.#place]) this.#place += 1;
    else this.#turns.splice(this.#turns.indexOf(job), 1);
    this.#active.add(job.id);
  }

  /** A job to send as soon as a slot is free, before all that are new. */
  again(job: PendingJob): void {
    if (this.#isDropped(job)) return;
    this.#returned.push(job);
    this.#onReady();
  }

  /** A job to send again after a few of those that are new; where there are none, at once. */
  behind(job: PendingJob): void {
    if (this.#keepsOrder || this.#readAhead() === undefined || !this.#targets.has(job.targetId)) {
      this.again(job);
      return;
    }
    // Those that are throttled alone as well would be sent in turns, and no other tells whether it is the service.
    const fresh = this.#page.flatMap(({ attempts }, place) => (place >= this.#place && attempts === 0 ? [place] : []));
    this.#page.splice((fresh[freshBefore - 1] ?? this.#page.length - 1) + 1, 0, job);
    this.#onReady();
  }

  /** Keeps a job from being given out: it was submitted before. */
  hold(jobId: number): void {
    this.#active.add(jobId);
  }

  /** Leaves a job that was given out to another process. */
  leave(jobId: number): void {
    this.#active.delete(jobId);
    this.#left.add(jobId);
  }

  /**
   * Puts the first pending job of a target before all that are new, of a case that is preferred where the first page has
   * one. Returns its id; null when there is none.
   */
  putAhead(targetId: number, prefers: (caseId: number) => boolean): number | null {
    const pending = this.#journal.pending([targetId], 0, pageSize).filter(({ id }) => !this.#isTaken(id));
    const early = pending.filter(({ goesLast }) => goesLast !== true);
    const job = early.find(({ caseId }) => prefers(caseId)) ?? early[0] ?? pending[0];
    if (job === undefined) return null;
    this.#last = this.#last.filter(({ id }) => id !== job.id);
    const at = this.#page.findIndex(({ id }, place) => id === job.id && place >= this.#place);
    if (at !== -1) this.#page.splice(at, 1);
    this.again(job);
    return job.id;
  }

  /** A job to send again after this time; until then it holds no slot. */
  later(job: PendingJob, ms: number): void {
    if (this.#isDropped(job)) return;
    const timer = setTimeout(() => {
      const waited = this.#waiting.get(job.id)?.job ?? job;
      this.#waiting.delete(job.id);
      this.again(waited);
    }, ms);
    this.#waiting.set(job.id, { job, timer });
  }

  /** A job to send again when its service is there. */
  park(job: PendingJob): void {
    if (this.#isDropped(job)) return;
    this.#parked.push(job);
    this.#onReady();
  }

  /** Lets those of these jobs that wait for a back-off wait for their service. */
  parkWaiting(jobIds: ReadonlySet<number>): void {
    for (const [id, { job, timer }] of this.#waiting) {
      if (!jobIds.has(id)) continue;
      clearTimeout(timer);
      this.#waiting.delete(id);
      this.park(job);
    }
  }

  /** Takes a job that was never sent, and that may look for a service, to the front; false when there is none. */
  putFreshAhead(mayLook: (job: PendingJob) => boolean): boolean {
    const isFresh = (job: PendingJob): boolean => job.attempts === 0 && mayLook(job);
    const at = this.#returned.findIndex(isFresh);
    const fresh = at === -1 ? this.#readAhead() : this.#returned.splice(at, 1)[0];
    if (fresh === undefined || !isFresh(fresh)) return false;
    if (at === -1) this.#takeFresh(fresh);
    this.#returned.unshift(fresh);
    return true;
  }

  /** Takes the oldest job that waits for its service, and that may look for it, to the front; false when there is none. */
  unparkOne(mayLook: (job: PendingJob) => boolean): boolean {
    const at = this.#parked.findIndex(mayLook);
    const [job] = at === -1 ? [] : this.#parked.splice(at, 1);
    if (job !== undefined) this.#returned.unshift(job);
    return job !== undefined;
  }

  /** Sends all again that wait for their service; some of them have their tries back. */
  unpark(givenBack: ReadonlySet<number>): void {
    const whole = (job: PendingJob): PendingJob => (givenBack.has(job.id) ? { ...job, failures: 0 } : job);
    const returned = [...this.#returned, ...this.#parked].map(whole);
    this.#parked = [];
    this.#returned.splice(0, this.#returned.length, ...returned);
    for (const waiting of this.#waiting.values()) waiting.job = whole(waiting.job);
    this.#onReady();
  }

  /** The next turn of a conversation; nothing happens when the plan has brought it already. */
  follow(turn: PendingJob): void {
    if (!this.#targets.has(turn.targetId) || this.#active.has(turn.id)) return;
    if (this.#page.some(({ id }, place) => id === turn.id && place >= this.#place)) return;
    this.#active.add(turn.id);
    const place = this.#turns.findIndex(({ id }) => id > turn.id);
    this.#turns.splice(place === -1 ? this.#turns.length : place, 0, turn);
    this.#onReady();
  }

  /** A job that was given out will not come back. */
  release(jobId: number): void {
    this.#active.delete(jobId);
  }

  /** Sends nothing more to a target. */
  drop(targetId: number): void {
    if (!this.#targets.delete(targetId)) return;
    const keep = (job: PendingJob): boolean => job.targetId !== targetId;
    for (const job of this.#page.slice(this.#place)) if (!keep(job)) this.release(job.id);
    this.#page = this.#page.slice(this.#place).filter(keep);
    this.#place = 0;
    this.#last = this.#last.filter(keep);
    for (const list of [this.#returned, this.#turns, this.#parked]) {
      for (const job of list.filter((each) => !keep(each))) this.release(job.id);
      list.splice(0, list.length, ...list.filter(keep));
    }
    for (const [id, { job, timer }] of this.#waiting) {
      if (keep(job)) continue;
      clearTimeout(timer);
      this.#waiting.delete(id);
      this.release(id);
    }
    this.#onReady();
  }

  close(): void {
    for (const { timer } of this.#waiting.values()) clearTimeout(timer);
    this.#waiting.clear();
  }

  /**
   * The next job that was not yet given out: the earliest in the plan. When no conversation is left to begin, the one that has come
   * least far goes first: the last of them would else be alone at the end, each turn after the other.
   */
  #fresh(): PendingJob | undefined {
    const turn = this.#turns[0];
    const planned = this.#page[this.#place];
    if (turn !== undefined && planned === undefined && this.#exhausted && !this.#keepsOrder)
      return this.#turns.reduce((first, each) => (each.turn < first.turn ? each : first), turn);
    return turn !== undefined && (planned === undefined || turn.id < planned.id) ? turn : planned;
  }

  #readPage(): void {
    const page = this.#journal.pending([...this.#targets], this.#after, pageSize);
    this.#after = page.at(-1)?.id ?? this.#after;
    this.#exhausted = page.length < pageSize;
    // A turn whose predecessor has just finished may have been given out already.
    const own = page.filter(({ id }) => !this.#isTaken(id));
    this.#page = own.filter(({ goesLast }) => goesLast !== true);
    this.#last.push(...own.filter(({ goesLast }) => goesLast === true));
    this.#place = 0;
  }

  /** Releases a job of a target to which nothing more is sent. */
  #isDropped({ id, targetId }: PendingJob): boolean {
    if (this.#targets.has(targetId)) return false;
    this.release(id);
    return true;
  }

  #isTaken(id: number): boolean {
    return this.#active.has(id) || this.#left.has(id);
  }
}
