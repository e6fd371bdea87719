import type { DatabaseLink } from "../journal/database-link.ts";
import type { DatabaseClock, Lease } from "../journal/lease.ts";
import type { SettleDesk } from "../journal/settle-desk.ts";
import type { Postgres } from "../postgres/connection.ts";
import type { BatchFaults } from "./batch-faults.ts";
import type { Clients } from "./clients.ts";
import type { Counters } from "./counters.ts";
import type { TakeDesks } from "./take-desks.ts";

/** Everything that the parts of a worker share. */
export interface Tools {
  workerId: string;
  db: Postgres;
  link: DatabaseLink;
  lease: Lease;
  clock: DatabaseClock;
  takes: TakeDesks;
  settles: SettleDesk;
  clients: Clients;
  faults: BatchFaults;
  counters: Counters;
  /** A chunk is nearly used up: the next one should be there. */
  hungry: () => void;
  /** Tells a person something. */
  tell: (line: string) => void;
  /** The worker cannot go on. */
  fail: (error: unknown) => void;
}
