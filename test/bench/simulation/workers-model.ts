/** Milliseconds of one statement: a part for itself, and a part for each attempt in it. */
export interface StatementCost {
  each: number;
  perAttempt: number;
}

/** A PostgreSQL with its workers, as far as statements go. */
export interface WorkersModel {
  workers: number;
  /** Accounts: each has a row that one `take` at a time holds. */
  services: number;
  /** Requests in flight at a service, over all workers. */
  concurrency: number;
  /** Time that a service takes to answer. */
  latencyMs: number;
  take: StatementCost;
  settle: StatementCost;
  /** Statements that the server works at together. */
  cores: number;
  /** Simulated time. */
  forMs: number;
}

/** Rates a second, and parts of the time. */
export interface Simulated {
  requests: number;
  takes: number;
  settles: number;
  /** Attempts of a `take`. */
  group: number;
  /** How busy the rows of services, and the server, are: 1 is all the time. */
  rows: number;
  server: number;
}

interface Job {
  ms: number;
  done: () => void;
}

/** Work that waits for one of a few places, first come, first served. */
class Places {
  busyMs = 0;
  #free: number;
  readonly #waiting: Job[] = [];
  readonly #later: (ms: number, work: () => void) => void;

  constructor(places: number, later: (ms: number, work: () => void) => void) {
    this.#free = places;
    this.#later = later;
  }

  enter(job: Job): void {
    this.#waiting.push(job);
    this.#next();
  }

  #next(): void {
    if (this.#free === 0) return;
    const job = this.#waiting.shift();
    if (job === undefined) return;
    this.#free -= 1;
    this.busyMs += job.ms;
    this.#later(job.ms, () => {
      this.#free += 1;
      job.done();
      this.#next();
    });
  }
}

/** Events in the order of their time: a heap of which the first comes next. */
class Agenda {
  now = 0;
  readonly #heap: { at: number; work: () => void }[] = [];

  readonly later = (ms: number, work: () => void): void => {
    const heap = this.#heap;
    heap.push({ at: this.now + ms, work });
    for (let place = heap.length - 1; place > 0;) {
      const parent = (place - 1) >> 1;
      if (this.#at(parent) <= this.#at(place)) break;
      this.#swap(parent, place);
      place = parent;
    }
  };

  run(untilMs: number): void {
    for (;;) {
      const first = this.#heap[0];
      if (first === undefined || first.at > untilMs) return;
      const last = this.#heap.pop();
      if (last !== undefined && this.#heap.length > 0) {
        this.#heap[0] = last;
        this.#sink();
      }
      this.now = first.at;
      first.work();
    }
  }

  #sink(): void {
    for (let place = 0; ;) {
      const [left, right] = [2 * place + 1, 2 * place + 2];
      const least = this.#at(right) < this.#at(left) ? right : left;
      if (this.#at(least) >= this.#at(place)) return;
      this.#swap(least, place);
      place = least;
    }
  }

  #at(place: number): number {
    return this.#heap[place]?.at ?? Number.POSITIVE_INFINITY;
  }

  #swap(one: number, other: number): void {
    const [first, second] = [this.#heap[one], this.#heap[other]];
    if (first === undefined || second === undefined) return;
    this.#heap[one] = second;
    this.#heap[other] = first;
  }
}

const cost = ({ each, perAttempt }: StatementCost, attempts: number): number => each + perAttempt * attempts;

/**
 * Plays workers that have more to send than they may: each takes for the places that are free at its service, waits for
 * answers, and enters those that have come meanwhile in one statement. A `take` holds the row of its service.
 */
export function simulateWorkers(model: WorkersModel): Simulated {
  const agenda = new Agenda();
  const server = new Places(model.cores, agenda.later);
  const rows = Array.from({ length: model.services }, () => new Places(1, agenda.later));
  const free = rows.map(() => model.concurrency);
  const sums = { requests: 0, takes: 0, settles: 0 };
  const worker = (place: number): void => {
    const service = place % model.services;
    const share = Math.max(1, Math.ceil((model.concurrency * model.services) / model.workers));
    const state = { inFlight: 0, answered: 0, isTaking: false, isSettling: false };
    const take = (): void => {
      const wanted = Math.min(200, share - state.inFlight, free[service] ?? 0);
      if (state.isTaking || wanted <= 0) return;
      state.isTaking = true;
      free[service] = (free[service] ?? 0) - wanted;
      state.inFlight += wanted;
      const ms = cost(model.take, wanted);
      // The row is held for as long as the server works at it: who waits for the row needs no core.
      rows[service]?.enter({
        ms,
        done: () => {
          server.busyMs += ms;
          sums.takes += 1;
          sums.requests += wanted;
          state.isTaking = false;
          for (let request = 0; request < wanted; request += 1) agenda.later(model.latencyMs, answered);
          take();
        },
      });
    };
    const answered = (): void => {
      state.answered += 1;
      settle();
    };
    const settle = (): void => {
      if (state.isSettling || state.answered === 0) return;
      state.isSettling = true;
      const group = Math.min(200, state.answered);
      state.answered -= group;
      server.enter({
        ms: cost(model.settle, group),
        done: () => {
          sums.settles += 1;
          state.isSettling = false;
          state.inFlight -= group;
          free[service] = (free[service] ?? 0) + group;
          take();
          settle();
        },
      });
    };
    // Workers do not begin in the same moment.
    agenda.later((place / model.workers) * model.latencyMs, take);
  };
  for (let place = 0; place < model.workers; place += 1) worker(place);
  agenda.run(model.forMs);
  const seconds = model.forMs / 1_000;
  const rowsBusy = rows.reduce((sum, { busyMs }) => sum + busyMs, 0) / (model.services * model.forMs);
  return {
    requests: sums.requests / seconds,
    takes: sums.takes / seconds,
    settles: sums.settles / seconds,
    group: sums.takes === 0 ? 0 : sums.requests / sums.takes,
    rows: rowsBusy,
    server: server.busyMs / (model.cores * model.forMs),
  };
}
