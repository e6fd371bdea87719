import { version } from "../../lib/version.ts";
import { type Lane, leftOf } from "./lanes.ts";
import { isAlive, type WorkerSeen } from "./remote-batch.ts";

/** A worker that has just come, or has had nothing to do, takes so long to look what it can serve. */
const looksWithinMs = 6_000;

export interface LaneWatchOptions {
  lanes: readonly Lane[];
  /** A worker is waited for so long; null: without a limit. */
  waitsForMs: number | null;
  /** Name of the batch. */
  batch: string;
  onNotice: (message: string) => void;
  /** The service refuses all workers that are there. */
  onRefused: (lane: Lane, left: { reason: string; kind: string | null }) => void;
}

/** Sees who serves what, and says so when nobody does. */
export class LaneWatch {
  readonly #options: LaneWatchOptions;
  /** Since when nobody serves a lane, and the words by which that was told. */
  readonly #unserved = new Map<Lane, { since: number; told: string | null }>();
  /** Lanes that wait for the share of a worker that has gone, of which that was told. */
  readonly #waiting = new Set<Lane>();

  constructor(options: LaneWatchOptions) {
    this.#options = options;
  }

  sees(workers: readonly WorkerSeen[], goneMs: ReadonlyMap<number, number>, now: number): void {
    for (const lane of this.#options.lanes) {
      this.#look(lane, workers.filter(isAlive), now);
      this.#lookAtGone(lane, goneMs.get(lane.id) ?? 0);
    }
  }

  /** Says for how long nothing leaves because of what a worker that has gone had in flight. */
  #lookAtGone(lane: Lane, ms: number): void {
    if (lane.inFlight > 0 || ms === 0) this.#waiting.delete(lane);
    if (lane.inFlight > 0 || ms === 0 || lane.unserved !== null || leftOf(lane) === 0 || this.#waiting.has(lane))
      return;
    this.#waiting.add(lane);
    this.#options.onNotice(
      `${lane.deployment.name}: what a worker that has gone had in flight counts until it is surely over, within ${Math.ceil(ms / 1_000)} s. Started again with its folder, it goes on at once.`,
    );
  }

  /** Why nothing more is waited for: all that is left has been served by nobody for too long. null: it is waited for. */
  givesUp(now: number): string | null {
    const { lanes, waitsForMs } = this.#options;
    const open = lanes.filter((lane) => lane.stopped === null && leftOf(lane) > 0);
    const late = open.filter(({ unserved }) => unserved !== null && now - unserved.since >= (waitsForMs ?? Infinity));
    if (late.length === 0 || late.length < open.length) return null;
    const names = [...new Set(late.map(({ deployment }) => deployment.name))].join(" and ");
    return `no worker serves ${names}, and the time for that is used up (--wait-for-workers)`;
  }

  #look(lane: Lane, here: readonly WorkerSeen[], now: number): void {
    const { onNotice, onRefused } = this.#options;
    const { queue, deployment } = lane;
    const serving = here.filter(({ serves, state }) => serves.includes(queue) && state !== "draining");
    if (serving.some(({ state }) => state === "on")) {
      const told = this.#unserved.get(lane)?.told ?? null;
      this.#unserved.delete(lane);
      lane.unserved = null;
      if (told !== null && !this.#isTold(told)) onNotice(`${deployment.name}: a worker serves it now.`);
      return;
    }
    if (lane.stopped !== null || leftOf(lane) === 0) return;
    const refused = here.flatMap(({ leaves }) => (leaves[queue]?.isByService === true ? [leaves[queue]] : []));
    if (serving.length === 0 && refused[0] !== undefined && refused.length === here.length) {
      onRefused(lane, refused[0]);
      return;
    }
    const known = this.#unserved.get(lane) ?? { since: now, told: null };
    const mayLook = here.some(({ serves, leaves }) => !serves.includes(queue) && leaves[queue] === undefined);
    const isTime = !mayLook || now - known.since > looksWithinMs;
    const words = known.told ?? (isTime ? unservedWords(here, serving, lane) : null);
    if (words !== null && known.told === null && !this.#isTold(words)) onNotice(`${words} ${this.#waitsWords}`);
    this.#unserved.set(lane, { since: known.since, told: words });
    const why = serving.length > 0 ? "the workers that serve it are paused" : "no worker serves it";
    if (words !== null) lane.unserved = { why, since: known.since };
  }

  get #waitsWords(): string {
    return `It is waited for; Ctrl-C stops the batch there, and \`tandem resume ${this.#options.batch} --workers URL\` continues.`;
  }

  /** Another endpoint of the same deployment may wait for the same. */
  #isTold(words: string): boolean {
    return [...this.#unserved.values()].some(({ told }) => told === words);
  }
}

/** Says why nobody serves a lane. */
function unservedWords(
  here: readonly WorkerSeen[],
  serving: readonly WorkerSeen[],
  { queue, deployment }: Lane,
): string {
  if (here.length === 0) return "No worker is there. Start one on some machine: `tandem workers serve URL`.";
  if (serving.length > 0) {
    const names = serving.map(({ name }) => name).join(" ");
    return `All workers that serve ${deployment.name} are paused. Unpause them: \`tandem workers resume ${names}\`.`;
  }
  const told = here.map(({ name, leaves, state }) => {
    const why = state === "draining" ? "it ends" : (leaves[queue]?.reason ?? "it has not looked at it");
    return `${name}: ${why}`;
  });
  return `No worker serves ${deployment.name} (${told.join("; ")}). Start one of tandem ${version} that has its key: \`tandem workers serve URL\`.`;
}
