/** The part of an account's limits that this process may use; others use the rest. */
export interface Share {
  /** Requests that may be in flight from here. */
  readonly places: number;
  /** Milliseconds until one more request may leave; 0: now; infinite: not before the runner is nudged. Asked for readiness, beside the account's own limits. */
  waitMs(): number;
  /** A job has been granted a slot: a place of the share is set aside for it. */
  take(): void;
  /** Asked right before the first byte: false, and nothing is sent. It is counted as in flight from here. */
  leave(): boolean;
  /** The slot is free again. `hasLeft`: `leave` was true for it. */
  ended(hasLeft: boolean): void;
}
