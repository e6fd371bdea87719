import { AppError } from "../../errors.ts";
import { showText } from "../../lib/show.ts";
import { scorerOfType } from "../../score/registry.ts";
import { normalQuantile } from "../../stats/distributions/normal.ts";
import { enoughToFlip } from "../../stats/paired/inference.ts";
import { canPassByBetting, fewestToPassByBetting } from "../../stats/betting/fewest.ts";
import { fewestToPass } from "../../stats/planning/gate-power.ts";
import { type GateKind, type GateSettings, kindOfGate, triesOf } from "../../suite/gate-settings.ts";
import type { Suite } from "../../suite/suite.ts";
import { defaultMargin } from "../../suite/default-values.ts";

/** The cases that gates will decide by, as far as they are known before anything is sent. */
export interface GateCases {
  cases: number;
  /** Conversations, or whatever belongs together; null: every case is its own, or it is not known. */
  clusters: number | null;
  /** The clusters by their size; empty where they are not known. */
  sizes: readonly { size: number; clusters: number }[];
  /** Cases of each value of a tag. */
  values: (tag: string) => number[];
}

/** True for cases that belong together. */
export function isClustered({ mapping }: Pick<Suite, "mapping">): boolean {
  return mapping.cluster !== null || mapping.turn !== null || mapping.turns !== undefined;
}

type Judged = Pick<Suite, "scorers" | "decision" | "repeats" | "compare">;

/** A gate that these cases leave no choice, and what would give it one. */
interface Hopeless {
  message: string;
  hint: string;
}

/**
 * Throws SUITE_INVALID for gates of the suite that can never pass, or never fail, with these cases. A selection (a trial
 * run, `--failed`) is only told so.
 */
export function checkGates(
  suite: Judged,
  cases: GateCases,
  { isSelection, onNotice }: { isSelection: boolean; onNotice: (message: string) => void },
): void {
  const found = suite.decision.gates.flatMap((gate) => hopelessness(gate, suite, cases) ?? []);
  const [first] = found;
  if (first !== undefined && !isSelection) {
    const message = found.map((each) => each.message).join("\n");
    throw new AppError("SUITE_INVALID", message, { hint: first.hint });
  }
  for (const { message } of found) onNotice(`warning: ${message}`);
}

/** A gate on rows that have to hold is no test of one target alone: somebody who wrote it must not take silence for a pass. */
export function noteUndecided({ decision }: Pick<Suite, "decision">, onNotice: (message: string) => void): void {
  const gate = decision.gates.find((each) => kindOfGate(each) === "cases");
  if (gate === undefined) return;
  onNotice(`warning: ${nameOf(gate)} is not decided in this run: nothing is compared (a second target, or --against).`);
}

/** The same of the gate that a suite without gates has: null where it can pass. Nobody wrote it, so that nothing is refused. */
export function defaultGateNote(suite: Judged, cases: GateCases): string | null {
  const primary = suite.scorers.find((scorer) => scorer.primary);
  if (suite.decision.gates.length > 0 || cases.cases === 0 || primary === undefined) return null;
  const usual = unfit(defaultGate(primary.name), suite, cases);
  if (usual === null) return null;
  const isDecided = (cases.clusters ?? cases.cases) >= enoughToFlip;
  return isDecided ? `${usual.message} It can find a regression, or stay open.` : usual.message;
}

/** Same as the default of a comparison without gates. */
const defaultGate = (metric: string): GateSettings => ({ metric, margin: null, of: null });

function hopelessness(gate: GateSettings, suite: Judged, cases: GateCases): Hopeless | null {
  const { by = null } = gate;
  if (cases.cases === 0) return null;
  if (by !== null && cases.values(by).length === 0) {
    const message = `${nameOf(gate)} can never decide: no case has a value of the tag ${showText(by)}.`;
    return { message, hint: "Name a tag that the cases have, or leave `by` out." };
  }
  return fits[kindOfGate(gate)](gate, suite, cases);
}

/** For each kind of gate why it can never pass, or never fail, with these cases; null: it can. */
const fits: Record<GateKind, (gate: GateSettings, suite: Judged, cases: GateCases) => Hopeless | null> = {
  margin: unfit,
  losses(gate, _, cases) {
    const [losses, looked] = [gate.losses ?? 0, most(gate.by ?? null, cases)];
    return losses < looked ? null : neverFails(gate, losses, looked);
  },
  cases(gate, { repeats }) {
    const asked = triesOf(gate.cases ?? { pass: "" });
    if (asked === null || asked.of === repeats) return null;
    const message = `${nameOf(gate)} asks for ${asked.of} tries of each case, but ${repeats} ${repeats === 1 ? "is" : "are"} planned.`;
    return { message, hint: `Set repeats: ${asked.of} in the suite, or leave --repeats out.` };
  },
};

