import type { MetricGate } from "../comparison-plan.ts";
import type { MetricNumbers } from "../tallies/metric-tally.ts";
import type { Slice } from "../tallies/slices.ts";
import type { AskedGate, AskedMetric, AskedPair, AskedSlice } from "./kind.ts";
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
  const slices = askedSlices(gate, tag, about);
  if (slices.length > 0) return slices.map((slice) => questionOf(gate, about, { ...slice, values: slices.length }));
  const question = questionOf(gate, about);
  question.basis.invalid = { kind: "no-tag-value", tag };
  return [question];
}

function askedSlices(gate: MetricGate, tag: string, about: AskedMetric): Slice[] {
  const all = slicesOfTag(tag, about.given);
  const { values: ownValues, looksAt = () => false } = gateKindOf(gate);
  const values = ownValues?.(tag, about);
  if (values !== undefined) {
    const others = [...values].filter((value) => all.every((slice) => slice.value !== value));
    const isPlanned = about.given.stop?.values.has(tag) === true;
    const known = all.filter(({ value }) => isPlanned || values.has(value));
    return [...known, ...others.map((value) => withoutCases(tag, value))];
  }
  if (about.numbers.beside === 0) return all;
  return all.filter(
    (slice) => isGraded(slice, about.numbers) || slice.places.some((place) => looksAt(about.numbers, place)),
  );
}

/** A value that no case has which both sides have. */
const withoutCases = (tag: string, value: string): Slice => ({
  tag,
  value,
  and: null,
  places: new Int32Array(0),
  has: () => false,
});

/** The values of a tag that the cases have; of a run that may stop those of the plan, in its cases so far. */
function slicesOfTag(tag: string, { results, stop }: AskedPair): Slice[] {
  const found = results.slices.alone.filter((slice) => slice.tag === tag);
  const planned = stop?.values.get(tag);
  if (planned === undefined) return found;
  return Array.from(planned.keys(), (value) => {
    return found.find((slice) => slice.value === value) ?? withoutCases(tag, value);
  });
}

/** A value of which every case lacks what the scorer compares with has no gate. */
function isGraded({ places }: Slice, { differences }: MetricNumbers): boolean {
  return places.some((place) => !Number.isNaN(differences[place]));
}

function questionOf(gate: MetricGate, about: AskedMetric, of: AskedSlice | null = null): AskedGate {
  const asked = gateKindOf(gate).ask(gate, about, of);
  if (gate.confirm === true) asked.facts.confirm = true;
  return asked;
}
