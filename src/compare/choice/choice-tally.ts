import { ranking } from "../tallies/candidate-tally.ts";
import { growingFloats, growingInts } from "../tallies/growing.ts";
import { type Belonging, questionTally } from "../tallies/questions.ts";
import { type Slice, SliceIndex, slicesOf } from "../tallies/slices.ts";
import type { PairedResult } from "../cases/case-comparison.ts";
import { latencyOf, type ReadSide, usageOf } from "../cases/case-side.ts";
import { signOf } from "../cases/case-turn.ts";
import type { ComparedMetric } from "../comparison-plan.ts";
import { costOf } from "../../api/price.ts";
import type { Integer } from "../../lib/integer.ts";

/** The scores of all configurations in the cases that every one of them has one of. */
export interface ChoiceNumbers {
  /** For each configuration its score of each case, signed so that positive is better. */
  values: Float64Array[];
  /** Number of each case's cluster; null when every case is its own. */
  clusters: Int32Array | null;
  /** Number of each case's question, where some are asked several times; else null. */
  questions: Int32Array | null;
  /** Cases that the metric is about. */
  cases: number;
  /** For each configuration the cases that left because it alone, or it among others, has no score; and keys of the first. */
  left: { cases: number; keys: string[] }[];
  /** Configurations with the same number gave the same answers in all cases. */
  alike: number[];
  /** For each configuration the cost of a run in each of its cases, in the owner's unit; NaN where it is not known. */
  costs: Float64Array[];
  /** For each configuration the milliseconds of an answered run in each of its cases; NaN where none was answered. */
  times: Float64Array[];
  /** Cases that pass with none, where the metric passes or fails, and the first of them: a gap of all, or a fault of the dataset. */
  nobody: { cases: number; first: NamedCase[] };
  /** Cases on which they disagree most, the most first. */
  disputed: DisputedCase[];
  /** Those of one tag. */
  slices: Slice[];
}

/** A case by what a reader knows it by. */
export interface NamedCase {
  /** Key of the case. */
  key: string;
  /** Row as a spreadsheet shows it; null: it is of no file. */
  row: Integer | null;
  /** Its mapped input as JSON. */
  input: string;
}

/** A case on which configurations disagree, with the score of each. */
interface DisputedCase extends NamedCase {
  scores: number[];
}

const mostKeys = 3;
const mostDisputed = 10;
const mostOfNobody = 20;

/** Collects one metric of many configurations, case by case; memory is 8 bytes for each case and configuration, and 4 for each case and tag. */
export function choiceTally(
  { compared, place }: { compared: ComparedMetric; place: number },
  { configurations, belonging }: { configurations: number; belonging: Belonging },
) {
  const sign = signOf(compared);
  const values = Array.from({ length: configurations }, growingFloats);
  const left = Array.from({ length: configurations }, () => ({ cases: 0, keys: [] as string[] }));
  const clusters = growingInts();
  const questions = questionTally(belonging);
  const isClustered = belonging === "turns" || belonging === "column";
  const costs = Array.from({ length: configurations }, growingFloats);
  const times = Array.from({ length: configurations }, growingFloats);
  const same = sameAnswers(configurations);
  const disputed = ranking<DisputedCase>(mostDisputed);
  const nobody = { cases: 0, first: [] as NamedCase[] };
  const slices = new SliceIndex();
  let cases = 0;

  const dispute = ({ key, row, input }: NamedCase, scores: number[]): void => {
    const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
    const spread = scores.reduce((sum, score) => sum + (score - mean) ** 2, 0);
    if (spread > 0 && disputed.admits([spread])) disputed.add([spread], { key, row, input, scores });
    if (compared.of !== "pass" || scores.some((score) => score > 0)) return;
    nobody.cases += 1;
    if (nobody.first.length < mostOfNobody) nobody.first.push({ key, row, input });
  };
  return {
    /** A case with what each configuration made of it, in their order. */
    add(result: PairedResult, read: readonly ReadSide[], cluster: number): void {
      const scores = read.map(({ side }) => side.scores[place]);
      // A case that lacks what the scorer compares with is none of the metric's.
      if (scores.length < configurations || scores.some((score) => score?.isBeside === true)) return;
      cases += 1;
      same.add(read);
      const means = scores.map((score) => score?.mean ?? null);
      for (const [at, mean] of means.entries()) {
        const own = left[at];
        if (mean !== null || own === undefined) continue;
        own.cases += 1;
        if (own.keys.length < mostKeys) own.keys.push(result.key);
      }
      if (means.includes(null)) return;
      dispute(
        result,
        means.map((mean) => mean ?? 0),
      );
      for (const [at, mean] of means.entries()) values[at]?.push(sign * (mean ?? 0));
      for (const [at, side] of read.entries()) {
        const answered = side.runs.flatMap(({ job }) => (job.outcome === "ok" ? [job] : []));
        costs[at]?.push(meanOf(answered.flatMap((job) => costOf(side.compared.price, usageOf(job)) ?? [])));
        times[at]?.push(meanOf(answered.flatMap((job) => latencyOf(job) ?? [])));
      }
      slices.add(result.tags);
      clusters.push(cluster);
      questions.add(result, cluster);
    },
    numbers(): ChoiceNumbers {
      const asked = questions.asked();
      return {
        values: values.map((own) => own.view()),
        clusters: isClustered ? clusters.view() : asked.inputs,
        questions: asked.questions,
        cases,
        left,
        alike: same.groups(),
        costs: costs.map((own) => own.view()),
        times: times.map((own) => own.view()),
        nobody,
        disputed: disputed.entries(),
        slices: slices.tags().flatMap(slicesOf),
      };
    },
  };
}

/** NaN where nothing is known. */
const meanOf = (known: readonly number[]): number => known.reduce((sum, value) => sum + value, 0) / known.length;

/** Parts configurations that answer differently; those that are left together are alike to the letter. */
function sameAnswers(configurations: number) {
  let groups = Array.from({ length: configurations }, () => 0);
  let answered = false;
  return {
    add(read: readonly ReadSide[]): void {
      if (new Set(groups).size === configurations) return;
      const known = new Map<string, number>();
      groups = read.map(({ runs }, place) => {
        const said = JSON.stringify([groups[place], ...runs.map(({ answer }) => answer)]);
        answered ||= runs.some(({ answer }) => answer !== null);
        const group = known.get(said) ?? known.size;
        known.set(said, group);
        return group;
      });
    },
    groups: (): number[] => (answered ? groups : groups.map((_, place) => place)),
  };
}
