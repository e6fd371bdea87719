/** The ends of an interval of a figure. */
export interface ShownInterval {
  /** Its lower end. */
  lower: number;
  /** Its upper end. */
  upper: number;
}
