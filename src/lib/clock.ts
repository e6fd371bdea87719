import { setImmediate as nextTurn } from "node:timers/promises";

/** Milliseconds since the Unix epoch, with a fraction: wall time at start plus a clock that never goes back. */
export function now(): number {
  return performance.timeOrigin + performance.now();
}

/** While somebody uses the steady clock, a timer looks at it this often. */
const pulseMs = 500;
/** When it is looked at later than this, the process or the whole machine stood still. */
const standstillMs = 3_000;
/** Pulses without any other use after which the timer rests. */
const idlePulses = 20;

let lastLook = 0;
/** Milliseconds of all standstills. */
let stoodStill = 0;
let pulse: NodeJS.Timeout | null = null;
let idle = 0;

/**
 * Milliseconds on the clock by which everything here is waited for and measured. It never goes back, does not care to
 * what time the machine is set, and counts no time in which the machine was asleep or the process was stopped (macOS and
 * Windows count sleep in the clock beneath it, Linux does not). For dates see `dateOffset`.
 */
export function steadyNow(): number {
  idle = 0;
  return look();
}

/** Milliseconds to add to a moment of the steady clock for its date as the machine is set now. */
export function dateOffset(): number {
  return Date.now() - steadyNow();
}

/**
 * Milliseconds since a date that another process, another machine or a file system wrote: nothing else is known of it. The
 * clocks of the two may have been set meanwhile, so that it may be wrong, but it is never negative. Durations of one process
 * are measured by `steadyNow`.
 */
export function ageOfDate(date: number): number {
  return Math.max(0, Date.now() - date);
}

function look(): number {
  const time = now();
  if (pulse === null) startPulse();
  else if (time - lastLook > standstillMs) stoodStill += time - lastLook;
  lastLook = time;
  return time - stoodStill;
}

function startPulse(): void {
  idle = 0;
  pulse = setInterval(() => {
    look();
    idle += 1;
    if (idle <= idlePulses || pulse === null) return;
    clearInterval(pulse);
    pulse = null;
  }, pulseMs);
  pulse.unref();
}

/** Longest time that work holds the event loop: signals, progress and whoever is asked meanwhile wait for it. */
const turnMs = 10;

/** Work that would take long is done in many turns of the event loop. */
export interface Turn {
  /** True when others should have theirs. */
  isOver: () => boolean;
  /** Lets them, and begins another. */
  next: () => Promise<void>;
}

export function startTurn(): Turn {
  let since = performance.now();
  return {
    isOver: () => performance.now() - since > turnMs,
    async next() {
      await nextTurn();
      since = performance.now();
    },
  };
}
