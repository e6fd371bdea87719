import type { QueueEvent } from "../../runner/queue-event.ts";
import type { WorkerNow } from "../postgres/watch.ts";
import { isBelow } from "../serve/addresses.ts";
import type { Lane } from "./lanes.ts";

/** A worker that has just come, or has had nothing to do, takes so long to look what it can serve. */
const looksWithinMs = 6_000;

/** Workers that are there, and would take something of a deployment. */
function serving(workers: readonly WorkerNow[], deployment: string, version: string): WorkerNow[] {
  return workers.filter(
    (worker) =>
      worker.state !== "gone" &&
      worker.state !== "draining" &&
      worker.version === version &&
      worker.deployments.includes(deployment),
  );
}

/** Says why nobody serves a deployment. */
function unservedWords(
  workers: readonly WorkerNow[],
  { name: deployment, baseUrl: address }: Lane["deployment"],
  version: string,
): string {
  const here = workers.filter(({ state }) => state !== "gone");
  if (here.length === 0) return `No worker is there. Start one on some machine: tandem worker URL`;
  const other = here.filter((worker) => worker.version !== version && worker.deployments.includes(deployment));
  const [first] = other;
  if (first !== undefined) {
    const names = other.map(({ name }) => name).join(", ");
    return `${names} would serve ${deployment}, but with tandem ${first.version}: this is ${version}. Install the same version on both sides.`;
  }
  const told = here.flatMap((worker) =>
    worker.told.filter((line) => line.includes(deployment)).map((line) => `${worker.name}: ${line}`),
  );
  const why = told.length === 0 ? "" : ` (${told.join("; ")})`;
  return `No worker serves ${deployment}${why}. Start one that has its key: tandem worker URL --address ${address}`;
}

/** Says for each address of lanes to which no worker that is there may send; empty where none is there: that is told later. */
export function unreachedWords(workers: readonly WorkerNow[], lanes: readonly Lane[]): string[] {
  const here = workers.filter(({ state }) => state !== "gone" && state !== "draining");
  if (here.length === 0) return [];
  const sending = lanes.filter(({ targets }) => targets.some(({ unfinished }) => unfinished > 0));
  const addresses = [...new Set(sending.map(({ deployment }) => deployment.baseUrl))];
  return addresses
    .filter((address) => !here.some((worker) => isBelow(worker.addresses, address)))
    .map((address) => `No worker sends to ${address}: start one with --address ${address}. It is waited for.`);
}

export interface LaneWatchOptions {
  lanes: readonly Lane[];
  /** False where nobody is missed: all that is left of a lane is held. */
  hasLeft: (lane: Lane) => boolean;
  version: string;
  onNotice: (message: string) => void;
  onEvent: (event: QueueEvent) => void;
}

/** Sees who serves what, and says so when nobody does. */
export class LaneWatch {
  readonly #options: LaneWatchOptions;
  /** Since when nobody serves a deployment, and whether that was told. */
  readonly #unserved = new Map<string, { since: number; isTold: boolean }>();
  readonly #limits = new Map<string, string>();
  #workers: readonly WorkerNow[] = [];

  constructor(options: LaneWatchOptions) {
    this.#options = options;
  }

  get workers(): readonly WorkerNow[] {
    return this.#workers;
  }

  sees(workers: readonly WorkerNow[], now: number): void {
    this.#workers = workers;
    for (const lane of this.#options.lanes) this.#look(lane, now);
  }

  #look(lane: Lane, now: number): void {
    const { version, onNotice, hasLeft } = this.#options;
    const { name } = lane.deployment;
    if (serving(this.#workers, name, version).length > 0) {
      if (this.#unserved.get(name)?.isTold === true) onNotice(`${name}: a worker serves it now.`);
      this.#unserved.delete(name);
      return;
    }
    if (lane.stopped !== null || !hasLeft(lane)) return;
    const { since, isTold } = this.#unserved.get(name) ?? { since: now, isTold: false };
    const mayLook = this.#workers.some((worker) => worker.state === "on" && worker.version === version);
    const isTime = !mayLook || now - since > looksWithinMs;
    if (isTime && !isTold)
      onNotice(`${unservedWords(this.#workers, lane.deployment, version)} It is waited for; what is uploaded stays.`);
    this.#unserved.set(name, { since, isTold: isTold || isTime });
  }

  /** Tells when the limits of a lane have moved. */
  limitsMoved({ name, service, deployment }: Lane): void {
    if (service === null || service.reason === null) return;
    const concurrency = service.concurrency ?? deployment.concurrency;
    const limits = JSON.stringify([concurrency, service.rate, service.reason]);
    if (this.#limits.get(name) === limits) return;
    this.#limits.set(name, limits);
    this.#options.onEvent({ type: "pace", lane: name, concurrency, reason: service.reason });
  }
}
