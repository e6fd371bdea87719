import type { QueueEvent } from "../../runner/queue-event.ts";
import { deadAfterMs } from "../journal/lease.ts";
import { workKind } from "../postgres/open-work.ts";
import type { ServingWorker } from "../postgres/watch.ts";
import { isBelow } from "../serve/addresses.ts";
import type { Queue } from "./queues.ts";

/** A worker that has just come, or has had nothing to do, takes so long to look what it can serve. */
const looksWithinMs = 6_000;

/** The others hold one that is silent for longer for dead; where there are none, nobody has entered that. */
export const isAlive = ({ state, silentMs }: ServingWorker): boolean => state !== "gone" && silentMs < deadAfterMs;

/** Workers that are there to stay. */
const staying = (workers: readonly ServingWorker[]): ServingWorker[] =>
  workers.filter((worker) => isAlive(worker) && worker.state !== "draining");

/** Says why nobody serves a kind of requests. */
function unservedWords(
  workers: readonly ServingWorker[],
  { name: deployment, baseUrl: address }: Queue["deployment"],
  { kind, version }: { kind: string; version: string },
): string {
  const here = workers.filter(isAlive);
  if (here.length === 0) return "No worker is there. Start one on some machine: `tandem worker URL`.";
  const serving = here.filter(({ serves, state }) => serves.includes(kind) && state === "paused");
  if (serving.length > 0) {
    const names = serving.map(({ name }) => name).join(" ");
    return `All workers that serve ${deployment} are paused. Unpause them: \`tandem workers resume ${names}\`.`;
  }
  const reported = here.map(
    ({ name, leaves, state }) => `${name}: ${state === "draining" ? "it ends" : leftWords(leaves[kind])}`,
  );
  return `No worker serves ${deployment} (${reported.join("; ")}). Start one of tandem ${version} that has its key: \`tandem worker URL --address ${address}\`.`;
}

const leftWords = (reason = "it has not looked at it"): string => reason.replace(/\.$/, "");

/** Says for each address of queues to which no worker that is there may send; empty where none is there: that is told later. */
export function unreachedWords(workers: readonly ServingWorker[], queues: readonly Queue[]): string[] {
  const sending = queues.filter(({ targets }) => targets.some(({ unfinished }) => unfinished > 0));
  return unreachedAddresses(
    workers,
    sending.map(({ deployment }) => deployment),
  ).map((address) => `${unreachedWord(address)} It is waited for.`);
}

/** Addresses to which none of the workers that are there sends; empty where none is there. */
function unreachedAddresses(
  workers: readonly ServingWorker[],
  deployments: readonly Pick<Queue["deployment"], "baseUrl">[],
): string[] {
  const here = staying(workers);
  if (here.length === 0) return [];
  const addresses = [...new Set(deployments.map(({ baseUrl }) => baseUrl))];
  return addresses.filter((address) => !here.some((worker) => isBelow(worker.addresses, address)));
}

const unreachedWord = (address: string): string =>
  `No worker sends to ${address}: start one with --address ${address}.`;

export interface QueueWatchOptions {
  lanes: readonly Queue[];
  /** False where nobody is missed: all that is left of a queue is held. */
  hasLeft: (queue: Queue) => boolean;
  /** A worker is waited for so long; null: without a limit. */
  waitsForMs: number | null;
  /** Name of the batch. */
  batch: () => string;
  version: string;
  onNotice: (message: string) => void;
  onEvent: (event: QueueEvent) => void;
}

/** Sees who serves what, and says so when nobody does. */
export class QueueWatch {
  readonly #options: QueueWatchOptions;
  /** Since when nobody serves a queue, and the words by which that was told. */
  readonly #unserved = new Map<string, { since: number; told: string | null }>();
  readonly #limits = new Map<string, string>();
  #workers: readonly ServingWorker[] = [];

  constructor(options: QueueWatchOptions) {
    this.#options = options;
  }

  get workers(): readonly ServingWorker[] {
    return this.#workers;
  }

  sees(workers: readonly ServingWorker[], now: number): void {
    this.#workers = workers;
    for (const queue of this.#options.lanes) this.#look(queue, now);
  }

  /** Why nothing more is waited for: all that is left has been served by nobody for too long. null: it is waited for. */
  givesUp(now: number): string | null {
    const { lanes: queues, hasLeft, waitsForMs } = this.#options;
    const left = queues.filter((queue) => queue.stopped === null && hasLeft(queue));
    const late = left.filter(({ unserved }) => unserved !== null && now - unserved.since >= (waitsForMs ?? Infinity));
    if (late.length === 0 || late.length < left.length) return null;
    const names = [...new Set(late.map(({ deployment }) => deployment.name))].join(" and ");
    return `no worker serves ${names}, and the time for that is used up (--wait-for-workers)`;
  }

  #look(queue: Queue, now: number): void {
    const { version, onNotice, hasLeft } = this.#options;
    const { name: deployment } = queue.deployment;
    // Nothing is known of its account before it has been asked for once.
    if (queue.service === null) return;
    const kind = workKind({ service: queue.service.id, version, deployment });
    const here = staying(this.#workers);
    if (here.some(({ serves, state }) => serves.includes(kind) && state === "on")) {
      const { told: reported = null } = this.#unserved.get(queue.name) ?? {};
      this.#unserved.delete(queue.name);
      queue.unserved = null;
      if (reported !== null && !this.#isTold(reported)) onNotice(`${deployment}: a worker serves it now.`);
      return;
    }
    if (queue.stopped !== null || !hasLeft(queue)) return;
    const { since, told: reported } = this.#unserved.get(queue.name) ?? { since: now, told: null };
    const mayLook = here.some(({ serves, leaves }) => !serves.includes(kind) && leaves[kind] === undefined);
    const isTime = !mayLook || now - since > looksWithinMs;
    const words = reported ?? (isTime ? unservedWords(this.#workers, queue.deployment, { kind, version }) : null);
    if (words !== null && reported === null && !this.#isTold(words)) onNotice(`${words} ${this.#waitsWords}`);
    this.#unserved.set(queue.name, { since, told: words });
    const isPaused = here.some(({ serves }) => serves.includes(kind));
    const why = isPaused ? "the workers that serve it are paused" : "no worker serves it";
    if (words !== null) queue.unserved = { why, since };
  }

  get #waitsWords(): string {
    return `It is waited for; Ctrl-C leaves what is uploaded, and \`tandem resume ${this.#options.batch()} --workers URL\` continues.`;
  }

  /** Another endpoint of the same deployment may wait for the same. */
  #isTold(words: string): boolean {
    return [...this.#unserved.values()].some(({ told: reported }) => reported === words);
  }

  /** Tells when the limits of a queue have moved. */
  limitsMoved({ name, service, deployment }: Queue): void {
    if (service === null || service.reason === null) return;
    const concurrency = service.concurrency ?? deployment.concurrency;
    const limits = JSON.stringify([concurrency, service.rate, service.reason]);
    if (this.#limits.get(name) === limits) return;
    this.#limits.set(name, limits);
    this.#options.onEvent({ type: "pace", lane: name, concurrency, reason: service.reason });
  }
}
