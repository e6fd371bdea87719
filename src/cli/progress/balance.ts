import { askBalance, type Balance } from "../../app/send/balance.ts";
import type { Access } from "../../app/send/way.ts";
import { number } from "../../report/words/quantity.ts";
import { visible } from "../../report/text/visible.ts";
import type { Terminal } from "../terminal.ts";

/** Notes the credits of each deployment now, and again with what was used when asked. */
export async function watchBalance(
  access: Map<string, Access>,
  terminal: Terminal,
): Promise<{ again: () => Promise<void> }> {
  const before = await balances(access);
  for (const [name, balance] of before) terminal.note(`${name}: ${balanceText(balance)}`);
  return {
    async again() {
      for (const [name, balance] of await balances(access)) {
        const earlier = before.get(name);
        const used =
          balance.state === "known" && earlier?.state === "known"
            ? `; ${number(earlier.credits - balance.credits)} fewer than before`
            : "";
        terminal.note(`${name}: ${balanceText(balance)}${used}`);
      }
    },
  };
}

async function balances(access: Map<string, Access>): Promise<Map<string, Balance>> {
  const asked = [...access].map(async ([name, one]) => [name, await askBalance(one)] as const);
  return new Map(await Promise.all(asked));
}

function balanceText(balance: Balance): string {
  if (balance.state === "known") return `${number(balance.credits)} credits`;
  return balance.state === "refused"
    ? "credits unknown: the key is refused"
    : `credits unknown: ${visible(balance.why)}`;
}
