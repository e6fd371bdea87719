import type { MetricGate } from "../comparison-plan.ts";
import type { Segment } from "../tallies/segments.ts";
import type { AskedGate, AskedMetric, AskedPair, Numbers, Slice } from "./kind.ts";
import { gateKindOf } from "./kinds.ts";

export function askGates(given: AskedPair): AskedGate[] {
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
function byTag(gate: MetricGate, tag: string, about: AskedMetric): AskedGate[] {
  const segments = askedSegments(gate, tag, about);
  if (segments.length > 0) return segments.map((slice) => questionOf(gate, about, { slice, values: segments.length }));
  const question = questionOf(gate, about);
  question.basis.invalid = { kind: "no-tag-value", tag };
  return [question];
}

function askedSegments(gate: MetricGate, tag: string, about: AskedMetric): Segment[] {
  const all = segmentsOf(tag, about.given);
  const { values: ownValues, looksAt = () => false } = gateKindOf(gate);
  const values = ownValues?.(tag, about);
  if (values !== undefined) {
    const others = [...values].filter((value) => all.every((segment) => segment.value !== value));
    const isPlanned = about.given.stop?.values.has(tag) === true;
    const known = all.filter(({ value }) => isPlanned || values.has(value));
    return [...known, ...others.map((value) => withoutCases(tag, value))];
  }
  if (about.numbers.beside === 0) return all;
  return all.filter(
    (segment) =>
      isGraded(segment, about.numbers) ||
      about.numbers.differences.some((_, place) => segment.has(place) && looksAt(about.numbers, place)),
  );
}

/** A value that no case has which both sides have. */
const withoutCases = (tag: string, value: string): Segment => ({ tag, value, and: null, cases: 0, has: () => false });

/** The values of a tag that the cases have; of a run that may stop those of the plan, in its cases so far. */
function segmentsOf(tag: string, { results, stop }: AskedPair): Segment[] {
  const found = results.slices.filter((segment) => segment.tag === tag);
  const planned = stop?.values.get(tag);
  if (planned === undefined) return found;
  return Array.from(planned.keys(), (value) => {
    return found.find((segment) => segment.value === value) ?? withoutCases(tag, value);
  });
}

/** A value of which every case lacks what the scorer compares with has no gate. */
function isGraded({ has }: Segment, { differences }: Numbers): boolean {
  return differences.some((difference, place) => has(place) && !Number.isNaN(difference));
}

function questionOf(gate: MetricGate, about: AskedMetric, of: Slice | null = null): AskedGate {
  const asked = gateKindOf(gate).ask(gate, about, of);
  if (gate.confirm === true) asked.facts.confirm = true;
  return asked;
}
