import type { QueueSnapshot } from "../../src/runner/tally.ts";

/** A queue on its way, with nothing in it but what a test is about. */
export const queueSnapshot = (given: Partial<QueueSnapshot> = {}): QueueSnapshot => ({
  name: "prod/video-bots",
  deployment: "prod",
  total: 1_200,
  done: 300,
  failed: 0,
  inFlight: 4,
  finishesWithinMs: 0,
  leftOut: 0,
  waiting: 0,
  retries: 0,
  throttled: 0,
  errors: {},
  limit: 4,
  rate: null,
  pausedMs: 0,
  stall: null,
  perSecond: 2,
  stopped: null,
  ...given,
});
