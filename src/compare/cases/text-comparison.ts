import { endpointOf } from "../../api/endpoints.ts";
import { energyDistances } from "../../stats/resampling/labellings.ts";
import { chrf2 } from "../../text/chrf/chrf.ts";
import type { ReadSide, Run } from "./case-side.ts";

/** Distance between the answers of two sides, and among those of the baseline. */
export interface TextComparison {
  /**
   * Some answer of the candidate is another than some answer of the baseline: false only where all tries of both said the
   * same. Null unless both have a run record.
   */
  answerDiffers: boolean | null;
  /**
   * 1 - chrF2/100 of the answers, cleaned: the mean over each run of the candidate with each of the baseline; null when a
   * side has none.
   */
  distance: number | null;
  /** Mean distance among the runs of the baseline; null with fewer than two. */
  noise: number | null;
  /**
   * Excess of the candidate's distance from the baseline's answers over the distance between answers of one side
   * (energy distance); null if there is no noise to subtract.
   */
  excess: number | null;
  /** The least distance of an answer of the candidate to one of the baseline is beyond the greatest within the baseline. */
  textBeyondNoise: boolean | null;
  /** Distance of the texts of two runs by their places, the baseline's first; null where some run has none. */
  between: ((i: number, j: number) => number) | null;
  /** The excess under every way to label the answers, as it was first; null unless every planned run was answered. */
  labelled: Float64Array | null;
}

const nothingKnown = {
  noise: null,
  excess: null,
  textBeyondNoise: null,
  between: null,
  labelled: null,
} satisfies Partial<TextComparison>;

/** Compares the answers of all runs; how much the baseline varies by itself is known where it ran more than once. */
export function compareTexts(base: ReadSide, other: ReadSide): TextComparison {
  if (base.runs.length < 2 && other.runs.length < 2) return { ...nothingKnown, ...compareOne(base, other) };
  const [from, to] = [answered(base), answered(other)];
  const [first] = from;
  if (first === undefined || to.length === 0) return { ...nothingKnown, answerDiffers: null, distance: null };
  const about = { answerDiffers: [...from, ...to].some((each) => isAnother(first, each)) };
  const [ofBaseline, ofCandidate] = [from.slice(0, mostRuns), to.slice(0, mostRuns)];
  const texts = [...ofBaseline, ...ofCandidate].map(({ text }) => text);
  const baseline = ofBaseline.length;
  const distance = distances(texts);
  const across = { distance: acrossDistance(texts, baseline, distance) };
  if (from.length < 2) return { ...nothingKnown, ...about, ...across };
  const complete = from.length === base.runs.length && to.length === other.runs.length;
  const labelled = energyDistances({ baseline, candidate: ofCandidate.length }, distance);
  return {
    ...about,
    ...across,
    ...withinAndAcross(distance, baseline, texts.length),
    excess: labelled[0] ?? null,
    between: complete ? distance : null,
    labelled: complete ? labelled : null,
  };
}

/** Number of runs used of each side, the first ones: more would not tell more about a single case. */
const mostRuns = 6;

type OneByOne = Pick<TextComparison, "answerDiffers" | "distance">;

const oneByOne = (answerDiffers: boolean | null, distance: number | null): OneByOne => ({ answerDiffers, distance });

/** One run on each side, which are all there is. */
function compareOne(base: ReadSide, other: ReadSide): OneByOne {
  const [one, two] = [base.runs[0], other.runs[0]];
  if (one === undefined || two === undefined || one.output === null || two.output === null) return oneByOne(null, null);
  if (one.answer === null || two.answer === null) return oneByOne(one.answer !== two.answer, null);
  if (one.answer === two.answer) return oneByOne(false, 0);
  const [left, right] = [textOf(base, one) ?? "", textOf(other, two) ?? ""];
  return left === right ? oneByOne(false, 0) : oneByOne(true, 1 - chrf2(right, left) / 100);
}

/** A run with a record, its answer as it came and cleaned. */
interface AnsweredRun {
  answer: string | null;
  text: string | null;
}

function answered(side: ReadSide): AnsweredRun[] {
  return side.runs
    .filter(({ output }) => output !== null)
    .map((run) => ({ answer: run.answer, text: textOf(side, run) }));
}

function isAnother(one: AnsweredRun, other: AnsweredRun): boolean {
  return one.answer !== other.answer && one.text !== other.text;
}

function textOf({ compared }: ReadSide, { answer }: Run): string | null {
  return answer === null ? null : endpointOf(compared.endpoint).comparableText(answer);
}

/** Mean over each text of the candidate with each of the baseline; null where a side has none. */
function acrossDistance(
  texts: readonly (string | null)[],
  baseline: number,
  distance: (i: number, j: number) => number,
): number | null {
  let [sum, pairs] = [0, 0];
  for (let i = 0; i < baseline; i++) {
    for (let j = baseline; j < texts.length; j++) {
      if (texts[i] === null || texts[j] === null) continue;
      sum += distance(i, j);
      pairs += 1;
    }
  }
  return pairs === 0 ? null : sum / pairs;
}

/** Distances of the texts of all runs, by their places: the baseline's first. */
export function distancesOf(base: ReadSide, other: ReadSide): (i: number, j: number) => number {
  return distances([...base.runs.map((run) => textOf(base, run)), ...other.runs.map((run) => textOf(other, run))]);
}

/** Each pair is measured once. An answer against none is entirely different. */
function distances(texts: readonly (string | null)[]): (i: number, j: number) => number {
  const known = new Map<number, number>();
  return (i, j) => {
    const place = Math.min(i, j) * texts.length + Math.max(i, j);
    const found = known.get(place);
    if (found !== undefined) return found;
    const measured = evenDistance(texts[i] ?? null, texts[j] ?? null);
    known.set(place, measured);
    return measured;
  };
}

/** The same whichever of the two comes first, so that the answers can change places. */
function evenDistance(one: string | null, other: string | null): number {
  if (one === other) return 0;
  if (one === null || other === null) return 1;
  return one < other ? 1 - chrf2(one, other) / 100 : 1 - chrf2(other, one) / 100;
}

function withinAndAcross(
  distance: (i: number, j: number) => number,
  baseline: number,
  all: number,
): Pick<TextComparison, "noise" | "textBeyondNoise"> {
  let [sum, pairs, farthest] = [0, 0, 0];
  for (let i = 0; i < baseline; i++) {
    for (let j = i + 1; j < baseline; j++) {
      sum += distance(i, j);
      pairs += 1;
      farthest = Math.max(farthest, distance(i, j));
    }
  }
  let nearest = 1;
  for (let i = 0; i < baseline; i++) {
    for (let j = baseline; j < all; j++) nearest = Math.min(nearest, distance(i, j));
  }
  return { noise: pairs === 0 ? null : sum / pairs, textBeyondNoise: nearest > farthest };
}
