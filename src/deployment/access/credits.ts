import type { Caller } from "./keys.ts";

/** The credits that are left to each key. A key without a number of credits never runs out. */
export class Credits {
  private readonly spent = new Map<string, number>();

  /** The balance that `/v1/balance/` answers: a whole number. */
  balance(caller: Caller): number {
    const all = caller.settings?.credits ?? null;
    return all === null ? 1_000_000 : Math.floor(all - (this.spent.get(caller.name) ?? 0));
  }

  /** Takes the price of a run before it begins; false when the credits do not suffice. */
  take(caller: Caller, price: number): boolean {
    if (caller.settings?.credits === undefined || caller.settings.credits === null) return true;
    if (this.balance(caller) < price) return false;
    this.spent.set(caller.name, (this.spent.get(caller.name) ?? 0) + price);
    return true;
  }

  /** Gives the price back: a failed run is not paid. */
  giveBack(caller: Caller, price: number): void {
    if (this.spent.has(caller.name)) this.spent.set(caller.name, (this.spent.get(caller.name) ?? 0) - price);
  }
}
