import { steadyNow } from "../../lib/clock.ts";
import { seededRandom } from "../../lib/random.ts";
import { defaultWaits } from "../../runner/backoff.ts";
import { Health } from "../../runner/health.ts";
import type { PaceEntry } from "../../runner/journal.ts";
import type { Deployment } from "../../suite/suite.ts";
import type { Granted, SyncAsked } from "../postgres/calls.ts";
import { AccountShare, leaseMs } from "./account-share.ts";
import type { Moment } from "./moment.ts";

/** A request takes no longer than its time-out and this. */
const overAfterMs = 5_000;

/** An account as the runners of a batch's chunks send with it. */
export interface OpenAccount {
  /** Limits what may leave from here; all batches have the same. */
  share: AccountShare;
  /** The service as the batch has found it, by whichever of its chunks. */
  health: Health;
  /** A limit of it was learned: a later batch begins with that. */
  learned: (entry: PaceEntry) => void;
  /** The service is given up: whoever begins again finds out again. */
  forget: () => void;
}

/** A batch that sends with an account. */
interface Sender {
  /** The number of the batch. */
  batch: number;
  /** Address and key, as a fingerprint, with the endpoint. */
  account: string;
  deployment: Deployment;
  endpoint: string;
  seed: string;
}

/** Counts the requests that the chunks of an account could have in flight. */
type WantedOf = (share: AccountShare) => number;

/** The share of an account, as the database is asked for it. */
interface AskedShare {
  share: AccountShare;
  /** Within which a request surely ends. */
  longestMs: number;
  /** The database may keep some of it for this worker. */
  isAsked: boolean;
}

/** The accounts that a worker sends with. */
export class Accounts {
  readonly #shares = new Map<string, AskedShare>();
  readonly #paces = new Map<string, PaceEntry>();
  /** Batch to account to what it has found: as on one machine, each batch finds out for itself. */
  readonly #healths = new Map<number, Map<string, Health>>();

  of(sender: Sender): OpenAccount {
    const { batch, account, deployment } = sender;
    const known = this.#shares.get(account);
    const longestMs = Math.max(known?.longestMs ?? 0, deployment.timeoutMs + overAfterMs);
    const share = known?.share ?? new AccountShare(account);
    this.#shares.set(account, { share, longestMs, isAsked: true });
    const healths = this.#healths.get(batch) ?? new Map<string, Health>();
    this.#healths.set(batch, healths);
    const health = healths.get(account) ?? this.#newHealth(sender, share);
    healths.set(account, health);
    return {
      share,
      health,
      learned: (entry) => void this.#paces.set(account, entry),
      forget: () => void healths.delete(account),
    };
  }

  #newHealth({ account, deployment, endpoint, seed }: Sender, share: AccountShare): Health {
    return new Health({
      // Its rate is kept by the share, over all workers.
      deployments: [{ ...deployment, rate: null }],
      endpoint,
      share,
      journal: { sentSince: () => [], lastPace: () => this.#paces.get(account) ?? null },
      random: seededRandom(`${seed} ${account} limits`),
      waits: defaultWaits,
      now: steadyNow(),
    });
  }

  /** Requests in flight. */
  get flying(): number {
    return [...this.#shares.values()].reduce((sum, { share }) => sum + share.flying, 0);
  }

  /** Another form of a batch has come, which may have other limits. */
  forgetHealth(batch: number): void {
    this.#healths.delete(batch);
  }

  /** Keeps what was found by these batches alone: whoever begins one again finds out again. */
  keepHealth(batches: ReadonlySet<number>): void {
    for (const batch of this.#healths.keys()) if (!batches.has(batch)) this.#healths.delete(batch);
  }

  /** Names what is asked of the database, in one order, so that no two workers wait for each other. */
  ask(owner: string, { isPaused, wantedOf }: { isPaused: boolean; wantedOf: WantedOf }): SyncAsked["accounts"] {
    return this.#inOrder().map(([name, { share, longestMs }]) => {
      share.pause(isPaused);
      const wanted = isPaused ? 0 : wantedOf(share);
      const permits = wanted === 0 ? 0 : Math.min(wanted, share.permitsWanted);
      return { name, owner, wanted, held: share.held, permits, leaseMs, longestMs };
    });
  }

  /**
   * Keeps what was granted for what was asked then, and lets go of accounts that no chunk is sent with. True: the database has
   * to be told at once that nothing of one is held any more, as others wait for the rest of it otherwise.
   */
  told(
    asked: SyncAsked["accounts"],
    granted: readonly Granted[],
    { askedAt, isUsed }: { askedAt: Moment; isUsed: (share: AccountShare) => boolean },
  ): boolean {
    let isHurried = false;
    for (const [place, { name, wanted, held }] of asked.entries()) {
      const known = this.#shares.get(name);
      const one = granted[place];
      if (known === undefined) continue;
      const { share } = known;
      if (one !== undefined) share.renew(one, askedAt);
      if (isUsed(share) || wanted !== 0 || share.held > 0) continue;
      if (held === 0) known.isAsked = false;
      else isHurried = true;
    }
    return isHurried;
  }

  #inOrder(): [string, AskedShare][] {
    return [...this.#shares].filter(([, { isAsked }]) => isAsked).toSorted(([one], [other]) => (one < other ? -1 : 1));
  }
}
