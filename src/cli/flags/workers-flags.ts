import { type Flags, string, toggle } from "../flag.ts";
import type { InferredOptionTypes } from "yargs";

/** The flags of commands that send over workers. */
export const workersFlags = {
  workers: toggle(
    "what",
    "Send over the workers at this PostgreSQL (see `tandem workers serve`); without a URL, the one in TANDEM_WORKERS",
    { value: "URL", more: true },
  ),
  "wait-for-workers": string(
    "limits",
    "Stop when no worker serves what is left for this long, such as 30m (default: wait; night: 30m)",
    { with: "workers", value: "TIME", more: true },
  ),
} as const satisfies Flags;

/** The flag of commands that go on here with what workers had. */
export const workersLostFlag = {
  "workers-lost": toggle(
    "what",
    "The workers' PostgreSQL is gone for good: what has no answer here is in doubt (see --on-in-doubt)",
    { more: true },
  ),
} as const satisfies Flags;

export type WorkersFlags = InferredOptionTypes<typeof workersFlags>;
