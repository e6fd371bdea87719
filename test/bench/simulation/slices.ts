import type { ComparedMetric } from "../../../src/compare/comparison-plan.ts";
import type { SegmentSummary } from "../../../src/compare/summary/segment-summary.ts";
import type { RandomStream } from "../../../src/lib/random.ts";
import { gauss } from "./draws.ts";
import { type DrawnCase, drawnSegments, passGate, scoreGate } from "./drawn-gates.ts";
import { nominal, type Situation } from "./situation.ts";

/** The level at which a segment stands in the first sentence of a comparison. */
const sure = 0.01;

const single = "a value of a tag is called worse or better";
const pair = "a pair of tags is";
const any = "**any of them**";
const said = "**any of them stands in the verdict**";

/** Draws a case with such tags: the scores of both sides. */
type Draw = (random: RandomStream, tags: Record<string, number>) => Pick<DrawnCase, "baseline" | "candidate">;

const passes: Draw = (random) => sidesAt(random, 0);
const scores: Draw = (random) => ({ baseline: 0, candidate: gauss(random) });

/** Eight in ten pass on both sides, and one in ten turns over each way by itself, but for what is lost. */
function sidesAt(random: RandomStream, lost: number): Pick<DrawnCase, "baseline" | "candidate"> {
  const draw = random.next();
  if (draw < 0.1 + lost) return { baseline: 1, candidate: 0 };
  return draw < 0.2 + lost ? { baseline: 0, candidate: 1 } : { baseline: 1, candidate: 1 };
}

interface Sheet {
  cases: number;
  /** Number of values of each tag. */
  tags: readonly number[];
  compared: ComparedMetric;
  draw: Draw;
}

function drawnOnce({ cases, tags, compared, draw }: Sheet, random: RandomStream, repetition: number): SegmentSummary[] {
  const drawn = Array.from({ length: cases }, () => {
    const values = Object.fromEntries(
      tags.map((count, place) => [`tag ${place}`, Math.floor(random.next() * count)] as const),
    );
    const named = Object.fromEntries(Object.entries(values).map(([tag, value]) => [tag, String(value)]));
    return { ...draw(random, values), tags: named };
  });
  return drawnSegments(compared, drawn, `simulation/${repetition}`);
}

function sheetName({ cases, tags }: Sheet, scored: string): string {
  return `${cases} cases with ${tags.length} tags of ${tags.join(", ")} values, ${scored}`;
}

/** Nothing changed: no segment may be called worse or better. */
function nothingChanged(sheet: Sheet, scored: string): Situation {
  return {
    name: sheetName(sheet, scored),
    asks: "false alarms: nothing changed",
    repetitions: 2_000,
    once: (random, repetition) => {
      const called = drawnOnce(sheet, random, repetition).filter(({ adjusted }) => (adjusted ?? 1) <= nominal);
      return {
        [single]: called.some(({ and }) => and === null),
        [pair]: called.some(({ and }) => and !== null),
        [any]: called.length > 0,
        [said]: called.some(({ adjusted }) => (adjusted ?? 1) <= sure),
      };
    },
    promised: { [any]: nominal, [said]: sure },
  };
}

/** Something is lost where tags have the value 0. */
function lostWhere(sheet: Sheet, asks: string, isMeant: (segment: SegmentSummary) => boolean): Situation {
  const found = "it is called worse";
  const worst = "it is the worst of what is called";
  const beside = "a pair that is not it is called too";
  return {
    name: sheetName(sheet, "pass or fail"),
    asks,
    repetitions: 500,
    once: (random, repetition) => {
      const worse = drawnOnce(sheet, random, repetition).filter(
        ({ adjusted, difference }) => (adjusted ?? 1) <= nominal && (difference ?? 0) < 0,
      );
      const [first] = worse.toSorted((a, b) => (a.difference ?? 0) - (b.difference ?? 0));
      return {
        [found]: worse.some(isMeant),
        [worst]: first !== undefined && isMeant(first),
        [beside]: worse.some((segment) => segment.and !== null && !isMeant(segment)),
      };
    },
  };
}

const small = { cases: 200, tags: [4, 5, 2], compared: passGate(0.05), draw: passes };
const large = { cases: 1_000, tags: [6, 6, 6, 4], compared: passGate(0.05), draw: passes };
const ofPair: Draw = (random, tags) => sidesAt(random, tags["tag 0"] === 0 && tags["tag 1"] === 0 ? 0.5 : 0);
const ofOne: Draw = (random, tags) => sidesAt(random, tags["tag 0"] === 0 ? 0.4 : 0);

const isFirst = ({ tag, value, and }: SegmentSummary): boolean => tag === "tag 0" && value === "0" && and === null;
const isFirstPair = ({ tag, value, and }: SegmentSummary): boolean =>
  tag === "tag 0" && value === "0" && and?.tag === "tag 1" && and.value === "0";

/** Values of tags and pairs of them, all called together. */
export const segmentSituations: readonly Situation[] = [
  nothingChanged(small, "pass or fail"),
  nothingChanged(large, "pass or fail"),
  nothingChanged({ ...small, compared: scoreGate("value", 0.3), draw: scores }, "a score"),
  nothingChanged({ ...large, compared: scoreGate("value", 0.3), draw: scores }, "a score"),
  lostWhere({ ...small, cases: 1_000, draw: ofPair }, "one pair of values loses 50 points", isFirstPair),
  lostWhere({ ...small, cases: 400, draw: ofOne }, "one value of a tag loses 40 points", isFirst),
];
