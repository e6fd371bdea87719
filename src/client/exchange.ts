import type { Dispatcher } from "undici";
import { steadyNow } from "../lib/clock.ts";
import type { BodyBudget, BodyReader } from "./body-budget.ts";
import type { ResponseHeaders } from "./verdict.ts";
import type { ReadingGate } from "./gated-client.ts";
import { answerCause } from "./network-cause.ts";

/** The reason of an exchange that might not leave any more when its connection was ready. */
export const heldBack = "leave to send it had run out";

/** Limits for the body of an exchange. */
export interface BodyLimits {
  readonly maxBodyBytes: number;
  readonly bodyBudget: BodyBudget;
}

/**
 * One request on the wire and what has come back: collects, and judges nothing. It ends exactly once: whole
 * (`error` and `why` are null), or with the network error, or with `why` for what this side cut off.
 */
export class Exchange implements Dispatcher.DispatchHandler, BodyReader {
  readonly timeoutMs: number;
  /** Its place among those in flight. */
  place = 0;
  counted = 0;
  /** Moments on the steady clock. `started`: the request was put on a socket; null before. */
  started: number | null = null;
  firstByte = 0;
  done = 0;
  /** Pieces of the answer that have come. */
  pieces = 0;
  status: number | null = null;
  headers: ResponseHeaders = {};
  error: Error | null = null;
  /** The reason why this side cut the exchange off, as a sentence. */
  why: string | null = null;
  tooLarge = false;
  /** Called once, when nothing more can come. */
  onEnd: (() => void) | null = null;
  /** The connection that carries this exchange. */
  gate: ReadingGate | null = null;
  readonly #limits: BodyLimits;
  readonly #mayLeave: (() => boolean) | undefined;
  readonly #chunks: Buffer[] = [];
  #size = 0;
  #deadline = Infinity;
  #heldSince: number | null = null;
  #settled = false;
  #controller: Dispatcher.DispatchController | null = null;

  constructor(limits: BodyLimits, timeoutMs: number, mayLeave?: () => boolean) {
    this.#limits = limits;
    this.timeoutMs = timeoutMs;
    this.#mayLeave = mayLeave;
  }

  /** Everything received of the body. */
  body(): Buffer {
    const [first] = this.#chunks;
    return this.#chunks.length === 1 && first !== undefined ? first : Buffer.concat(this.#chunks, this.#size);
  }

  /** Ends the exchange now. Bytes that were not yet put on a socket never will be. */
  cut(why: string): void {
    if (this.#settled) return;
    this.why = why;
    // The client's parser answers with onResponseError, at once.
    this.#controller?.abort(new Error(why));
    this.#end(null);
  }

  /** True when nothing more can come. */
  get hasEnded(): boolean {
    return this.#settled;
  }

  /** True when the time-out has passed. While this side does not read, its clock stands still. */
  isLate(now: number): boolean {
    return this.started !== null && this.#heldSince === null && now >= this.#deadline;
  }

  pause(): void {
    this.#heldSince = steadyNow();
    this.gate?.hold();
  }

  resume(): void {
    if (this.#heldSince !== null) this.#deadline += steadyNow() - this.#heldSince;
    this.#heldSince = null;
    this.gate?.letGo();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#settled) {
      controller.abort(new Error("stopped before it was sent"));
      return;
    }
    if (this.started !== null) {
      this.#controller = controller;
      this.cut("the connection was lost, and the request would have been sent a second time");
      return;
    }
    this.#controller = controller;
    // The bytes go to the socket as soon as this returns.
    if (this.#mayLeave?.() === false) {
      this.cut(heldBack);
      return;
    }
    this.started = steadyNow();
    this.#deadline = this.started + this.timeoutMs;
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: ResponseHeaders): void {
    // 1xx: the answer is still to come.
    if (status < 200) return;
    this.pieces += 1;
    this.firstByte = steadyNow();
    this.status = status;
    this.headers = headers;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    // A way through a proxy may end an exchange and then go on with the answer of the proxy.
    if (this.#settled) return;
    this.pieces += 1;
    // The headers of a stream leave before there is anything to tell.
    if (this.#size === 0 && isStream(this.headers)) this.firstByte = steadyNow();
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    if (this.#size > this.#limits.maxBodyBytes) {
      this.tooLarge = true;
      this.cut(`the body is over the limit of ${this.#limits.maxBodyBytes} bytes, and reading was stopped`);
      return;
    }
    this.#limits.bodyBudget.take(this, chunk.length);
  }

  onResponseEnd(): void {
    this.#end(null);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.fail(error);
  }

  /** Ends the exchange with the error of the network, or of a request that cannot be written. */
  fail(error: Error): void {
    this.#end(error);
  }

  /** The reason why the answer did not come whole; null when it did. */
  fault(): string | null {
    return this.why ?? (this.error === null ? null : answerCause(this.error));
  }

  #end(error: Error | null): void {
    if (this.#settled) return;
    this.#settled = true;
    this.done = steadyNow();
    this.error = this.why === null ? error : null;
    this.#controller = null;
    this.gate?.letGo();
    // The connection belongs to another exchange from here on.
    this.gate = null;
    this.#limits.bodyBudget.release(this);
    this.onEnd?.();
  }
}

function isStream(headers: ResponseHeaders): boolean {
  const type = headers["content-type"];
  return typeof type === "string" && type.startsWith("text/event-stream");
}
