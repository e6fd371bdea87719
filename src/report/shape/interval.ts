/** The ends of an interval of a figure. */
export interface ShownInterval {
  lower: number;
  upper: number;
}
