import { describe, expect, test } from "vitest";
import type { MessageEntry } from "../../src/api/messages.ts";
import type { Bot } from "../../src/deployment/bot/bot.ts";
import { type Side, ask, openDesk } from "./desk.ts";
import { type Prompt, readPrompts, readTurns } from "./sheet.ts";

const runs = 4;

/** The share of the runs of each prompt whose answer holds the golden answer, by the prompt's id. */
async function sharesOf(side: Side, prompts: Prompt[]): Promise<Map<string, number>> {
  const bot = await openDesk(side);
  const shares = new Map<string, number>();
  for (const prompt of prompts) {
    const answers: string[] = [];
    for (let run = 0; run < runs; run++) answers.push(await ask(bot, prompt));
    shares.set(prompt.id, answers.filter((answer) => answer.includes(prompt.golden_answer)).length / runs);
  }
  return shares;
}

const prompts = readPrompts();
const [prod, candidate] = [await sharesOf("prod", prompts), await sharesOf("test", prompts)];

/** The mean shares of both sides over the prompts that fit. */
function sides(fits: (prompt: Prompt) => boolean): { prod: number; test: number; count: number } {
  const chosen = prompts.filter(fits);
  const mean = (shares: Map<string, number>): number =>
    chosen.reduce((sum, { id }) => sum + (shares.get(id) ?? 0), 0) / chosen.length;
  return { prod: mean(prod), test: mean(candidate), count: chosen.length };
}

const isLostCard = ({ category, language }: Prompt): boolean => category === "lost-card" && language === "en";
const isTypo = ({ kind }: Prompt): boolean => kind === "typo";
const isUnanswerable = ({ kind }: Prompt): boolean => kind === "unanswerable";

describe("the help desk's bots, asked every prompt several times", () => {
  test("prod answers most of what can be answered, as a real bot does, and not all", () => {
    const { prod: share } = sides((prompt) => !isUnanswerable(prompt));
    expect(share).toBeGreaterThan(0.8);
    expect(share).toBeLessThan(0.92);
  });

  test("the test deployment is visibly worse over all", () => {
    const all = sides((prompt) => !isUnanswerable(prompt));
    expect(all.prod - all.test).toBeGreaterThan(0.1);
  });

  test("the test deployment knows nothing of lost cards in English, where its article is missing", () => {
    const lost = sides(isLostCard);
    expect(lost.count).toBeGreaterThanOrEqual(6);
    expect(lost.prod).toBeGreaterThan(0.8);
    expect(lost.test).toBeLessThan(0.1);
  });

  test("the test deployment fails on misspelt questions in every language", () => {
    expect(sides(isTypo).count).toBeGreaterThanOrEqual(20);
    const languages = ["en", "hi", "ar", "sw", "es"];
    const shares = languages.map((language) => sides((prompt) => isTypo(prompt) && prompt.language === language));
    expect(Math.min(...shares.map((share) => share.prod))).toBeGreaterThan(0.7);
    expect(Math.min(...shares.map((share) => share.prod - share.test))).toBeGreaterThan(0.5);
  });

  test("the two are about equally good at everything else", () => {
    const rest = sides((prompt) => !isLostCard(prompt) && !isTypo(prompt) && !isUnanswerable(prompt));
    expect(rest.count).toBeGreaterThan(100);
    expect(rest.prod).toBeGreaterThan(0.75);
    expect(Math.abs(rest.prod - rest.test)).toBeLessThan(0.05);
  });

  test("both say that they do not know what no article tells", () => {
    const unknown = sides(isUnanswerable);
    expect(unknown.count).toBeGreaterThanOrEqual(15);
    expect(Math.min(unknown.prod, unknown.test)).toBeGreaterThan(0.95);
  });
});

test("prod repeats itself after a fresh start and varies from run to run before it", async () => {
  const first = await openDesk("prod");
  const again = await openDesk("prod");
  let varied = 0;
  for (const prompt of prompts.slice(0, 60)) {
    const answers = [await ask(first, prompt), await ask(first, prompt), await ask(first, prompt)];
    expect([await ask(again, prompt), await ask(again, prompt), await ask(again, prompt)]).toEqual(answers);
    if (new Set(answers).size > 1) varied++;
  }
  expect(varied).toBeGreaterThan(2);
  expect(varied).toBeLessThan(40);
});

/** The ids of the turns that a bot answers rightly, with the conversation so far or without it. */
async function rightTurns(bot: Bot, withHistory: boolean): Promise<Set<string>> {
  const histories = new Map<string, MessageEntry[]>();
  const right = new Set<string>();
  for (const turn of readTurns()) {
    const history = histories.get(turn.conversation_id) ?? [];
    const answer = await ask(bot, turn, withHistory ? history : []);
    if (answer.includes(turn.golden_answer)) right.add(turn.id);
    const said: MessageEntry[] = [
      { role: "user", content: turn.question },
      { role: "assistant", content: answer },
    ];
    histories.set(turn.conversation_id, [...history, ...said]);
  }
  return right;
}

describe("the help desk's conversations", () => {
  test("are answered by prod in nearly every turn, and by test but for the lost card", async () => {
    const prodTurns = await rightTurns(await openDesk("prod"), true);
    const testTurns = await rightTurns(await openDesk("test"), true);
    expect(prodTurns.size / readTurns().length).toBeGreaterThan(0.85);
    const lost = [...prodTurns].filter((id) => !testTurns.has(id));
    expect(lost).toEqual(expect.arrayContaining(["en-lost-card-1", "en-lost-card-2", "en-lost-card-3"]));
    expect(lost.length).toBeLessThan(7);
  });

  test("have follow-ups in every language that are right with their history only", async () => {
    const withHistory = await rightTurns(await openDesk("prod"), true);
    const without = await rightTurns(await openDesk("prod"), false);
    const need = readTurns().filter(({ id, kind }) => kind === "follow-up" && withHistory.has(id) && !without.has(id));
    expect(need.length).toBeGreaterThanOrEqual(7);
    expect(new Set(need.map(({ language }) => language)).size).toBe(5);
  });
});
