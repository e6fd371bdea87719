import { steadyNow } from "../lib/clock.ts";
import type { Exchange } from "./exchange.ts";

const longestPeriodMs = 250;

/** An exchange whose time-out has passed, and the pieces of its answer that had come by then. */
interface Late {
  exchange: Exchange;
  pieces: number;
}

/**
 * The exchanges that have not ended, and the one timer that holds their deadlines: every twentieth of the shortest
 * time-out, at most 250 ms, it cuts off what is late. This process itself may have stood still, so what has arrived by
 * then is read first. The timer runs only while something is in flight, and keeps no process alive. A time-out counts from the moment the request is put on a socket; before that the connect time-out holds.
 */
export class InFlight {
  /** A list, each knows its place: a set that changes all the time would keep the dead alive. */
  readonly #exchanges: Exchange[] = [];
  #timer: NodeJS.Timeout | null = null;
  #periodMs = 0;

  add(exchange: Exchange): void {
    exchange.place = this.#exchanges.push(exchange) - 1;
    const period = Math.min(longestPeriodMs, Math.max(1, Math.floor(exchange.timeoutMs / 20)));
    if (this.#timer === null || period < this.#periodMs) this.#start(period);
  }

  delete(exchange: Exchange): void {
    const last = this.#exchanges.pop();
    if (last === undefined || last === exchange) return;
    this.#exchanges[exchange.place] = last;
    last.place = exchange.place;
  }

  cutAll(why: string): void {
    for (const exchange of this.#exchanges) exchange.cut(why);
  }

  #start(periodMs: number): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#periodMs = periodMs;
    this.#timer = setInterval(() => this.#sweep(), periodMs);
    this.#timer.unref();
  }

  #sweep(): void {
    if (this.#exchanges.length === 0 && this.#timer !== null) {
      clearInterval(this.#timer);
      this.#timer = null;
      return;
    }
    const now = steadyNow();
    const late: Late[] = [];
    for (const exchange of this.#exchanges) {
      if (exchange.isLate(now)) late.push({ exchange, pieces: exchange.pieces });
    }
    if (late.length > 0) setImmediate(() => cutIdle(late));
  }
}

/** Cuts off those for which the sockets had nothing more to read in this turn of the event loop; the others get another. */
function cutIdle(late: readonly Late[]): void {
  const stillReading: Late[] = [];
  for (const { exchange, pieces } of late) {
    if (exchange.hasEnded || !exchange.isLate(steadyNow())) continue;
    if (exchange.pieces > pieces) stillReading.push({ exchange, pieces: exchange.pieces });
    else exchange.cut(`no complete answer came within the time-out of ${exchange.timeoutMs / 1000} s`);
  }
  if (stillReading.length > 0) setImmediate(() => cutIdle(stillReading));
}
