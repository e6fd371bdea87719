import { AppError } from "../../errors.ts";
import { durationMs } from "../../lib/duration.ts";
import { parseRate } from "../duration.ts";
import { faultsOf } from "../fault.ts";
import { type FormatFlags, formatFromFlags } from "./format-flags.ts";
import { suiteFile } from "../schema/schema.ts";
import type { DecisionSettings, Suite } from "../suite.ts";

/** Flags that take the place of what a suite says, for every deployment; undefined leaves it as it is. */
export interface Overrides extends FormatFlags {
  concurrency?: number | undefined;
  rate?: string | undefined;
  timeout?: string | undefined;
  retries?: number | undefined;
  waitForService?: string | undefined;
  repeats?: number | undefined;
  noiseRepeats?: number | undefined;
  interleave?: string | undefined;
  stopWhen?: string | undefined;
  confirm?: boolean | undefined;
  secondLook?: boolean | undefined;
}

/** A suite with flags laid over it. They are checked by the suite's schema; USAGE names the flag. */
export function withOverrides(suite: Suite, overrides: Overrides): Suite {
  const { concurrency, rate, timeout, retries, waitForService, noiseRepeats } = overrides;
  checkOverrides(overrides);
  const format = formatFromFlags(overrides, suite.format);
  return {
    ...suite,
    ...(format !== undefined && { format }),
    repeats: overrides.repeats ?? suite.repeats,
    compare: suite.compare === null || noiseRepeats === undefined ? suite.compare : { ...suite.compare, noiseRepeats },
    decision: looking(confirming(stopped(suite.decision, overrides.stopWhen), overrides.confirm), overrides.secondLook),
    interleave:
      overrides.interleave === undefined ? suite.interleave : overrides.interleave === "strict" ? "strict" : "off",
    deployments: suite.deployments.map((deployment) => ({
      ...deployment,
      concurrency: concurrency ?? deployment.concurrency,
      rate: rate === undefined ? deployment.rate : parseRate(rate),
      timeoutMs: (timeout === undefined ? null : durationMs(timeout)) ?? deployment.timeoutMs,
      retries: retries ?? deployment.retries,
      ...(waitForService !== undefined && { waitForServiceMs: durationMs(waitForService) ?? 0 }),
    })),
  };
}

function stopped({ stopWhen: own, ...decision }: DecisionSettings, given: string | undefined): DecisionSettings {
  const stopWhen = given ?? own;
  return { ...decision, ...(stopWhen === "decided" && { stopWhen }) };
}

/** The flag is about every gate, whatever it says itself. */
function confirming(decision: DecisionSettings, confirm: boolean | undefined): DecisionSettings {
  if (confirm === undefined) return decision;
  return { ...decision, confirm, gates: decision.gates.map((gate) => ({ ...gate, confirm })) };
}

/** Where two looks were declared, the second needs no flag: it has its level. */
function looking(decision: DecisionSettings, isSecond = false): DecisionSettings {
  if (!isSecond) return decision;
  const { stopWhen, nights, looks } = decision;
  if (stopWhen !== undefined || nights > 1) {
    const why = nights > 1 ? "nights" : "stop_when: decided";
    throw new AppError("USAGE", `--second-look cannot be used together with ${why}.`, {
      hint: nights > 1 ? "Every night is a first look." : "Such a run may be looked at after every case.",
    });
  }
  return looks === 2 ? decision : { ...decision, secondLook: true };
}

function checkOverrides({ repeats, interleave, noiseRepeats, stopWhen, ...limits }: Overrides): void {
  const { concurrency, rate, timeout, retries, waitForService } = limits;
  const given = { base_url: "local:.", concurrency, rate, timeout, retries, wait_for_service: waitForService };
  const file = {
    dataset: "-",
    deployments: { all: given },
    repeats,
    interleave,
    compare: { noise_repeats: noiseRepeats, stop_when: stopWhen },
  };
  const lines = faultsOf(suiteFile, file).map(({ path, message, hint }) => {
    return `--${String(path.at(-1)).replaceAll("_", "-")} ${message}${hint === null ? "" : `. ${hint}`}`;
  });
  if (lines.length > 0) throw new AppError("USAGE", lines.join("\n"));
}
