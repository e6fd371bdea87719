import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { boundedJson } from "../../lib/json.ts";
import { filesIn, type ReceivedFile } from "../data-url.ts";
import { hashText } from "../../lib/hash.ts";
import { now } from "../../lib/clock.ts";

/** One request as it was received, and what became of it. Never holds a key. */
export type JournalEntry = {
  /** Counts from 1 in the order in which the requests were complete. */
  n: number;
  /** Milliseconds since the Unix epoch when the last byte of the request was there. */
  receivedAt: number;
  endpoint: string;
  exampleId: string;
  /** The masked key; null without one. */
  key: string | null;
  /** SHA-256 of the body, hexadecimal. */
  bodySha: string;
  /** The body as text, at most 4,000 characters of it. */
  body: string;
  /** The files in it: parts of a form, and data URLs. */
  files: ReceivedFile[];
  /** Requests that were being answered at that moment, this one included. */
  inFlight: number;
  /** null until it is answered, and for good when the connection ended before. */
  status: number | null;
  answeredAt: number | null;
  /** The run that was made; null when there was none. */
  runId: string | null;
  /** The kind of the fault that was done to it. */
  fault: string | null;
};

/** Number of requests with one body for one target, and of the runs they made. */
export type BodyCount = {
  target: string;
  bodySha: string;
  received: number;
  runs: number;
};

/** Facts known when a request has come in. */
export interface Received {
  endpoint: string;
  exampleId: string;
  key: string | null;
  body: string;
}

export interface JournalOptions {
  /** Keep entries and counts, not only totals. */
  enabled: boolean;
  /** A JSONL file to append to; null keeps the entries in memory only. */
  file: string | null;
  /** Number of entries kept in memory. */
  entries: number;
  /** Number of distinct bodies that are counted. */
  bodies: number;
}

const maxBodyText = 4000;

/** The files of a body; none where it is no JSON. */
function filesOf(body: string): ReceivedFile[] {
  try {
    return filesIn(boundedJson(body));
  } catch {
    return [];
  }
}

/**
 * Every request that the deployment received. In a file, each line is written before the request is worked on, by a
 * synchronous write: it outlives the process on either side.
 */
export class RequestJournal {
  readonly enabled: boolean;
  received = 0;
  runs = 0;
  inFlight = 0;
  maxInFlight = 0;
  /** Requests that the counts leave out: their body was new when `bodies` others were counted already. */
  uncounted = 0;
  private readonly options: JournalOptions;
  private file: number | null;
  private kept: JournalEntry[] = [];
  private readonly bodies = new Map<string, BodyCount>();

  constructor(options: JournalOptions) {
    this.options = options;
    this.enabled = options.enabled;
    if (options.file !== null) mkdirSync(dirname(options.file), { recursive: true });
    this.file = options.file === null ? null : openSync(options.file, "a", 0o600);
  }

  /** Counts a request; gives its entry, or null when no entries are kept. */
  receive(request: Received): JournalEntry | null {
    this.received++;
    this.inFlight++;
    this.maxInFlight = Math.max(this.maxInFlight, this.inFlight);
    if (!this.enabled) return null;
    const { body, ...rest } = request;
    const entry: JournalEntry = {
      n: this.received,
      receivedAt: now(),
      ...rest,
      bodySha: hashText(body),
      body: body.slice(0, maxBodyText),
      files: body.includes("base64") ? filesOf(body) : [],
      inFlight: this.inFlight,
      status: null,
      answeredAt: null,
      runId: null,
      fault: null,
    };
    const count = this.count(entry);
    if (count === null) this.uncounted++;
    else count.received++;
    this.keep(entry);
    this.append({ event: "received", ...entry });
    return entry;
  }

  /** A run was made for a request, whatever will be answered. */
  ran(entry: JournalEntry | null, runId: string): void {
    this.runs++;
    if (entry === null) return;
    entry.runId = runId;
    const count = this.count(entry);
    if (count !== null) count.runs++;
    this.append({ event: "ran", n: entry.n, runId });
  }

  /** The connection of a request is done with it. `status` is null when nothing was answered. */
  done(entry: JournalEntry | null, status: number | null): void {
    this.inFlight--;
    if (entry === null) return;
    entry.status = status;
    entry.answeredAt = status === null ? null : now();
    const { n, runId, fault, answeredAt } = entry;
    this.append({ event: "done", n, status, answeredAt, runId, fault });
  }

  /** The entries that are kept, oldest first. */
  entries(): JournalEntry[] {
    return this.kept.slice(-this.options.entries);
  }

  /** Number of requests with each body, in the order in which it first came. */
  counts(): BodyCount[] {
    return [...this.bodies.values()];
  }

  /** Ends the file. The results of runs that are still being made are no longer written. */
  close(): void {
    if (this.file !== null) closeSync(this.file);
    this.file = null;
  }

  /** The count of a request's body; null when there is no room for another one. */
  private count(entry: JournalEntry): BodyCount | null {
    const target = `${entry.endpoint}?example_id=${entry.exampleId}`;
    const name = `${target} ${entry.bodySha.slice(0, 32)}`;
    const known = this.bodies.get(name);
    if (known !== undefined) return known;
    if (this.bodies.size >= this.options.bodies) return null;
    const count = { target, bodySha: entry.bodySha, received: 0, runs: 0 };
    this.bodies.set(name, count);
    return count;
  }

  private keep(entry: JournalEntry): void {
    this.kept.push(entry);
    if (this.kept.length >= 2 * this.options.entries) this.kept = this.kept.slice(-this.options.entries);
  }

  private append(line: object): void {
    if (this.file !== null) writeSync(this.file, `${JSON.stringify(line)}\n`);
  }
}
