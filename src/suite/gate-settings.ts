/** The limit of each kind of gate, by the key that it is written with: a line here, and the compiler leads through the rest. */
export interface GateLimits {
  /** Loss that is accepted, in the unit of `of`. */
  margin: number;
  /** The most cases that may turn from pass to fail. */
  losses: number;
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
