import { AppError } from "../../errors.ts";
import { showText } from "../../lib/show.ts";
import { type GateKind, type GateSettings, kindOfGate, triesOf } from "../../suite/gate-settings.ts";
import type { Suite } from "../../suite/suite.ts";

/** The cases that gates will decide by, as far as they are known before anything is sent. */
export interface GateCases {
  cases: number;
  /** Conversations, or whatever belongs together; null: every case is its own, or it is not known. */
  clusters: number | null;
  /** Counts rows that ask the same, and expect the same, as one, which looks at all cases. */
  questions: () => number | null;
  /** The clusters by their size; empty where they are not known. */
  sizes: readonly { size: number; clusters: number }[];
  /** Cases of each value of a tag. */
  values: (tag: string) => number[];
}

/** True for cases that belong together. */
export function isClustered({ mapping }: Pick<Suite, "mapping">): boolean {
  return mapping.cluster !== null || mapping.turn !== null || mapping.turns !== undefined;
}

/** A gate that says nothing about any cases like these, and what would. */
interface Hopeless {
  message: string;
  hint: string;
}

/**
 * Throws SUITE_INVALID for gates of the suite that are mistakes whatever the answers are: they can never fail, or look at no
 * case. A selection (a trial run, `--failed`) is only told so. Few cases are no mistake: `whatRowsShow` says what they can tell.
 */
export function checkGates(
  suite: Pick<Suite, "decision" | "repeats">,
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

/** Warns that a gate on rows that have to hold is not decided where nothing is compared: silence would read as a pass. */
export function noteUndecided({ decision }: Pick<Suite, "decision">, onNotice: (message: string) => void): void {
  const gate = decision.gates.find((each) => kindOfGate(each) === "cases");
  if (gate === undefined) return;
  onNotice(
    `warning: ${gateSubject(gate)} is not decided in this run: nothing is compared (a second target, or --against).`,
  );
}

function hopelessness(gate: GateSettings, suite: Pick<Suite, "repeats">, cases: GateCases): Hopeless | null {
  const { by = null } = gate;
  if (cases.cases === 0) return null;
  if (by !== null && cases.values(by).length === 0) {
    const message = `${gateSubject(gate)} can never decide: no row has a value of the tag ${showText(by)}.`;
    return { message, hint: "Name a tag that the rows have, or leave `by` out." };
  }
  return fits[kindOfGate(gate)](gate, suite, cases);
}

/** For each kind of gate why it can never pass, or never fail, whatever the answers are; null: it can. */
const fits: Record<GateKind, (gate: GateSettings, suite: Pick<Suite, "repeats">, cases: GateCases) => Hopeless | null> =
  {
    margin: () => null,
    losses(gate, _, cases) {
      const [losses, looked] = [gate.losses ?? 0, largestGroup(gate.by ?? null, cases)];
      return losses < looked ? null : neverFails(gate, losses, looked);
    },
    cases(gate, { repeats }) {
      const asked = triesOf(gate.cases ?? { pass: "" });
      if (asked === null || asked.of === repeats) return null;
      const message = `${gateSubject(gate)} asks for ${asked.of} tries of each row, but ${repeats} ${repeats === 1 ? "is" : "are"} planned.`;
      return { message, hint: `Set repeats: ${asked.of} in the suite, or leave --repeats out.` };
    },
  };

/** The cases of the largest group that a gate looks at. */
export function largestGroup(by: string | null, { cases, values }: GateCases): number {
  return by === null ? cases : Math.max(...values(by));
}

function neverFails(gate: GateSettings, losses: number, cases: number): Hopeless {
  const message = `${gateSubject(gate)} can never fail: it allows ${losses} losses, and looks at ${cases} rows.`;
  return { message, hint: "Allow fewer than that: the few that you accept." };
}

/** A gate by its metric and tag, as the subject of a sentence. */
export function gateSubject({ metric, by = null }: GateSettings): string {
  return `The gate of ${showText(metric)}${by === null ? "" : ` by ${showText(by)}`}`;
}
