import type { ComparedMetric } from "../../../src/compare/comparison-plan.ts";
import type { WorsePlace } from "../../../src/compare/summary/places.ts";
import type { RandomStream } from "../../../src/lib/random.ts";
import { gauss } from "./draws.ts";
import { type DrawnCase, drawnSlices, passGate, scoreGate } from "./drawn-gates.ts";
import { nominal, type Situation } from "./situation.ts";

/** The level of a place that makes a comparison WORSE. */
const deadly = 0.001;

const called = "a value of a tag is called worse or better";
const placed = "a place is called surely worse";
const said = "**a place makes the word WORSE**";

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

function drawnOnce({ cases, tags, compared, draw }: Sheet, random: RandomStream) {
  const drawn = Array.from({ length: cases }, () => {
    const values = Object.fromEntries(
      tags.map((count, place) => [`tag ${place}`, Math.floor(random.next() * count)] as const),
    );
    const named = Object.fromEntries(Object.entries(values).map(([tag, value]) => [tag, String(value)]));
    return { ...draw(random, values), tags: named };
  });
  return drawnSlices(compared, drawn);
}

function sheetName({ cases, tags }: Sheet, scored: string): string {
  return `${cases} cases with ${tags.length} tags of ${tags.join(", ")} values, ${scored}`;
}

/** Nothing changed: no slice may be called worse or better. */
function nothingChanged(sheet: Sheet, scored: string, isFlaky = false): Situation {
  return {
    name: sheetName(sheet, scored),
    asks: "false alarms: nothing changed",
    repetitions: 2_000,
    once: (random) => {
      const { slices, places } = drawnOnce(sheet, random);
      return {
        [called]: slices.some(({ adjusted }) => (adjusted ?? 1) <= nominal),
        [placed]: places.length > 0,
        [said]: places.some(({ pLost }) => pLost <= deadly),
      };
    },
    promised: { [called]: nominal, ...(!isFlaky && { [placed]: 0.01 }), [said]: 0.002 },
  };
}

/** Something is lost in one place. */
function lostWhere(sheet: Sheet, asks: string, isMeant: (place: WorsePlace) => boolean): Situation {
  return {
    name: sheetName(sheet, "pass or fail"),
    asks,
    repetitions: 500,
    once(random) {
      const { places } = drawnOnce(sheet, random);
      const [first] = places;
      return {
        "it is called surely worse": first !== undefined && isMeant(first),
        "another place is called beside it": places.some((place) => !isMeant(place)),
      };
    },
  };
}

const small = { cases: 200, tags: [4, 5, 2], compared: passGate(0.05), draw: passes };
const large = { cases: 1_000, tags: [6, 6, 6, 4], compared: passGate(0.05), draw: passes };
const ofPair: Draw = (random, tags) => sidesAt(random, tags["tag 0"] === 0 && tags["tag 1"] === 0 ? 0.5 : 0);
const ofOne: Draw = (random, tags) => sidesAt(random, tags["tag 0"] === 0 ? 0.4 : 0);

const isFirst = ({ tag, value, and }: WorsePlace): boolean => tag === "tag 0" && value === "0" && and === null;
const isFirstPair = ({ tag, value, and }: WorsePlace): boolean =>
  tag === "tag 0" && value === "0" && and?.tag === "tag 1" && and.value === "0";

/** Bots that are equal, and turn over much in one value of the first tag: nothing is lost there. */
const flaky: Draw = (random, tags) => {
  const turned = tags["tag 0"] === 0 ? 0.3 : 0.02;
  const draw = random.next();
  if (draw < turned) return { baseline: 1, candidate: 0 };
  return draw < 2 * turned ? { baseline: 0, candidate: 1 } : { baseline: 1, candidate: 1 };
};

/** Values of tags and pairs of them, all called together. */
export const segmentSituations: readonly Situation[] = [
  nothingChanged(small, "pass or fail"),
  nothingChanged(large, "pass or fail"),
  nothingChanged({ ...small, compared: scoreGate("value", 0.3), draw: scores }, "a score"),
  nothingChanged({ ...large, compared: scoreGate("value", 0.3), draw: scores }, "a score"),
  nothingChanged({ ...large, draw: flaky }, "pass or fail, one value flaky", true),
  lostWhere({ ...small, cases: 1_000, draw: ofPair }, "one pair of values loses 50 points", isFirstPair),
  lostWhere({ ...small, cases: 400, draw: ofOne }, "one value of a tag loses 40 points", isFirst),
];
