import { costOf, type Price } from "../api/price.ts";
import type { Outcome } from "../client/outcome.ts";

/** Limits of a run's spending; null: no limit. */
export interface BudgetLimits {
  /** Requests, not counting those that were throttled or never left. */
  requests: number | null;
  /** In the unit of the prices. */
  cost: number | null;
  durationMs: number | null;
  /** Jobs that ended without an answer. */
  failures: number | null;
}

/** Counts what a run spends, over all deployments. */
export class Budget {
  readonly #limits: BudgetLimits;
  readonly #startedAt: number;
  #requests = 0;
  #failures = 0;
  #cost = 0;
  #isCostUnknown = false;

  /** Its time begins `now`, on the steady clock. */
  constructor(limits: BudgetLimits, now: number) {
    this.#limits = limits;
    this.#startedAt = now;
  }

  /** Its limits, for those who count elsewhere. */
  get limits(): BudgetLimits {
    return this.#limits;
  }

  /** When its time is used up; null: never. */
  get endsAt(): number | null {
    const { durationMs } = this.#limits;
    return durationMs === null ? null : this.#startedAt + durationMs;
  }

  /** Takes one request; only while nothing is spent. */
  take(): void {
    this.#requests += 1;
  }

  /** Gives a request back that was throttled or never left. */
  giveBack(): void {
    this.#requests -= 1;
  }

  /** Counts the cost of a run; null: it is not known, and a limit of cost cannot be kept. */
  pay(cost: number | null): void {
    this.#cost += cost ?? 0;
    if (cost === null) this.#isCostUnknown = true;
  }

  failed(): void {
    this.#failures += 1;
  }

  /** The reason why nothing more may be started; null: go on. */
  spent(now: number): string | null {
    const { durationMs } = this.#limits;
    if (durationMs !== null && now - this.#startedAt >= durationMs) return "the time is used up (--max-duration)";
    return spentReason(this.#limits, {
      requests: this.#requests,
      failures: this.#failures,
      cost: this.#cost,
      isCostUnknown: this.#isCostUnknown,
    });
  }
}

/** The reason why what was spent, here or elsewhere, is all that there is. */
export function spentReason(
  { requests, cost, failures }: BudgetLimits,
  spent: { requests: number; failures: number; cost: number; isCostUnknown: boolean },
): string | null {
  if (failures !== null && spent.failures >= failures)
    return `${spent.failures} jobs failed (--max-failures ${failures})`;
  if (cost !== null && spent.isCostUnknown)
    return "a reply did not tell the tokens by which it costs, so --max-cost cannot be kept";
  if (cost !== null && spent.cost >= cost) return `${Number(spent.cost.toPrecision(6))} is spent (--max-cost ${cost})`;
  if (requests !== null && spent.requests >= requests) return `${requests} requests are spent (--budget)`;
  return null;
}

/** Requests until a limit is reached, if the next ones are as those before; Infinity: none comes nearer. */
export function requestsUntilSpent(
  { requests, cost, failures }: BudgetLimits,
  spent: { requests: number; failures: number; cost: number },
): number {
  const atThatRate = (limit: number | null, used: number): number =>
    limit === null || used === 0 ? Number.POSITIVE_INFINITY : Math.ceil(((limit - used) * spent.requests) / used);
  return Math.min(
    requests === null ? Number.POSITIVE_INFINITY : requests - spent.requests,
    atThatRate(cost, spent.cost),
    atThatRate(failures, spent.failures),
  );
}

/** The cost of an attempt that was spent; 0: it had none that is known; null: it has one that is not told. */
export function paidFor(price: Price | null, { kind, possiblyPaid, usage }: Outcome): number | null {
  const cost = costOf(price, usage ?? null);
  if (kind === "ok" && price !== null) return cost;
  return possiblyPaid ? (cost ?? 0) : 0;
}
