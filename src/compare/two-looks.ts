import {
  type Comparison,
  type ComparisonSettings,
  type ComparisonStream,
  comparisonStream,
  concluded,
} from "./comparison.ts";
import type { SecondLookCause } from "./cause.ts";
import type { PairedResult } from "./cases/case-comparison.ts";
import type { Confirmation, ConfirmedGate, LookFigures } from "./summary/confirmation.ts";
import type { GateFacts } from "./verdict/facts.ts";
import type { GateState } from "./verdict-word.ts";
import { gateKindOf } from "./verdict/kinds.ts";
import { overallFigures } from "./summary/metric-summary.ts";

/** A second look at the cases of a regression, as far as it came. */
export interface SecondLook {
  /** Target id to its runs of each case that are the first look: those beyond are the second. */
  planned: ReadonlyMap<number, number>;
  /** The reason why it does not count; null: it does. */
  unfinished: SecondLookCause | null;
}

/**
 * State of a gate that was asked once more: a regression only where the first look claims one and both looks together, the
 * runs of each case averaged first, claim it too by the same rule; else it is as both looks together say. It can only take
 * claims back: however the second look comes out, a regression is claimed falsely no more often than by the first look
 * alone, at most in alpha of the comparisons. The promise is that of the first look: the p
 * of both together would by itself promise nothing, because they are only looked at where the first was bad.
 * `npm run bench -- --simulate --only confirm` counts it.
 */
export function confirmedState(first: GateState, together: GateState): GateState {
  return first === "regression" ? together : first;
}

/** Compares as `comparisonStream` does; where cases were asked twice, by the rule of two looks. */
export function twoLooks(settings: ComparisonSettings, look: SecondLook | null): ComparisonStream {
  const together = comparisonStream(settings);
  if (look === null) return together;
  if (look.unfinished !== null) {
    const { unfinished } = look;
    return { ...together, summary: () => withoutSecond(together.summary(), unfinished) };
  }
  const [first, second] = [comparisonStream(settings), comparisonStream(settings)];
  return {
    add(result) {
      const [early, late] = partsOf(result, look.planned);
      first.add(early);
      // A pin as baseline has no runs but the first.
      if (late !== null) second.add(late);
      return together.add(result);
    },
    summary: () => joined({ first: first.summary(), second: second.summary(), together: together.summary() }),
  };
}

/** A case with the runs of the first look, and with those of the second; null: it was not asked again. */
function partsOf(result: PairedResult, planned: SecondLook["planned"]): [PairedResult, PairedResult | null] {
  const isLate = ({ targetId, repeat }: PairedResult["jobs"][number]): boolean =>
    repeat > (planned.get(targetId) ?? Number.POSITIVE_INFINITY);
  const late = result.jobs.filter(isLate);
  if (late.length === 0) return [result, null];
  const early = result.jobs.filter((job) => !isLate(job));
  const kept = early.filter(({ targetId }) => !planned.has(targetId));
  return [
    { ...result, jobs: early },
    { ...result, jobs: [...kept, ...late] },
  ];
}

/** Comparisons of the same cases: by the runs of each look, and by all of them. */
interface Looks {
  first: Comparison;
  second: Comparison;
  together: Comparison;
}

function joined(looks: Looks): Comparison {
  const { first, together } = looks;
  if (together.validity?.state === "invalid" && first.validity?.state === "valid") {
    return withoutSecond(first, together.validity.reasons[0] ?? { kind: "not-complete" });
  }
  const asked: ConfirmedGate[] = [];
  const gates = first.gates.map((gate): GateFacts => {
    const confirmed = confirmedGate(gate, looks);
    // A gate that was not asked again is as the first look saw it, with its figures.
    if (confirmed === null) return { ...gate, figures: figuresOf(gate, first) };
    asked.push(confirmed.told);
    return confirmed.gate;
  });
  return { ...together, gates, ...concluded({ ...together, gates }), confirmation: { unfinished: null, gates: asked } };
}

function confirmedGate(
  gate: GateFacts,
  { first, second, together }: Looks,
): { gate: GateFacts; told: ConfirmedGate } | null {
  if (!isClaimed(gate)) return null;
  const [late, both] = [second, together].map(({ gates }) => gates.find((each) => isSame(each, gate)));
  if (late === undefined || both === undefined || (figuresOf(late, second)?.cases ?? 0) === 0) return null;
  const state = confirmedState(gate.state, both.state);
  const reported = {
    ...aboutOf(gate),
    state,
    first: lookOf(gate, first),
    second: lookOf(late, second),
    together: lookOf(both, together),
  };
  return { gate: { ...both, state }, told: reported };
}

/** True for a regression that is to be asked once more. */
export function isClaimed({ state, confirm }: Pick<GateFacts, "state" | "confirm">): boolean {
  return state === "regression" && confirm === true;
}

/** The first look alone, where the second does not count. */
function withoutSecond(first: Comparison, unfinished: SecondLookCause): Comparison {
  const gates = first.gates.filter(isClaimed).map((gate) => ({
    ...aboutOf(gate),
    state: gate.state,
    first: lookOf(gate, first),
    second: null,
    together: null,
  }));
  const confirmation: Confirmation = { unfinished, gates };
  return { ...first, confirmation };
}

function aboutOf({ metric, of, candidate, baseline, slice, kind }: GateFacts) {
  return { metric, of, candidate, baseline, slice, kind };
}

function isSame(one: GateFacts, other: GateFacts): boolean {
  return keyOf(one) === keyOf(other);
}

function keyOf(gate: GateFacts): string {
  return JSON.stringify([aboutOf(gate), gateKindOf(gate).limit(gate)]);
}

function lookOf(gate: GateFacts, comparison: Comparison): LookFigures {
  const figures = figuresOf(gate, comparison);
  return {
    state: gate.state,
    cases: figures?.cases ?? 0,
    baseline: figures?.baseline ?? null,
    now: figures?.now ?? null,
    worse: figures?.worse ?? 0,
    better: figures?.better ?? 0,
    lost: gateKindOf(gate).lost(gate),
  };
}

/** ComparedFigures of the cases that a gate is about. */
function figuresOf(gate: GateFacts, { candidates }: Comparison): GateFacts["figures"] {
  if (gate.figures !== null) return gate.figures;
  const pair = candidates.find(({ candidate, baseline }) => candidate === gate.candidate && baseline === gate.baseline);
  const metric = pair?.metrics.find((each) => each.metric === gate.metric && each.of === gate.of);
  return metric === undefined ? null : overallFigures(metric);
}
