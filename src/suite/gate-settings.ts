import type { z } from "zod";
import type { GateLimits, gateSettings } from "./schema/compare-schema.ts";

export type GateKind = keyof GateLimits;

export type GateSettings = z.output<typeof gateSettings>;

/** Facts about a kind of gate. */
interface GateFacts {
  /** The way to compare a metric, where it is always the same. */
  of: GateSettings["of"];
  /** The rows that a person looks at when it finds a regression. */
  badRows: "worse" | "not-holding";
}

export const gateKinds: Record<GateKind, GateFacts> = {
  margin: { of: null, badRows: "worse" },
  losses: { of: "pass", badRows: "worse" },
  cases: { of: "pass", badRows: "not-holding" },
};

export type WrittenLimits = { [Key in GateKind]?: unknown };

/** The limits that a gate names, as it is written or as it was read. */
export function namedLimits(gate: WrittenLimits): GateKind[] {
  return Object.keys(gateKinds)
    .filter((key) => isKind(key))
    .filter((kind) => gate[kind] !== undefined && gate[kind] !== null);
}

/** Kind of a gate, by the limit that it names: a margin where it names none. */
export function kindOfGate(gate: WrittenLimits): GateKind {
  return namedLimits(gate).at(-1) ?? "margin";
}

/** The same with their values. */
export function gateLimits(gate: { [Key in GateKind]?: GateLimits[Key] | null | undefined }): Partial<GateLimits> {
  return Object.fromEntries(namedLimits(gate).map((kind) => [kind, gate[kind]]));
}

function isKind(key: string): key is GateKind {
  return key in gateKinds;
}

/** `3 of 5`: passes, and the tries that are asked for; null: it says something else, or what no case could do or miss. */
export function triesOf({ pass: text }: GateLimits["cases"]): { pass: number; of: number } | null {
  const found = /^ *(\d{1,4}) +of +(\d{1,4}) *$/.exec(text);
  const [pass, of] = [Number(found?.[1] ?? 0), Number(found?.[2] ?? 0)];
  return pass >= 1 && pass <= of && of <= 1_000 ? { pass, of } : null;
}
