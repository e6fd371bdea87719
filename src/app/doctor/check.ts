/** One thing that was looked at. */
export interface Check {
  about: string;
  state: "ok" | "warning" | "failed";
  /** The state that was found. */
  found: string;
  /** Advice; null when there is none. */
  advice: string | null;
}
