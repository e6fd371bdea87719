import type { Suite } from "./suite.ts";

/** True where some gate has its cases asked once more before it calls a regression. */
export function asksAgain({ decision: { confirm = false, gates } }: Pick<Suite, "decision">): boolean {
  return gates.length === 0 ? confirm : gates.some((gate) => gate.confirm ?? confirm);
}
