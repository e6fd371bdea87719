import type { ComparedMetric } from "../../../src/compare/comparison-plan.ts";
import { worstState } from "../../../src/compare/verdict/decide.ts";
import type { RandomStream } from "../../../src/lib/random.ts";
import { gauss, logNormal } from "./draws.ts";
import { type DrawnCase, drawnStates, passGate, scoreGate } from "./drawn-gates.ts";
import { missingAnswers } from "./missing-answers.ts";
import { nominal, type Situation } from "./situation.ts";

interface AtTheMargin {
  name: string;
  gates: ComparedMetric;
  draw: (random: RandomStream) => DrawnCase[];
  repetitions?: number;
  named?: Situation["named"];
}

const says = { worse: "**gate** says regression", not: "**gate** says pass" };

/** The true difference of every case, or of the tag that is worst, is exactly the margin: neither answer is right. */
function atTheMargin({ name, gates, draw, repetitions = 10_000, named = {} }: AtTheMargin): Situation {
  return {
    name,
    asks: "false answers when the drop is exactly the margin",
    repetitions,
    once: (random, repetition) => {
      const state = worstState(drawnStates(gates, draw(random), `simulation/${repetition}`));
      return { [says.worse]: state === "regression", [says.not]: state === "pass" };
    },
    promised: { [says.worse]: nominal, [says.not]: nominal },
    named,
  };
}

/** Conversations of such lengths; what is drawn for a conversation is shared by its turns. */
function talks(sizes: readonly number[], drawTalk: () => (turn: number) => number): DrawnCase[] {
  return sizes.flatMap((size, cluster) => {
    const turnOf = drawTalk();
    return Array.from({ length: size }, (_, turn) => ({ baseline: 0, candidate: turnOf(turn), cluster }));
  });
}

/** Normal differences of turns, of which a share is common to their conversation. */
function normalTalks(sizes: readonly number[], icc: number, shift: number) {
  return (random: RandomStream): DrawnCase[] =>
    talks(sizes, () => {
      const common = shift + gauss(random) * Math.sqrt(icc);
      return () => common + gauss(random) * Math.sqrt(1 - icc);
    });
}

/** A tenth of the conversations loses half of its turns, and one turn in thirty turns over each way by itself. */
function brokenTalks(sizes: readonly number[]) {
  return (random: RandomStream): DrawnCase[] =>
    sizes.flatMap((size, cluster) => {
      const isBroken = random.next() < 0.1;
      return Array.from({ length: size }, () => {
        const draw = random.next();
        if (isBroken && random.next() < 0.5) return { baseline: 1, candidate: 0, cluster };
        return { baseline: draw < 1 / 30 ? 0 : 1, candidate: draw > 29 / 30 ? 0 : 1, cluster };
      });
    });
}

function oneLong(short: number): number[] {
  return [100, ...Array.from({ length: short }, () => 3)];
}

const meanOfLogNormal = Math.exp(0.5);

/** Differences with a long tail to the worse, or to the better, whose mean or median is the margin of 1. */
function skewed(n: number, tail: "losses" | "gains", of: "value" | "median"): AtTheMargin {
  const sign = tail === "losses" ? -1 : 1;
  const middle = of === "value" ? meanOfLogNormal : 1;
  return {
    name: `${n} cases, log-normal ${tail}${of === "median" ? ", `of: median`" : ""}`,
    gates: scoreGate(of, 1),
    draw: (random) =>
      Array.from({ length: n }, () => ({ baseline: 0, candidate: sign * (logNormal(random) - middle) - 1 })),
  };
}

/** Times that are log-normal on both sides, the candidate's a tenth longer. */
function ratio(n: number): AtTheMargin {
  return {
    name: `${n} cases, log-normal times of both sides, \`of: ratio\``,
    gates: scoreGate("ratio", 0.1),
    draw: (random) =>
      Array.from({ length: n }, () => {
        const ofCase = logNormal(random);
        return { baseline: ofCase * logNormal(random), candidate: 1.1 * ofCase * logNormal(random) };
      }),
  };
}

function few(conversations: number): AtTheMargin {
  const sizes = Array.from({ length: conversations }, () => 6);
  return {
    name: `${conversations} conversations of 6 turns, ICC 0.4`,
    gates: scoreGate("value", 0.3),
    draw: normalTalks(sizes, 0.4, -0.3),
  };
}

/** Cases of a tag with so many values: all lose the margin, or only the first does. */
function tagged(
  each: number,
  values: number,
  { losing, margin }: { losing: "all" | "one"; margin: number },
): AtTheMargin {
  return {
    name: `${values} values of a tag with ${each} cases each, a gate over all and one \`by\` it; ${losing === "all" ? "each loses" : "one loses"} the margin of ${margin * 100} points`,
    gates: passGate(margin, [null, "category"]),
    repetitions: 4_000,
    draw: (random) =>
      Array.from({ length: each * values }, (_, place) => {
        const value = place % values;
        const lost = losing === "all" || value === 0 ? margin : 0;
        const draw = random.next();
        const sides = draw < 0.05 + lost ? [1, 0] : draw < 0.1 + lost ? [0, 1] : draw < 0.8 ? [1, 1] : [0, 0];
        return { baseline: sides[0] ?? 0, candidate: sides[1] ?? 0, tags: { category: `value ${value}` } };
      }),
  };
}

/** Differences exactly on the margin, in the data that fooled the gates once. */
export const atTheMarginSituations: readonly Situation[] = [
  ...[19, 39].flatMap((short) => [
    atTheMargin({
      name: `one conversation of 100 turns and ${short} of 3, ICC 0.4`,
      gates: scoreGate("value", 0.3),
      draw: normalTalks(oneLong(short), 0.4, -0.3),
      repetitions: 2_000,
    }),
    atTheMargin({
      name: `one conversation of 100 turns and ${short} of 3, pass or fail, a tenth of them breaks`,
      gates: passGate(0.05),
      draw: brokenTalks(oneLong(short)),
      repetitions: 2_000,
      named: { [says.not]: 0.1 },
    }),
  ]),
  ...[20, 50, 200].flatMap((n) =>
    (["losses", "gains"] as const).flatMap((tail) =>
      (["value", "median"] as const).map((of) => atTheMargin(skewed(n, tail, of))),
    ),
  ),
  ...[20, 50, 200].map((n) => atTheMargin(ratio(n))),
  ...[5, 10].map((conversations) => atTheMargin(few(conversations))),
  ...[
    { n: 5, at: 0.12 },
    { n: 10, at: 0.075 },
  ].flatMap(({ n, at }) =>
    (["losses", "gains"] as const).map((tail) =>
      atTheMargin({ ...skewed(n, tail, "value"), ...(tail === "gains" && { named: { [says.worse]: at } }) }),
    ),
  ),
  ...missingAnswers,
  atTheMargin(tagged(100, 4, { losing: "all", margin: 0.05 })),
  atTheMargin(tagged(100, 4, { losing: "one", margin: 0.05 })),
  atTheMargin(tagged(30, 12, { losing: "all", margin: 0.1 })),
  atTheMargin(tagged(30, 12, { losing: "one", margin: 0.1 })),
];
