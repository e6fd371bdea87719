/** Something that a service tells of itself, and that is another than before. */
export interface ProviderChange {
  /** Name of the target. */
  target: string;
  /** Name of the member of its answers, or `header` and the name of a header. */
  member: string;
  /** `changed`: from one value to another; `several`: answers of one run tell several values. */
  kind: "changed" | "several";
  /** The value before; null: it is long, or there was none. */
  before: string | null;
  /** The value, or the several values; null: one that is long. */
  now: (string | null)[];
}

/** A run by what its services tell of themselves, beside the runs before it. */
export interface ProviderNight {
  /** Changes that this run is the first to tell. */
  changes: ProviderChange[];
  /** Names of the targets whose services tell something of themselves. */
  telling: string[];
  /** Name of the first batch since which suite, rows and body are the same: this one where the one before has others. */
  sameSince: string;
}

/** The same in the run that told it first. */
export interface DatedProviderChange extends ProviderChange {
  /** Name of the batch. */
  batch: string;
  /**
   * When it began, ISO 8601.
   * @format date-time
   */
  at: string;
}

/** The answer to "did the provider change, or did we?", without a claim that one made the other. */
export interface ProviderFinding {
  /** Changes that were told first in this run; with a new regression those since the last run that passed. */
  changes: DatedProviderChange[];
  /**
   * When this run began, ISO 8601.
   * @format date-time
   */
  at: string;
  /** There is a new regression, so that a reader asks. */
  isAsked: boolean;
  /**
   * Start of the first run since which suite, rows and body are the same; null: they are others than in the run before.
   * @format date-time
   */
  sameSince: string | null;
  /** Parts that are others than in the run before, in a few words each. */
  own: string[];
  /** Names of the targets whose services tell something of themselves. */
  telling: string[];
}
