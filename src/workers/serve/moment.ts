/** A moment on two clocks: one stands still while the machine sleeps, the other may be set. */
export interface Moment {
  steady: number;
  date: number;
}

export const thisMoment = (): Moment => ({ steady: performance.now(), date: Date.now() });

/** Milliseconds since then, by the clock that says more: a time in which the process or the machine stood still counts. */
export const msSince = ({ steady, date }: Moment): number => Math.max(performance.now() - steady, Date.now() - date);
