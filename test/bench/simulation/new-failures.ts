import type { RandomStream } from "../../../src/lib/random.ts";
import { newFailureTally } from "../../../src/report/model/new-failures.ts";
import type { Situation } from "./situation.ts";

interface Sheet {
  n: number;
  /** Chance that a row newly fails, whatever is asked in it. */
  rate: number;
  /** The chance of those that ask about a card; left out: as any. */
  cards?: number;
}

/** Words of prompts: a few that many have and many that few have, as in a language. */
const words = Array.from({ length: 400 }, (_, place) => `word${place}`);

/** The features that are named in a drawn comparison, by the product's own tally. */
function named({ n, rate, cards = rate }: Sheet, random: RandomStream): string[] {
  const tally = newFailureTally();
  for (let row = 0; row < n; row++) {
    const isCard = random.next() < 0.15;
    const drawn = Array.from(
      { length: 6 + Math.floor(random.next() * 10) },
      () => words[Math.floor(400 * random.next() ** 3)],
    );
    const prompt = [...drawn, ...(isCard ? ["card"] : [])].join(" ");
    const topic = String(Math.floor(random.next() * 6));
    const fails = random.next() < (isCard ? cards : rate);
    tally.add({
      key: `${random.next()}`,
      cluster: null,
      prompt: () => prompt,
      tags: { topic },
      failedBy: fails ? { answer: "No.", before: null } : null,
    });
  }
  return tally.result("test")?.common.map(({ about }) => about) ?? [];
}

const falsely = "newly failing prompts are said to have something in common";
const rightly = "what they have in common is named";

/** Rows that newly fail whatever is asked in them, and rows that fail by a word. */
export const newFailureSituations: readonly Situation[] = [
  ...[
    { n: 120, rate: 0.15 },
    { n: 400, rate: 0.05 },
    { n: 400, rate: 0.3 },
    { n: 2_000, rate: 0.02 },
  ].map((sheet): Situation => ({
    name: `${sheet.n} rows, ${sheet.rate * 100} % newly fail at random`,
    asks: "false alarms: no word, tag or length has to do with it",
    repetitions: 1_000,
    once: (random) => ({ [falsely]: named(sheet, random).length > 0 }),
    promised: { [falsely]: 0.05 },
  })),
  ...[
    { n: 120, rate: 0.02, cards: 0.8 },
    { n: 400, rate: 0.02, cards: 0.4 },
  ].map((sheet): Situation => ({
    name: `${sheet.n} rows, of those about a card ${(sheet.cards ?? 0) * 100} % newly fail, of others 2 %`,
    asks: "how often the word is found",
    repetitions: 1_000,
    once: (random) => ({ [rightly]: named(sheet, random).some((about) => about.includes('"card"')) }),
    promised: {},
  })),
];
