import { AppError } from "../errors.ts";
import { durationMs } from "../lib/duration.ts";
import { parseRate } from "./duration.ts";
import { faultsOf } from "./fault.ts";
import { type FormatFlags, formatFromFlags } from "./format-flags.ts";
import { suiteFile } from "./schema.ts";
import type { Suite } from "./suite.ts";

/** Flags that take the place of what a suite says, for every deployment; undefined leaves it as it is. */
export interface Overrides extends FormatFlags {
  concurrency?: number | undefined;
  rate?: string | undefined;
  timeout?: string | undefined;
  retries?: number | undefined;
  repeats?: number | undefined;
  interleave?: string | undefined;
}

/** A suite with flags laid over it. They are checked by the suite's schema; USAGE names the flag. */
export function withOverrides(suite: Suite, overrides: Overrides): Suite {
  const { concurrency, rate, timeout, retries } = overrides;
  checkOverrides(overrides);
  const format = formatFromFlags(overrides, suite.format);
  return {
    ...suite,
    ...(format !== undefined && { format }),
    repeats: overrides.repeats ?? suite.repeats,
    interleave:
      overrides.interleave === undefined ? suite.interleave : overrides.interleave === "strict" ? "strict" : "off",
    deployments: suite.deployments.map((deployment) => ({
      ...deployment,
      concurrency: concurrency ?? deployment.concurrency,
      rate: rate === undefined ? deployment.rate : parseRate(rate),
      timeoutMs: (timeout === undefined ? null : durationMs(timeout)) ?? deployment.timeoutMs,
      retries: retries ?? deployment.retries,
    })),
  };
}

function checkOverrides({ repeats, interleave, ...limits }: Overrides): void {
  const { concurrency, rate, timeout, retries } = limits;
  const given = { base_url: "local:.", concurrency, rate, timeout, retries };
  const file = { dataset: "-", deployments: { all: given }, repeats, interleave };
  const lines = faultsOf(suiteFile, file).map(({ path, message, hint }) => {
    return `--${path.at(-1)} ${message}${hint === null ? "" : `. ${hint}`}`;
  });
  if (lines.length > 0) throw new AppError("USAGE", lines.join("\n"));
}
