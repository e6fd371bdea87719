import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { loadKnowledge } from "../../src/deployment/bot/knowledge.ts";
import { textIn } from "../../src/deployment/bot/guessed-language.ts";
import { readDesk, servedFolder } from "./desk.ts";
import { type Prompt, datasets, readPrompts, readTurns } from "./sheet.ts";

const languages = ["en", "hi", "ar", "sw", "es"];
const folder = join(datasets, "help-desk");
const articles = await loadKnowledge(["knowledge"], [], folder);
const bodies = articles.map(({ id, language, paragraphs }) => ({
  id,
  language,
  text: paragraphs.map((paragraph) => paragraph.text).join("\n\n"),
}));
const prompts = readPrompts();
const turns = readTurns();
const prod = await readDesk("prod");

/** Texts in which the golden answer of a row may stand. */
function sourcesOf({ category, language }: Prompt): string[] {
  if (category === "unanswerable") return [textIn(prod.fallback, language)];
  if (category === "greeting") return [textIn(prod.greeting, language)];
  return bodies.filter((body) => body.language === language).map((body) => body.text);
}

describe("the articles of the help desk", () => {
  test("are at least 40, in five languages with at least 8 each", () => {
    expect(articles.length).toBeGreaterThanOrEqual(40);
    for (const language of languages) {
      expect(articles.filter((article) => article.language === language).length).toBeGreaterThanOrEqual(8);
    }
  });

  test("have an id of their own, an address on the invented site and tags, and are named after their id", () => {
    expect(new Set(articles.map(({ id }) => id)).size).toBe(articles.length);
    const files = readdirSync(join(folder, "knowledge"), { recursive: true, encoding: "utf8" });
    const names = files.map((file) => file.replace(/\.md$/, ""));
    for (const { id, url, language, tags } of articles) {
      expect(names).toContain(id.replace(/-(\w+)$/, ".$1"));
      expect(id.endsWith(`-${language}`)).toBe(true);
      expect(url).toBe(`https://help.example.test/${language}/${id.replace(/-\w+$/, "")}`);
      expect(tags.length).toBeGreaterThan(0);
    }
  });

  test("have between 60 and 200 words", () => {
    const lengths = bodies.map(({ id, text }) => ({ id, words: text.split(/\s+/).length }));
    expect(lengths.filter(({ words }) => words < 60 || words > 200)).toEqual([]);
  });

  test("are written in the script of their language", () => {
    const letters: Record<string, RegExp> = { hi: /\p{sc=Devanagari}/gu, ar: /\p{sc=Arabic}/gu };
    const strange = bodies.filter(({ language, text }) => {
      const own = text.match(letters[language ?? ""] ?? /\p{sc=Latin}/gu)?.length ?? 0;
      return own / (text.match(/\p{L}/gu)?.length ?? 1) < 0.6;
    });
    expect(strange.map(({ id }) => id)).toEqual([]);
  });
});

describe("the prompts of the help desk", () => {
  test("are at least 120, with at least 20 in each language", () => {
    expect(prompts.length).toBeGreaterThanOrEqual(120);
    for (const language of languages) {
      expect(prompts.filter((prompt) => prompt.language === language).length).toBeGreaterThanOrEqual(20);
    }
  });

  test("have every kind in every language but terse and wordy ones, which some languages have", () => {
    for (const language of languages) {
      const own = prompts.filter((prompt) => prompt.language === language);
      for (const kind of ["plain", "paraphrase", "typo", "unanswerable"]) {
        expect(own.filter((prompt) => prompt.kind === kind).length).toBeGreaterThan(1);
      }
    }
  });

  test("have an id and a question of their own", () => {
    expect(new Set(prompts.map(({ id }) => id)).size).toBe(prompts.length);
    expect(new Set(prompts.map(({ question }) => question)).size).toBe(prompts.length);
  });

  test.each([
    ["prompts.csv", prompts],
    ["conversations.csv", turns],
  ])("have golden answers that stand in the articles of their language, or are the fallback: %s", (_, rows) => {
    const strange = rows.filter((row) => !sourcesOf(row).some((text) => text.includes(row.golden_answer)));
    expect(strange.map(({ id, golden_answer }) => `${id}: ${golden_answer}`)).toEqual([]);
  });

  test("are unanswerable by kind and by category alike", () => {
    const mixed = prompts.filter(({ kind, category }) => (kind === "unanswerable") !== (category === "unanswerable"));
    expect(mixed).toEqual([]);
  });

  test("are asked with at least one newline and one emoji", () => {
    expect(prompts.some(({ question }) => question.includes("\n"))).toBe(true);
    expect(prompts.some(({ question }) => /\p{Extended_Pictographic}/u.test(question))).toBe(true);
  });
});

describe("the conversations of the help desk", () => {
  const names = [...new Set(turns.map((turn) => turn.conversation_id))];
  const conversations = new Map(names.map((name) => [name, turns.filter((turn) => turn.conversation_id === name)]));

  test("are at least 10 with two turns or more, in every language", () => {
    expect(conversations.size).toBeGreaterThanOrEqual(10);
    for (const own of conversations.values()) expect(own.length).toBeGreaterThanOrEqual(2);
    expect(new Set(turns.map(({ language }) => language)).size).toBe(languages.length);
  });

  test("have turns 1, 2, 3 ... with ids that say so", () => {
    for (const [conversation, own] of conversations) {
      expect(own.map(({ turn }) => turn)).toEqual(own.map((_, index) => index + 1));
      expect(own.map(({ id }) => id)).toEqual(own.map(({ turn }) => `${conversation}-${turn}`));
    }
  });
});

describe("the bots of the help desk", () => {
  test("differ in what is planted and in nothing else", async () => {
    const other = await readDesk("test");
    const { fuzzy, ...retrieval } = other.retrieval;
    expect(fuzzy).toBe(0);
    expect(prod.retrieval.fuzzy).toBeGreaterThan(0);
    expect(other.exclude).toEqual(["lost-card-en"]);
    expect(other).toEqual({
      ...prod,
      exclude: other.exclude,
      tone: other.tone,
      seed: other.seed,
      retrieval: { ...retrieval, fuzzy },
    });
    expect(retrieval).toEqual({ ...prod.retrieval, fuzzy: undefined });
  });

  test("read the same articles", async () => {
    const other = await readDesk("test");
    const folders = [prod, other].map(({ knowledge }) => knowledge);
    expect(folders[0]).toEqual(folders[1]);
    expect(await loadKnowledge(prod.knowledge, [], servedFolder("prod"))).toHaveLength(articles.length);
    expect(articles.map(({ id }) => id)).toEqual(expect.arrayContaining(other.exclude));
  });
});
