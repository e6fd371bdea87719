import type { DatabaseLink } from "../journal/database-link.ts";
import { type DatabaseClock, type Lease, thisMoment } from "../journal/lease.ts";
import { type TakeCounter, TakeDesk, type TakeListener } from "../journal/take-desk.ts";
import { giveBack, take } from "../postgres/take.ts";
import type { Postgres } from "../postgres/connection.ts";
import type { BatchFaults } from "./batch-faults.ts";

/** A batch at a service. */
interface Place {
  /** Number of the batch. */
  batch: number;
  service: number;
}

interface DeskTools {
  workerId: string;
  db: Postgres;
  link: DatabaseLink;
  lease: Lease;
  clock: DatabaseClock;
  faults: Pick<BatchFaults, "within" | "found">;
}

/** The desks of a worker, one for each batch at each service: its slices ask together. */
export class TakeDesks {
  readonly #desks = new Map<string, TakeDesk>();
  readonly #tools: DeskTools;

  constructor(tools: DeskTools) {
    this.#tools = tools;
  }

  /** Opens a place for a slice at the desk of its batch. */
  counter(place: Place, listener: TakeListener): TakeCounter {
    for (const [name, desk] of this.#desks) if (desk.isIdle) this.#desks.delete(name);
    const name = `${place.batch} ${place.service}`;
    const desk = this.#desks.get(name) ?? deskOf(this.#tools, place);
    this.#desks.set(name, desk);
    return desk.counter(listener);
  }

  /** Slots may have become free. */
  nudge(): void {
    for (const desk of this.#desks.values()) desk.nudge();
  }
}

function deskOf({ db, link, workerId, lease, clock, faults }: DeskTools, { batch, service }: Place): TakeDesk {
  return new TakeDesk({
    link,
    async take(token, jobs) {
      const began = thisMoment();
      const told = await take(db, { worker: workerId, token, batch, service, jobs, until: clock.patience() });
      clock.told(told.dbNow, began);
      return told;
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
