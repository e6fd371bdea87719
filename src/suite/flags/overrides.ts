import { z } from "zod";
import { AppError } from "../../errors.ts";
import { faultsOf } from "../../lib/fault.ts";
import { type FormatFlags, formatFromFlags } from "./format-flags.ts";
import { decisionKeys, sideKeys } from "../schema/compare-schema.ts";
import { raceRefusal } from "../early-end.ts";
import { toStoredKeys } from "../schema/kept.ts";
import { runKeys } from "../schema/run-schema.ts";
import { limitKeys } from "../schema/target-schema.ts";
import type { DecisionSettings, Suite } from "../suite.ts";

/** Flags that take the place of what a suite says, for every deployment; undefined leaves it as it is. */
export interface Overrides extends FormatFlags {
  concurrency?: number | undefined;
  rate?: string | undefined;
  waitForService?: string | undefined;
  repeats?: number | undefined;
  noiseRepeats?: number | undefined;
  stopWhen?: string | undefined;
  confirm?: boolean | undefined;
  race?: boolean | undefined;
  secondLook?: boolean | undefined;
}

/** The keys whose values such a flag takes, in the order in which faults are listed. */
const overridden = z.object({
  ...limitKeys,
  repeats: runKeys.repeats,
  interleave: runKeys.interleave,
  noise_repeats: sideKeys.noise_repeats,
  stop_when: decisionKeys.stop_when,
});

/** A suite with flags laid over it. They are checked by the suite's schema; USAGE names the flag. */
export function withOverrides(suite: Suite, overrides: Overrides): Suite {
  const { repeats, interleave, noise_repeats, ...limits } = checked(overrides);
  const format = formatFromFlags(overrides, suite.format);
  return {
    ...suite,
    ...(format !== undefined && { format }),
    ...toStoredKeys({ repeats, interleave }),
    compare: suite.compare === null ? null : { ...suite.compare, ...toStoredKeys({ noise_repeats }) },
    decision: raced(
      looking(confirming(stopped(suite.decision, overrides.stopWhen), overrides.confirm), overrides.secondLook),
      overrides.race,
    ),
    deployments: suite.deployments.map((deployment) => ({ ...deployment, ...toStoredKeys(limits) })),
  };
}

/** The flags that are given, as a suite keeps their values. Throws USAGE. */
function checked(overrides: Overrides): Partial<Omit<z.output<typeof overridden>, "stop_when">> {
  const { waitForService, noiseRepeats, stopWhen, ...others } = overrides;
  const given = { ...others, wait_for_service: waitForService, noise_repeats: noiseRepeats, stop_when: stopWhen };
  const lines = faultsOf(overridden, given).map(({ path, message, hint }) => {
    return `--${String(path.at(-1)).replaceAll("_", "-")} ${message}${hint === null ? "" : `. ${hint}`}`;
  });
  if (lines.length > 0) throw new AppError("USAGE", lines.join("\n"));
  const { stop_when: _stops, ...values } = overridden.parse(given);
  return onlyGiven(values, given);
}

/** Leaves out what is a default. */
function onlyGiven<Values extends object>(values: Values, given: object): Partial<Values> {
  const kept: Partial<Values> = { ...values };
  for (const key in kept) if (Reflect.get(given, key) === undefined) delete kept[key];
  return kept;
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

/** The flag leaves what the suite says about its end. A second look or another stop beside a race of the suite is refused as well. */
function raced({ race: own, ...decision }: DecisionSettings, given: boolean | undefined): DecisionSettings {
  const race = given === false ? undefined : (own ?? (given === true ? "close" : undefined));
  if (race === undefined) return decision;
  const refusal = raceRefusal(decision);
  if (refusal !== null) throw new AppError("USAGE", `--race ${refusal.why}.`, { hint: refusal.advice });
  return { ...decision, race };
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
