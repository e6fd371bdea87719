import type { DatabaseLink } from "../journal/database-link.ts";
import { type DatabaseClock, type Lease, thisMoment } from "../journal/lease.ts";
import type { SentResult } from "../journal/result.ts";
import { type Carried, type TakeCounter, TakeDesk, type TakeListener } from "../journal/take-desk.ts";
import type { Postgres } from "../postgres/connection.ts";
import { isAway } from "../postgres/failure.ts";
import { type Landing, settle, settleAndTake } from "../postgres/settle.ts";
import { giveBack, take } from "../postgres/take.ts";
import type { BatchFaults } from "./batch-faults.ts";

/** A batch at a service. */
interface Place {
  /** Number of the batch. */
  batch: number;
  service: number;
}

/** A question that goes with results. */
interface Carrying {
  name: string;
  place: Place;
  question: Carried;
}

interface DeskTools {
  workerId: string;
  db: Postgres;
  link: DatabaseLink;
  lease: Pick<Lease, "isHeld">;
  clock: DatabaseClock;
  faults: Pick<BatchFaults, "within" | "found">;
}

/** The desks of a worker, one for each batch at each service: its chunks ask together. */
export class TakeDesks {
  readonly #desks = new Map<string, { place: Place; desk: TakeDesk }>();
  readonly #tools: DeskTools;

  constructor(tools: DeskTools) {
    this.#tools = tools;
  }

  /** Opens a place for a chunk at the desk of its batch. */
  counter(place: Place, listener: TakeListener): TakeCounter {
    for (const [name, { desk }] of this.#desks) if (desk.isIdle) this.#desks.delete(name);
    const name = `${place.batch} ${place.service}`;
    const found = this.#desks.get(name) ?? { place, desk: deskOf(this.#tools, place) };
    this.#desks.set(name, found);
    return found.desk.counter(listener);
  }

  /** Enters results of a batch, in the same commit with the question of those who wait for leave of it: they get the places that become free. */
  async settle(worker: string, results: readonly SentResult[]): Promise<Landing[]> {
    const { db, workerId } = this.#tools;
    const carrying = worker === workerId ? this.#carrying(results[0]?.batch ?? 0) : null;
    const landings =
      carrying === null ? await settle(db, worker, results) : await this.#settleAndTake(results, carrying);
    for (const [name, { desk }] of this.#desks) if (name !== carrying?.name) desk.nudge();
    return landings;
  }

  /** The question of a desk of a batch, if one has any. */
  #carrying(batch: number): Carrying | null {
    for (const [name, { place, desk }] of this.#desks) {
      const question = place.batch === batch ? desk.carry() : null;
      if (question !== null) return { name, place, question };
    }
    return null;
  }

  async #settleAndTake(results: readonly SentResult[], { place, question }: Carrying): Promise<Landing[]> {
    const { db, clock, workerId } = this.#tools;
    const { token, attempts: jobs, answered, lost } = question;
    const began = thisMoment();
    try {
      const request = { worker: workerId, token, ...place, jobs, until: clock.patience() };
      const { landings, told: reported } = await settleAndTake(db, results, request);
      clock.told(reported.dbNow, began);
      answered(reported);
      return landings;
    } catch (error) {
      lost();
      // A fault of the question is none of the results.
      if (isAway(error)) throw error;
      return await settle(db, workerId, results);
    }
  }
}

function deskOf({ db, link, workerId, lease, clock, faults }: DeskTools, { batch, service }: Place): TakeDesk {
  return new TakeDesk({
    link,
    async take(token, jobs) {
      const began = thisMoment();
      const reported = await take(db, { worker: workerId, token, batch, service, jobs, until: clock.patience() });
      clock.told(reported.dbNow, began);
      return reported;
    },
    mayLeave: () => lease.isHeld,
    takeBack: (token, jobs) => giveBack(db, { worker: workerId, batch, jobs, token, until: clock.patience() }),
    giveBack(jobs) {
      const back = { worker: workerId, batch, jobs };
      void faults.within(batch, () => giveBack(db, { ...back, until: clock.patience() }), []);
    },
    onFailure: (error) => faults.found(batch, error),
  });
}
