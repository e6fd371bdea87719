/**
 * `new`: something is wrong that was not in the night before; `still`: it was; `over`: what was wrong in the night before is
 * so no more; `none`: nothing was wrong, and nothing is.
 */
type NewsState = "new" | "still" | "over" | "none";

/** A run beside the night before it. */
export interface ChangesSinceNotice {
  state: NewsState;
  /** Start of the first night of what goes on, or is over, in milliseconds since 1970; null: there is none. */
  since: number | null;
  /** The same in words; null where there is nothing to say of other nights. */
  sentence: string | null;
  /** The things that are wrong, or are over; empty where there is none, or only a change over the nights. */
  troubles: readonly string[];
}
