import { type Dispatcher, Pool } from "undici";
import type { EndpointCall } from "../api/endpoint-call.ts";
import { callOf } from "../api/endpoints.ts";
import type { BodyWithFiles } from "../api/files/case-file.ts";
import { dateOffset } from "../lib/clock.ts";
import {
  brokenOff,
  notSent,
  outcomeOf,
  stopped,
  stoppedBefore,
  timingOf,
  unanswered,
  unmade,
} from "./attempt-outcome.ts";
import type { AttemptRequest } from "./attempt-request.ts";
import { createBodyBudget, type BodyBudget } from "./body-budget.ts";
import { classify, classifyCut, type Cut } from "./classify.ts";
import { direct } from "./service-connection.ts";
import { decodeBody, encodingOf } from "./content-encoding.ts";
import { Exchange, heldBack, type BodyLimits } from "./exchange.ts";
import { GatedClient, type GatedDispatchOptions } from "./gated-client.ts";
import { InFlight } from "./in-flight.ts";
import { connectCause, isRefusedBefore, isUnwritable } from "./network-cause.ts";
import type { AttemptTiming, Outcome } from "./outcome.ts";
import { type OpenBody, openBody } from "./sent-body.ts";
import { createRedactor, type Redactor } from "./redact.ts";
import { headersFor, lineFault, requestLine, type RequestLine, type RequestSource } from "./request-line.ts";
import type { SentRequest } from "./verdict.ts";

const mebibyte = 1024 * 1024;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export interface ClientOptions extends RequestSource {
  /** The most sockets, and so the most attempts on the wire, at a time. */
  connections: number;
  /** Time to make a connection, TLS included; default 10 s. */
  connectTimeoutMs?: number;
  /** The most bytes of one response body, decoded; default 32 MiB. */
  maxBodyBytes?: number;
  /** Shared with the other clients of a process; default 128 MiB for this client alone. */
  bodyBudget?: BodyBudget;
}

/** Makes attempts at one deployment. */
export interface Client extends AsyncDisposable {
  /** The proxy that the latest connection was made through; null: none, or none is made yet. */
  readonly proxy: string | null;
  /** No key is sent, as none is set. */
  readonly isKeyless: boolean;
  /**
   * Makes one HTTP request and says what became of it. It never rejects for anything that a network or a server can
   * do. With a `signal`, an abort ends the attempt: `not-sent` if it was not yet sent, else `ambiguous`.
   */
  attempt(request: AttemptRequest, signal?: AbortSignal): Promise<Outcome>;
  /** Ends every attempt that is under way, at once. Later attempts are `not-sent`. */
  abortAll(): void;
  /** Waits for what is under way, then closes the connections. Later attempts are `not-sent`. */
  close(): Promise<void>;
}

/** A client of one base URL, with its own pool of connections. */
export function createClient(options: ClientOptions): Client {
  return new PoolClient(options);
}

class PoolClient implements Client, BodyLimits {
  readonly maxBodyBytes: number;
  readonly bodyBudget: BodyBudget;
  readonly #dispatcher: Dispatcher;
  #closed = false;
  /** The proxy that requests go through, once that is known. */
  proxy: string | null = null;
  readonly isKeyless: boolean;
  readonly #inFlight = new InFlight();
  readonly #abort = new AbortController();
  readonly #redactor: Redactor;
  readonly #options: ClientOptions;
  readonly #origin: string;
  /** The parts of requests that are the same for all of an endpoint. */
  readonly #lines = new Map<EndpointCall, RequestLine>();

  constructor(options: ClientOptions) {
    const { origin } = new URL(options.baseUrl);
    const { secrets, proxy } = options.connection ?? direct;
    this.maxBodyBytes = options.maxBodyBytes ?? 32 * mebibyte;
    this.bodyBudget = options.bodyBudget ?? createBodyBudget(128 * mebibyte);
    this.#options = options;
    this.isKeyless = options.key === null;
    this.#redactor = createRedactor(options.key, ...secrets);
    const pool = poolOptions(options);
    this.#dispatcher = proxy?.open(origin, pool, (route) => (this.proxy = route)) ?? new Pool(origin, pool);
    this.#origin = origin;
  }

