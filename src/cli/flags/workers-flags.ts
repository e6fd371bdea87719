import { type Flags, string, toggle } from "../flag.ts";
import type { InferredOptionTypes } from "yargs";
import { AppError } from "../../errors.ts";

/** The flags of commands that send over workers. */
export const workersFlags = {
  workers: toggle(
    "what",
    "Send over the workers at this PostgreSQL (see `tandem worker`); without a URL, the one in TANDEM_WORKERS",
    { value: "URL", more: true },
  ),
  namespace: string("what", "With --workers: keeps the batches of one team apart from those of another", {
    value: "NAME",
    more: true,
    default: "default",
  }),
} as const satisfies Flags;

/** The flag of commands that wait for workers. */
export const waitForWorkersFlag = {
  "wait-for-workers": string(
    "limits",
    "With --workers: stop when no worker serves what is left for this long, such as 30m (default: wait; night: 30m)",
    { value: "TIME", more: true },
  ),
} as const satisfies Flags;

/** The flags of commands that go on here with what workers have, or had. */
export const takeBackFlag = {
  "take-back": toggle("what", "With --workers: stop the batch there, bring what is done, and continue from here", {
    more: true,
  }),
  "workers-lost": toggle(
    "what",
    "The workers' PostgreSQL is gone for good: what has no answer here is in doubt (see --on-in-doubt)",
    { more: true },
  ),
} as const satisfies Flags;

export type WorkersFlags = InferredOptionTypes<typeof workersFlags>;

/** The namespace of a command. Throws USAGE for a name that is none. */
export function namespaceOf({ namespace }: Pick<WorkersFlags, "namespace">): string {
  if (/^[\p{L}\p{N}][\p{L}\p{M}\p{N}._-]{0,62}$/u.test(namespace)) return namespace;
  throw new AppError("USAGE", "--namespace takes a name of up to 63 letters, digits, dots, dashes and underscores.");
}
