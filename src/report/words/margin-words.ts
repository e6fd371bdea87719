import type { ReportGate } from "../shape/model.ts";
import { difference as differenceFigure, limitFigure, loss, lossBeside, pValue, rangeWords } from "./figures.ts";
import { type Claim, type KindWords, sizeWords } from "./kind-words.ts";
import { decidedByPeople, labelledTurns } from "./people-words.ts";
import { capitalised, counted, number } from "./quantity.ts";

/** Words of a gate that accepts a margin, and of a metric without a gate. */
export const marginWords: KindWords = {
  figures(gate, metric) {
    const { interval, p, worse, better, test, stoppedEarly = false } = gate;
    const by = differenceFigure(gate.difference, metric);
    const within = interval === null ? [] : [rangeWords(gate, interval, metric)];
    // The measured difference is too large then.
    const inside = stoppedEarly ? [...within, `measured ${by}`] : [by, ...within];
    if (p !== null) inside.push(`p ${pValue(p)}`);
    const how = test === "" ? "" : `, ${test}`;
    const people = decidedByPeople(gate);
    const flipped =
      people === null ? `${counted(worse, "case")} got worse, ${number(better)} better` : labelledTurns(people);
    return ` (${inside.join(", ")}; ${sizeWords(gate)}${how}); ${flipped}`;
  },
  bound({ state, interval, margin, sides }, metric) {
    if (interval === null || margin === null) return null;
    if (sides === 2) return `a gain of at least ${loss(interval.lower, metric)}; limit ${limitFigure(margin, metric)}`;
    const [least, most] = [-interval.upper, -interval.lower];
    const size = (value: number): string => lossBeside(value, margin, metric);
    const limit = `limit ${limitFigure(margin, metric)}`;
    if (state === "regression") return `a loss of at least ${size(least)}; ${limit}`;
    if (most <= 0) return `no loss; ${limit}`;
    if (state === "pass") return `a loss of at most ${size(most)}; ${limit}`;
    return `a loss of ${least > 0 ? `at least ${size(least)}, ` : ""}up to ${size(most)}; ${limit}`;
  },
  limit: ({ margin }, metric) => (margin === null ? "" : ` (limit ${limitFigure(margin, metric)})`),
  evidence(claim, sides) {
    const bound = boundWords(claim);
    const people = decidedByPeople(claim.gate);
    const cases = people === null ? flippedWords(claim.gate, claim.flipped) : labelledTurns(people);
    return `${cases}. ${sides}${partsWords(claim)}${bound === "" ? "" : `. ${bound}`}`;
  },
  allows: ({ margin, difference: change }) => ({ loss: margin ?? 0, wasLost: change !== null && change < 0 }),
  failing: () => null,
};

function flippedWords({ worse, better, cases }: ReportGate, flipped: boolean): string {
  const of = `${number(worse)} of ${counted(cases, "case")}`;
  if (worse === 0 && better === 0) return "no case got better or worse";
  if (!flipped) return `${of} got worse, ${number(better)} better`;
  return `${of} newly ${worse === 1 ? "fails" : "fail"}, ${number(better)} newly ${better === 1 ? "passes" : "pass"}`;
}

/** The loss that was measured, the one-sided bound that decides, and the limit; empty where there is none. */
function boundWords(claim: Claim): string {
  const { gate, about, say } = claim;
  const { state, word, interval, sides, margin, difference, sureLoss } = gate;
  if (interval === null || sides === 2 || margin === null || difference === null) return "";
  const { lower, upper } = interval;
  const size = (value: number): string => say(Math.abs(value), about, margin);
  const limit = (): string => `The limit is ${size(margin)}`;
  if (gate.stoppedEarly === true) return `${earlyWords(claim, { lower, upper, difference, size })}. ${limit()}`;
  const measured = difference < 0 ? `Measured loss: ${size(difference)}` : "No loss was measured";
  const chance = "with chance taken into account";
  // Bounds that held at every look on the way are not taken back by what came later.
  const earlier = `${measured}. The earlier cases alone tell that it is`;
  if (difference > upper && upper < 0)
    return `${earlier} at least ${size(upper)}: the later ones did better. ${limit()}`;
  if (difference < lower && lower < 0) return `${earlier} at most ${size(lower)}: the later ones did worse. ${limit()}`;
  if (state === "regression") return `${measured}; ${chance} it is at least ${size(upper)}. ${limit()}`;
  if (sureLoss !== undefined) {
    const least = `${measured}; ${chance} it is at least ${size(sureLoss.upper)}`;
    if (state === "pass") return `${least}, and at most ${size(lower)}. ${limit()}`;
    return `${least}, and could be up to ${size(lower)}. It may be more or less than your limit of ${size(margin)}`;
  }
  if (word === "cannot-tell") return "";
  if (lower >= 0) return `${measured}. ${limit()}`;
  if (state === "pass" && difference >= 0)
    return `${measured}; if there is one, it is below ${size(lower)}. ${limit()}`;
  if (state === "pass") return `${measured}; ${chance} it is at most ${size(lower)}. ${limit()}`;
  const hides = `a loss of up to ${size(lower)} could hide. ${limit()}`;
  return difference < 0 ? `${measured}; ${chance} it could be up to ${size(lower)}. ${limit()}` : capitalised(hides);
}

interface Measured {
  lower: number;
  upper: number;
  difference: number;
  size: (value: number) => string;
}

/** After an early stop the bound comes first: what was measured is too large, because the run stopped when it was large. */
function earlyWords({ gate: { state, sureLoss } }: Claim, { lower, upper, difference, size }: Measured): string {
  const least = sureLoss?.upper ?? upper;
  const [from, to] = [`at least ${size(least)}`, `${state === "pass" ? "at most" : "up to"} ${size(lower)}`];
  const isLost = state === "regression" || sureLoss !== undefined;
  const ends = state === "regression" ? from : isLost ? `${from}, and ${to}` : to;
  const bound = lower >= 0 ? "No loss" : `${isLost ? "The loss is" : "A loss, if there is one, is"} ${ends}`;
  const measured =
    difference < 0 ? size(difference) : difference > 0 ? `a gain of ${size(difference)}` : "no difference";
  return `${bound}, with chance taken into account. Measured: ${measured}; a run that stops early overstates`;
}

/**
 * ` (a case right in one of two tries counts half)`: 31 worse and 4 better are not 17.3 points of 165 then. Empty where no
 * loss has to be explained so.
 */
function partsWords({ gate, about, tries }: Claim): string {
  if (decidedByPeople(gate) !== null) return "";
  const { worse, better, difference, cases, baseline, now } = gate;
  if (!about.passes || tries === 1 || cases === 0) return "";
  if (difference === null || difference >= 0 || baseline === null || now === null) return "";
  // Weighed otherwise, such as by conversation, the two sides would not explain it either.
  if (Math.abs(now - baseline - difference) >= 0.0005) return "";
  if (Math.abs((better - worse) / cases - difference) < 0.0005) return "";
  return tries === 2
    ? " (a case right in one of two tries counts half)"
    : " (a case counts by the share of its tries that are right)";
}
