import type { MetricGate } from "../comparison-plan.ts";
import type { Slice } from "../tallies/slices.ts";
import type { AskedMetric, AskedPair, Numbers, OfSlice } from "./gate-rule.ts";
import { gateRuleOf } from "./gate-rules.ts";
import type { GateQuestion } from "./gate-shapes.ts";

export function gateQuestions(given: AskedPair): GateQuestion[] {
  return given.metrics.flatMap((compared, place) => {
    const numbers = given.results.metrics[place];
    if (numbers === undefined) return [];
    const about = { compared, numbers, given, overall: given.overall[place] ?? { inferred: null, noise: null } };
    return compared.gates.flatMap((gate) =>
      gate.by === null ? [questionOf(gate, about)] : byTag(gate, gate.by, about),
    );
  });
}

/** One question for each value of a tag. */
function byTag(gate: MetricGate, tag: string, about: AskedMetric): GateQuestion[] {
  const all = slicesOf(tag, about.given);
  const slices = about.numbers.beside === 0 ? all : all.filter((slice) => isGraded(slice, about.numbers));
  if (slices.length > 0) return slices.map((slice) => questionOf(gate, about, { slice, values: slices.length }));
  const question = questionOf(gate, about);
  return [{ ...question, invalid: `no case has a value of the tag ${tag}` }];
}

/** The values of a tag that the cases have; of a run that may stop those of the plan, in its cases so far. */
function slicesOf(tag: string, { results, stop }: AskedPair): Slice[] {
  const found = results.slices.filter((slice) => slice.tag === tag);
  const planned = stop?.values.get(tag);
  if (planned === undefined) return found;
  return Array.from(planned.keys(), (value) => {
    return found.find((slice) => slice.value === value) ?? { tag, value, and: null, cases: 0, has: () => false };
  });
}

/** A value of which every case lacks what the scorer compares with has no gate. */
function isGraded({ has }: Slice, { differences }: Numbers): boolean {
  return differences.some((difference, place) => has(place) && !Number.isNaN(difference));
}

function questionOf(gate: MetricGate, about: AskedMetric, of: OfSlice | null = null): GateQuestion {
  const question = gateRuleOf(gate).ask(gate, about, of);
  return gate.confirm === true ? { ...question, confirm: true } : question;
}
