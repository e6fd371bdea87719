import type { GateKind } from "../../suite/gate-settings.ts";
import type { GateRule } from "./gate-rule.ts";
import { casesRule } from "./cases-gate.ts";
import { lossesRule } from "./losses-gate.ts";
import { marginRule } from "./margin-gate.ts";

/** Every kind of gate. */
const kinds: { [K in GateKind]: GateRule<K> } = { margin: marginRule, losses: lossesRule, cases: casesRule };

/** The rules of a gate, its question or its result. */
export function gateRuleOf<K extends GateKind>({ kind }: { kind: K }): GateRule<K> {
  return kinds[kind];
}
