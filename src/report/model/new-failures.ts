import { type FeatureCounts, enrichedFeatures, type MarkedUnit } from "../../stats/enrichment.ts";
import { saidShape } from "../../text/said-shape.ts";
import { distinctWords, scriptsIn } from "../../text/prompt-features.ts";
import { hash32, mix32 } from "../../lib/random.ts";
import { mostSaid } from "./row-groups.ts";
import type { CommonFeature, FeatureRows, NewFailures } from "../shape/new-failures.ts";

/** A row that could newly fail: it passed before. */
interface PassedBefore {
  key: string;
  /** Null: it is alone. */
  cluster: string | null;
  /** The question, or the values for a function; few rows are asked for it. */
  prompt: () => string;
  tags: Readonly<Record<string, string>>;
  /** The answer by which it newly fails, and that of the baseline; null: it still passes. */
  failedBy: { answer: string; before: string | null } | null;
}

/** Counts the newly failing rows of one candidate; what is held does not grow with the rows. */
export interface NewFailureTally {
  add: (row: PassedBefore) => void;
  result: (candidate: string) => NewFailures | null;
}

const [shownShapes, shownFeatures] = [8, 6];
/** Rows of each kind that are looked at for what they have in common: those with the smallest hashes, so by lot. */
const mostSampled = 3_000;
/** Newly failing rows below which a half has too few to tell anything. */
const leastFailing = 8;
/** Characters of a prompt that are held. */
const heldCharacters = 1_000;

export function newFailureTally(): NewFailureTally {
  const shapes = new Map<string, number>();
  const [failing, passing] = [sample(), sample()];
  let [rows, isConversation] = [0, false];
  return {
    add(row) {
      // Turns of one conversation depend on each other: each counts as said, and none for what they have in common.
      isConversation ||= row.cluster !== null;
      if (row.failedBy === null) return passing.add(row);
      rows += 1;
      const shape = saidShape(row.failedBy.answer, row.failedBy.before);
      if (shapes.has(shape) || shapes.size < mostSaid) shapes.set(shape, (shapes.get(shape) ?? 0) + 1);
      return failing.add(row);
    },
    result(candidate) {
      if (rows === 0) return null;
      const whyNoCommon = isConversation
        ? "turns of one conversation are not independent of each other"
        : rows < leastFailing
          ? `it takes ${leastFailing} newly failing rows, half of them to check with`
          : null;
      const said = Array.from(shapes, ([words, count]) => ({ words, rows: count }))
        .filter((each) => each.rows > 1 && each.words !== "")
        .toSorted((one, other) => other.rows - one.rows || (one.words < other.words ? -1 : 1));
      const common = whyNoCommon === null ? commonFeatures(failing.rows(), passing.rows()) : [];
      return { candidate, rows, said: said.slice(0, shownShapes), common, whyNoCommon };
    },
  };
}

interface SampledRow {
  lot: number;
  prompt: string;
  tags: Readonly<Record<string, string>>;
}

/** A sample by lot of bounded size, the same for the same keys: the rows with the smallest hashes. */
function sample(): { add: (row: PassedBefore) => void; rows: () => SampledRow[] } {
  let held: SampledRow[] = [];
  let below = Number.POSITIVE_INFINITY;
  const cut = (): void => {
    held = held.toSorted((one, other) => one.lot - other.lot).slice(0, mostSampled);
  };
  return {
    add({ key, prompt, tags }) {
      const lot = lotOf(key);
      if (lot >= below) return;
      held.push({ lot, prompt: prompt().slice(0, heldCharacters), tags });
      if (held.length < mostSampled * 2) return;
      cut();
      below = held.at(-1)?.lot ?? below;
    },
    rows: () => {
      cut();
      return held;
    },
  };
}

/** Every row draws one: a hash that nobody could forge would take as long as all the rest. */
const lotOf = (key: string): number => mix32(hash32(`lot ${key}`));

type Feature = Pick<CommonFeature, "kind" | "about" | "tag" | "value">;

/** Features that newly failing prompts have more often; of those that the same rows have, the surest. */
function commonFeatures(failing: readonly SampledRow[], passing: readonly SampledRow[]): CommonFeature[] {
  const all = [...failing, ...passing];
  const featuresOf = featuresIn(all);
  const known = new Map<string, { number: number; feature: Feature }>();
  const numbered = new Map<number, Feature>();
  const having = new Map<number, Set<number>>();
  const units = all.map((row, place): MarkedUnit => {
    const features = featuresOf(row).map((feature) => {
      const met = known.get(feature.about) ?? { number: known.size, feature };
      known.set(feature.about, met);
      numbered.set(met.number, met.feature);
      if (place < failing.length) having.set(met.number, (having.get(met.number) ?? new Set<number>()).add(place));
      return met.number;
    });
    // Halves by lot: the last bit has nothing to do with the prompt.
    return { isMarked: place < failing.length, features, half: row.lot % 2 === 0 ? 0 : 1 };
  });
  const shown: CommonFeature[] = [];
  const told: Set<number>[] = [];
  for (const { feature, all: counts, confirmed, p } of enrichedFeatures(units)) {
    const [own, named] = [having.get(feature) ?? new Set<number>(), numbered.get(feature)];
    if (named === undefined || told.some((other) => isMostlyIn(own, other))) continue;
    told.push(own);
    shown.push({ ...named, all: asRows(counts), confirmed: asRows(confirmed), p });
    if (shown.length === shownFeatures) break;
  }
  return shown;
}

/** Share of the rows of a feature from which another one that has them says the same. */
const mostShare = 0.8;

function isMostlyIn(rows: ReadonlySet<number>, others: ReadonlySet<number>): boolean {
  const shared = Array.from(rows).filter((row) => others.has(row)).length;
  return shared >= mostShare * rows.size;
}

const asRows = ({ marked, markedWith, others, othersWith }: FeatureCounts): FeatureRows => ({
  failing: marked,
  failingWith: markedWith,
  passing: others,
  passingWith: othersWith,
});

/** The features of prompts; what is long or short is said by all of them together, whatever became of them. */
function featuresIn(all: readonly SampledRow[]): (row: SampledRow) => Feature[] {
  const lengths = all.map(({ prompt }) => prompt.length).toSorted((one, other) => one - other);
  const [short, long] = [
    lengths[Math.floor(lengths.length * 0.25)] ?? 0,
    lengths[Math.floor(lengths.length * 0.75)] ?? 0,
  ];
  return ({ prompt, tags }) => [
    ...Object.entries(tags).map(([tag, value]): Feature => ({ kind: "tag", about: `${tag} = ${value}`, tag, value })),
    ...distinctWords(prompt).map((value) => featureOf("word", `the word "${value}"`, value)),
    ...scriptsIn(prompt).map((value) => featureOf("script", `${value} script`, value)),
    ...(prompt.length < short ? [featureOf("length", `fewer than ${short} characters`, String(short))] : []),
    ...(prompt.length > long ? [featureOf("length", `more than ${long} characters`, String(long))] : []),
  ];
}

function featureOf(kind: Feature["kind"], about: string, value: string): Feature {
  return { kind, about, tag: null, value };
}
