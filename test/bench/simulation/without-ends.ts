import type { RandomStream } from "../../../src/lib/random.ts";
import { gauss } from "./draws.ts";
import { type DrawnCase, drawnStates, scoreGate } from "./drawn-gates.ts";
import { nominal, type Situation } from "./situation.ts";

const margin = 0.05;

/** Values between 0 and 1 of a score that declares no ends; the candidate's have noise of their own. */
interface WithoutEnds {
  n: number;
  noise: number;
  /** Share of the cases that lose, and how much. */
  losing: number;
  loss: number;
}

export function drawWithoutEnds({ n, noise, losing, loss }: WithoutEnds, random: RandomStream): DrawnCase[] {
  return Array.from({ length: n }, () => {
    const baseline = random.next();
    const lost = random.next() < losing ? loss : 0;
    return { baseline, candidate: baseline + noise * gauss(random) - lost };
  });
}

const passes = "**gate** says pass";
const gates = scoreGate("value", margin);

function passing(random: RandomStream, drawn: WithoutEnds, repetition: number): Record<string, boolean> {
  const [gate] = drawnStates(gates, drawWithoutEnds(drawn, random), `simulation/${repetition}`);
  return { [passes]: gate?.state === "pass" };
}

/** The mean falls by exactly the margin, in few cases that lose much or in more that lose less. */
function atTheDrop(given: Omit<WithoutEnds, "losing">, named?: number): Situation {
  const { n, noise, loss } = given;
  const share = margin / loss;
  return {
    name: `${n} cases of a score without ends, noise ${noise}; ${(share * 100).toFixed(0)} % lose ${loss} times as much as the values differ`,
    asks: "false answers when the drop is exactly the margin",
    repetitions: 4_000,
    once: (random, repetition) => passing(random, { ...given, losing: share }, repetition),
    promised: { [passes]: nominal },
    ...(named !== undefined && { named: { [passes]: named } }),
  };
}

function equal(n: number, noise: number): Situation {
  return {
    name: `${n} cases of a score without ends, noise ${noise}; nothing lost`,
    asks: "how often equal bots pass",
    repetitions: 4_000,
    once: (random, repetition) => passing(random, { n, noise, losing: 0, loss: 0 }, repetition),
  };
}

/** Scores that do not say how much a case can lose: rare losses that no sample of this size need show. */
export const withoutEnds: readonly Situation[] = [
  ...[20, 50, 100, 200, 500].flatMap((n) =>
    [
      { noise: 0, loss: 1 },
      { noise: 0.02, loss: 1 },
      { noise: 0.2, loss: 0.5 },
    ].map((given) => atTheDrop({ n, ...given })),
  ),
  ...[50, 100, 200].map((n) => atTheDrop({ n, noise: 0.02, loss: 2.5 }, 0.14)),
  ...[0.02, 0.2].flatMap((noise) => [50, 60, 100, 200].map((n) => equal(n, noise))),
];