/** The cases of the largest group that the gate looks at. */
function most(by: string | null, { cases, values }: GateCases): number {
  return by === null ? cases : Math.max(...values(by));
}

function neverFails(gate: GateSettings, losses: number, cases: number): Hopeless {
  const message = `${nameOf(gate)} can never fail: it allows ${losses} losses, and looks at ${cases} cases.`;
  return { message, hint: "Write losses: 0, or the few that you accept." };
}

/** The reason why a gate with a margin can never pass; null where it can. */
function unfit(gate: GateSettings, suite: Judged, sizes: GateCases): Hopeless | null {
  const { by = null } = gate;
  const { clusters } = sizes;
  const cases = most(by, sizes);
  const units = by === null ? (clusters ?? cases) : cases;
  if (units < enoughToFlip) {
    const what = by === null && clusters !== null ? "conversations or groups" : "cases";
    const message = `${nameOf(gate)} can never pass with ${units} ${what}: below ${enoughToFlip} nothing is decided.`;
    return { message, hint: advice(gate, "Take more cases", suite) };
  }
  // The turns of a conversation are counted as one by a rule that asks for fewer of them.
  if (clusters !== null && clusters < sizes.cases) return by === null ? unfitTogether(gate, suite, sizes) : null;
  if (!isRate(gate, suite)) return null;
  const margin = gate.margin ?? defaultMargin;
  const { alpha } = suite.decision;
  const isLookedAt = suite.decision.stopWhen === "decided";
  const once = isSingle(suite) ? fewestToPass(margin, alpha) : fewestOfRuns(margin, alpha);
  const fewest = isLookedAt ? fewestToPassByBetting({ margin, most: 1 }, alpha) : once;
  if (cases >= fewest) return null;
  if (isLookedAt && cases >= once) {
    const message = `${nameOf(gate)} can never pass with ${cases} cases where it is looked at while they come in (stop_when: decided): that takes ${fewest}, with none worse.`;
    return { message, hint: `Take ${fewest} cases or more, or send all of them: stop_when: never.` };
  }
  const wider = Math.ceil((1 - alpha ** (1 / cases)) * 100 - 1e-9) / 100;
  const where = by === null ? "" : ` of one value of ${showText(by)}, the most that there are`;
  const message = `${nameOf(gate)} can never pass with ${cases} cases${where}: it takes ${fewest}, with none worse (margin ${margin}).`;
  return { message, hint: advice(gate, `Take ${fewest} cases or more, or a margin of ${wider} or more`, suite) };
}

/** Longer conversations take more cases where they are looked at while they come in. */
function unfitTogether(gate: GateSettings, suite: Judged, { cases, clusters, sizes }: GateCases): Hopeless | null {
  if (suite.decision.stopWhen !== "decided" || sizes.length === 0 || !isRate(gate, suite)) return null;
  const longest = Math.max(...sizes.map(({ size }) => size));
  if (canPassByBetting({ margin: gate.margin ?? defaultMargin, most: longest }, suite.decision.alpha, sizes))
    return null;
  const message = `${nameOf(gate)} can never pass with ${cases} cases in ${clusters} conversations or groups where it is looked at while they come in (stop_when: decided), even with none worse: the longest has ${longest} cases.`;
  return { message, hint: "Take more of them, or send all of them and look once: stop_when: never." };
}

function nameOf({ metric, by = null }: GateSettings): string {
  return `The gate of ${showText(metric)}${by === null ? "" : ` by ${showText(by)}`}`;
}

/** For what is deterministic there is a gate that needs no number of cases. */
function advice(gate: GateSettings, first: string, suite: Judged): string {
  return isRate(gate, suite) ? `${first}; where the answers are deterministic, write losses: 0.` : `${first}.`;
}

function isRate({ metric, of }: GateSettings, { scorers }: Judged): boolean {
  const spec = scorers.find(({ name }) => name === metric);
  if (of !== null || spec === undefined) return of === "pass";
  const passes = scorerOfType(spec.type)?.metricOf(spec.options).passes ?? false;
  // A judge of two answers is compared by its values.
  return passes && spec.type !== "pairwise";
}

function isSingle({ repeats, compare }: Judged): boolean {
  return repeats === 1 && (compare?.noiseRepeats ?? 1) === 1;
}

/** Several runs of a case are averaged; of none that differs Wilson's bound asks for fewer cases than counting does. */
function fewestOfRuns(margin: number, alpha: number): number {
  const z = normalQuantile(1 - alpha);
  return Math.ceil((z * z * (1 - margin)) / margin - 1e-9);
}
