import type { GateKind } from "../../suite/gate-settings.ts";
import { casesKind } from "./cases.ts";
import type { GateKindRule } from "./kind.ts";
import { lossesKind } from "./losses.ts";
import { marginKind } from "./margin.ts";

/** Every kind of gate: one line and one file each. */
const kinds: { [K in GateKind]: GateKindRule<K> } = { margin: marginKind, losses: lossesKind, cases: casesKind };

/** The kind of a gate, of one that is asked, or of its record. */
export function gateKindOf<K extends GateKind>({ kind }: { kind: K }): GateKindRule<K> {
  return kinds[kind];
}
