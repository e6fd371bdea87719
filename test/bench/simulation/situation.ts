import { comparePairs } from "../../stats/compare-pairs.ts";
import type { GateState } from "../../../src/compare/verdict-word.ts";
import { gateFindings } from "../../../src/compare/verdict/decide.ts";
import { type RandomStream, randomStream } from "../../../src/lib/random.ts";
import { type PairedComparison, type PairedData } from "../../../src/stats/difference.ts";
import { questionOf } from "../../compare/gate-question.ts";

/** Level of the gates and tests that are simulated. */
export const nominal = 0.05;

/** A situation in which something is known to be true, and what the rules make of data drawn from it. */
export interface Situation {
  name: string;
  /** The truth in this situation, which makes the answer of a rule a false alarm, or a find. */
  asks: string;
  repetitions: number;
  /** Tells for one draw of data which rules spoke up. */
  once: (random: RandomStream, repetition: number) => Record<string, boolean>;
  /** Highest rate of a rule of ours that was promised, as a share; rules that are not named here are others' or promise nothing. */
  promised?: Record<string, number>;
  /** Rates above the promise that the page names, with the reason: measured, and no higher than this. */
  named?: Record<string, number>;
  /** Rules of ours that must find more than these others. */
  best?: Record<string, string[]>;
}

export interface Rate {
  situation: Situation;
  rule: string;
  rate: number;
  /** Half of the 95 % interval of what was measured: chance in the simulation itself. */
  chance: number;
  /** Null where nothing is promised. */
  kept: boolean | null;
  /** The rate that is named instead of the promised one. */
  named: number | null;
}

/** Repeats a situation with a seed of its own. */
export function simulate(situation: Situation): Rate[] {
  const random = randomStream(`simulation/${situation.name}/${situation.asks}`);
  const hits = new Map<string, number>();
  for (let repetition = 0; repetition < situation.repetitions; repetition++) {
    for (const [rule, spoke] of Object.entries(situation.once(random, repetition))) {
      hits.set(rule, (hits.get(rule) ?? 0) + Number(spoke));
    }
  }
  const rates = Array.from(hits, ([rule, count]) => ({ rule, rate: count / situation.repetitions }));
  return rates.map(({ rule, rate }) => ({
    situation,
    rule,
    rate,
    chance: 1.96 * Math.sqrt((rate * (1 - rate)) / situation.repetitions),
    kept: keptBy(situation, { rule, rate }, rates),
    named: situation.named?.[rule] ?? null,
  }));
}

function keptBy(
  { promised, named, best }: Situation,
  { rule, rate }: { rule: string; rate: number },
  all: readonly { rule: string; rate: number }[],
): boolean | null {
  const limit = named?.[rule] ?? promised?.[rule];
  if (limit !== undefined) return rate <= limit + Math.min(0.01, limit / 5);
  const others = best?.[rule];
  return others === undefined ? null : all.every((other) => !others.includes(other.rule) || other.rate < rate);
}

/** One comparison as the product makes it. */
export function compared(data: PairedData, margin: number, alpha = 0.05): PairedComparison {
  return comparePairs(data, { margin, confidence: 1 - alpha });
}

/** The states of the shipped gates, decided all together. */
export function gated(data: readonly PairedData[], margin: number, { alpha = 0.05 } = {}): GateState[] {
  const questions = data.map((each) => questionOf(each, { margin, alpha }));
  return gateFindings(questions, { alpha, passAlpha: alpha }).map(({ state }) => state);
}