  async attempt(request: AttemptRequest, signal?: AbortSignal): Promise<Outcome> {
    const { endpoint, part, path } = request;
    const fault = request.fault ?? lineFault(this.#lineOf(callOf(endpoint, part)), path);
    if (fault !== null) return unmade(fault, request);
    if (request.body === null || typeof request.body === "string") return this.#exchange(request, request.body, signal);
    return this.#withFiles(request, request.body, signal);
  }

  async #withFiles(request: AttemptRequest, body: BodyWithFiles, signal: AbortSignal | undefined): Promise<Outcome> {
    const late = AbortSignal.timeout(request.timeoutMs);
    const stop = AbortSignal.any([late, this.#abort.signal, ...(signal === undefined ? [] : [signal])]);
    let files: OpenBody;
    try {
      files = await openBody(body, stop);
    } catch (error) {
      if (!stop.aborted) return unmade(messageOf(error), request);
      return late.aborted ? unmade("its files could not be read in time", request) : stoppedBefore(request);
    }
    try {
      const outcome = await this.#exchange(request, files, signal);
      const fault = files.fault();
      return fault === null || outcome.status !== null ? outcome : brokenOff(fault, outcome);
    } finally {
      await files.close();
    }
  }

  async #exchange(request: AttemptRequest, body: SentBody, signal: AbortSignal | undefined): Promise<Outcome> {
    const exchange = new Exchange(this, request.timeoutMs, request.mayLeave);
    const stop = signal === undefined ? null : (): void => exchange.cut(stopped);
    await new Promise<void>((resolve) => {
      exchange.onEnd = resolve;
      this.#inFlight.add(exchange);
      if (stop !== null) signal?.addEventListener("abort", stop);
      if (signal?.aborted === true || this.#abort.signal.aborted) exchange.cut(stopped);
      else this.#dispatch(exchange, request, body);
    });
    this.#inFlight.delete(exchange);
    if (stop !== null) signal?.removeEventListener("abort", stop);
    return this.#outcome(exchange, request);
  }

  abortAll(): void {
    this.#abort.abort();
    this.#inFlight.cutAll(stopped);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#dispatcher.close();
  }

  #dispatch(exchange: Exchange, { endpoint, part, method, path, contentType }: AttemptRequest, sent: SentBody): void {
    try {
      const { prefix, headers: usual } = this.#lineOf(callOf(endpoint, part));
      const hasFiles = sent !== null && typeof sent !== "string";
      const body = hasFiles ? sent.stream() : sent;
      const headers =
        hasFiles || contentType !== undefined ? headersFor(usual, contentType, hasFiles ? sent.length : null) : usual;
      const origin = this.#origin;
      const whole = `${prefix}${path}`;
      const target = whole.startsWith("/") ? whole : `/${whole}`;
      const gated: GatedDispatchOptions = { origin, path: target, method, headers, body, reader: exchange };
      this.#dispatcher.dispatch(gated, exchange);
    } catch (error) {
      exchange.fail(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #lineOf(call: EndpointCall): RequestLine {
    const known = this.#lines.get(call);
    if (known !== undefined) return known;
    const line = requestLine(call, this.#options);
    this.#lines.set(call, line);
    return line;
  }

  #outcome(exchange: Exchange, request: AttemptRequest): Outcome | Promise<Outcome> {
    const { endpoint, part, dateOffset: offset, failedWhen } = request;
    const isUnsent = exchange.started === null || isRefusedBefore(exchange.error);
    const timing = timingOf(exchange, isUnsent ? null : exchange.started, offset ?? dateOffset());
    const { proxy } = this;
    const through = proxy === null ? "" : ` through the proxy ${proxy}`;
    const call = callOf(endpoint, part);
    const where = this.#lineOf(call).where + through;
    const question = {
      endpoint,
      call,
      where,
      proxy,
      redactor: this.#redactor,
      failedWhen,
      receivedAt: exchange.done + dateOffset(),
    };
    if (isUnsent && isUnwritable(exchange.error)) return unmade(connectCause(exchange.error), request);
    if (isUnsent) return unsentOutcome(exchange, question, timing);
    const { status, headers } = exchange;
    if (status === null) return outcomeOf(unanswered(exchange, question), timing);
    const encoding = encodingOf(headers);
    if (encoding !== null) return this.#decoded(encoding, exchange, question, timing);
    const why = exchange.fault();
    const answer = { status, headers, body: exchange.body() };
    if (why === null) return outcomeOf(classify(answer, question), timing);
    return outcomeOf(classifyCut(answer, cutOf(exchange, why), question), timing);
  }

  async #decoded(encoding: string, exchange: Exchange, question: SentRequest, timing: AttemptTiming): Promise<Outcome> {
    const why = exchange.fault();
    const { body, fault, tooLarge } = await decodeBody(encoding, exchange.body(), this.maxBodyBytes, why !== null);
    const answer = { status: exchange.status ?? 0, headers: exchange.headers, body };
    const broken = why ?? fault;
    if (broken === null) return outcomeOf(classify(answer, question), timing);
    const cut = cutOf(exchange, broken);
    return outcomeOf(classifyCut(answer, tooLarge ? { ...cut, tooLarge, byUs: true } : cut, question), timing);
  }
}

const cutOf = ({ tooLarge, why: ownReason }: Exchange, why: string): Cut => ({
  why,
  tooLarge,
  byUs: ownReason !== null,
});

function unsentOutcome(exchange: Exchange, question: SentRequest, timing: AttemptTiming): Outcome {
  const outcome = outcomeOf(notSent(exchange, question), timing);
  return exchange.why === heldBack ? { ...outcome, heldBack: true } : outcome;
}

/** The body of a request: a text, or one with files, which are open. */
type SentBody = string | OpenBody | null;

function poolOptions(options: ClientOptions): Pool.Options {
  return {
    connections: options.connections,
    pipelining: 1,
    // One attempt holds one connection: that is what `connections`, the gate and every cause of a failure are about.
    allowH2: false,
    factory: GatedClient.create,
    // A run may take minutes before its first byte: the deadline of the attempt is the only limit.
    headersTimeout: 0,
    bodyTimeout: 0,
    // A socket that the server is about to close must not be used: the request would be lost in doubt.
    keepAliveTimeout: 4000,
    keepAliveMaxTimeout: 30_000,
    connect: {
      timeout: options.connectTimeoutMs ?? 10_000,
      // Node's 250 ms for each address of a host are too few for a slow link.
      autoSelectFamilyAttemptTimeout: 1000,
      ...options.connection?.tls,
    },
  };
}
