import type { ThreadCall } from "./call.ts";

/** Messages for a function that goes past a limit. */
export const limitTexts = {
  time: ({ fileName, limits }: ThreadCall): string =>
    `TimeLimitError: ${fileName} ran longer than ${limits.time_ms} ms and was stopped.`,
  memory: ({ fileName, limits }: ThreadCall): string =>
    `MemoryLimitError: ${fileName} needed more than ${limits.memory_bytes} bytes of memory and was stopped.`,
  stack: ({ fileName }: ThreadCall): string =>
    `StackLimitError: the calls or values of ${fileName} are nested too deeply; it was stopped.`,
  output: ({ fileName, limits }: ThreadCall, bytes: number): string =>
    `OutputLimitError: ${fileName} returned ${bytes} bytes of JSON; at most ${limits.output_bytes} are allowed.`,
  unsettled: ({ fileName }: ThreadCall): string =>
    `UnsettledPromiseError: ${fileName} waits for a promise that nothing can settle any more; there are no timers and no network here.`,
  crash: ({ fileName }: ThreadCall, problem: string): string =>
    `SandboxError: the sandbox stopped while it ran ${fileName}: ${problem}`,
};
