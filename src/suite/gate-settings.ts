/** The limit of each kind of gate, by the key that it is written with: a line here, and the compiler leads through the rest (CONTRIBUTING). */
export interface GateLimits {
  /** Loss that is accepted, in the unit of `of`. */
  margin: number;
  /** The most cases that may turn from pass to fail. */
  losses: number;
  /** Passes that every case has to have among its tries: `{ pass: "3 of 5" }`. */
  cases: { pass: string };
}

export type GateKind = keyof GateLimits;

type Nullable<Of> = { [Key in keyof Of]: Of[Key] | null };

/** A rule about one metric: the candidate may be worse than the baseline by no more than the limit of its kind. */
export interface GateSettings extends Partial<Nullable<GateLimits>> {
  metric: string;
  /** Margin in the unit of `of`; null: the default of the metric. */
  margin: number | null;
  /** null: pass where the scorer says pass or fail, else value. */
  of: "pass" | "value" | "median" | "ratio" | null;
  /** Tag of which each value is decided for itself; null or left out: all cases together. */
  by?: string | null;
  /** A regression that it finds is asked once more; null or left out: as for all gates. */
  confirm?: boolean | null;
}

/** Facts about a kind of gate. */
interface GateFacts {
  /** The way to compare a metric, where it is always the same. */
  of: GateSettings["of"];
  /** The rows that a person looks at when it finds a regression. */
  badRows: string;
}

export const gateKinds: Record<GateKind, GateFacts> = {
  margin: { of: null, badRows: "the rows that got worse" },
  losses: { of: "pass", badRows: "the rows that got worse" },
  cases: { of: "pass", badRows: "the rows that do not hold" },
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
