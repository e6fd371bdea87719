/** Lets one loop sleep until something changes. */
export interface Waker {
  /** Wakes the loop if it sleeps. */
  wake: () => void;
  /** Resolves when something changed, or after this time. */
  changeWithin: (ms: number) => Promise<void>;
}

export function waker(): Waker {
  let wake = nothing;
  return {
    wake: () => wake(),
    changeWithin: (ms) =>
      new Promise((resolve) => {
        const timer = Number.isFinite(ms) ? setTimeout(resolve, Math.min(Math.ceil(ms), 2 ** 31 - 1)) : undefined;
        wake = () => {
          clearTimeout(timer);
          wake = nothing;
          resolve();
        };
      }),
  };
}

/** No queue sleeps. */
function nothing(): void {}
