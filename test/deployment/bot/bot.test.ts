import { describe, expect, test } from "vitest";
import type { MessageEntry } from "../../../src/api/messages.ts";
import { videoBotsMembers, videoBotsOutput } from "../../../src/api/video-bots-schema.ts";
import { ask, reply, savedBot } from "./saved-bot.ts";

/** A history of one question and its answer. */
const history = (question: string): { messages: { role: "user" | "assistant"; content: string }[] } => ({
  messages: [
    { role: "user", content: question },
    { role: "assistant", content: "Some answer." },
  ],
});

/** The answers to one question, asked again and again of a fresh bot. */
const texts = async (settings: object, count: number): Promise<string[]> => {
  const bot = await savedBot(settings);
  const all: string[] = [];
  for (let i = 0; i < count; i++) all.push(await reply(bot, "When does the Central Library open on Sunday?"));
  return all;
};

describe("an answer", () => {
  test("is made of the best sentences of the best article, in the language of the question", async () => {
    const bot = await savedBot({ retrieval: { answer_sentences: 1 } });
    for (const [question, golden] of [
      ["What are the hours on Sunday?", "On Sunday it opens from 11:00 to 16:00."],
      ["What does a replacement card cost?", "A replacement card costs 8 crowns."],
      ["पुस्तकालय रविवार को कब खुलता है?", "रविवार को सुबह 11 से शाम 4 बजे तक"],
      ["नया कार्ड कितने का है?", "नया कार्ड 8 क्राउन का है।"],
      ["متى تفتح المكتبة يوم الأحد؟", "تفتح المكتبة يوم الأحد من الساعة 11 إلى الساعة 4."],
      ["كم ثمن البطاقة الجديدة؟", "ثمن البطاقة الجديدة 8 كراون."],
      ["¿Cuándo abre la biblioteca los domingos?", "La biblioteca abre los domingos de 11:00 a 16:00."],
      ["¿Cuánto cuesta una tarjeta nueva?", "Una tarjeta nueva cuesta 8 coronas."],
      ["Maktaba hufunguliwa lini Jumapili?", "Jumapili kuanzia saa tano hadi saa kumi."],
      ["Kadi mpya inagharimu kiasi gani?", "Kadi mpya inagharimu kroni 8."],
      ["ቤተ መጻሕፍቱ እሑድ መቼ ይከፈታል?", "እሑድ ከ11 እስከ 16 ሰዓት ይከፈታል።"],
      ["አዲስ ካርድ ስንት ያስከፍላል?", "አዲስ ካርድ 8 ክሮን ያስከፍላል።"],
    ] as const) {
      await expect(reply(bot, question)).resolves.toContain(golden);
    }
  });

  test("has the 14 members in order and fits the schema of the API", async () => {
    const bot = await savedBot({ show_prompt: true });
    const { output } = await ask(bot, "How much is a replacement card?");
    expect(Object.keys(output)).toStrictEqual(videoBotsMembers);
    expect(videoBotsOutput.parse(output)).toStrictEqual(output);
  });

  test("names its references with url, title, snippet and falling scores between 0 and 1", async () => {
    const bot = await savedBot({ retrieval: { max_references: 2 } });
    const { output } = await ask(bot, "When does the Central Library open on Saturday?");
    const { references } = videoBotsOutput.parse(output);
    expect(references?.[0]).toStrictEqual({
      url: "https://help.example.test/en/hours",
      title: "Opening hours",
      snippet: expect.stringMatching(/^The Central Library is open Monday/),
      score: expect.any(Number),
    });
    const scores = references?.map((reference) => reference.score ?? -1) ?? [];
    expect(scores.length).toBeLessThanOrEqual(2);
    expect(scores).toStrictEqual(scores.toSorted((a, b) => b - a));
    expect(scores.every((score) => score >= 0 && score <= 1)).toBe(true);
    expect(output.final_search_query).toBe("When does the Central Library open on Saturday?");
    expect(output.final_keyword_query).toStrictEqual(["central", "library", "open", "saturday"]);
  });

  test("forgives typos with fuzzy search and not without; a word finds longer ones", async () => {
    const fuzzy = await savedBot({ retrieval: { fuzzy: 0.25 } });
    const exact = await savedBot({ retrieval: { fuzzy: 0 } });
    await expect(reply(fuzzy, "replacment crad")).resolves.toContain("8 crowns");
    await expect(reply(exact, "replacment crad")).resolves.toMatch(/^I am sorry/);
    await expect(reply(fuzzy, "satur")).resolves.toContain("09:00 to 17:00");
  });

  test("leaves out articles that are excluded", async () => {
    await expect(
      reply(await savedBot({ exclude: ["cards.en"] }), "Who pays for a replacement card?"),
    ).resolves.not.toContain("replacement card");
  });

  test("follows a conversation from one subject to the next", async () => {
    const museum = {
      "knowledge/hours.md":
        "# Museum hours\n\nThe museum is open from 10:00 to 18:00 on weekdays. On Saturdays it is open until 20:00. On Sundays it is closed.\n",
      "knowledge/parking.md": "# Parking\n\nThere is a car park behind the building. Parking costs 2 euros an hour.\n",
    };
    const bot = await savedBot({}, museum);
    const messages: MessageEntry[] = [];
    const turns = [
      "When is the museum open on weekdays?",
      "And on Sunday?",
      "and on Saturdays?",
      "What about parking?",
      "How much is it?",
    ];
    for (const turn of turns) {
      const answer = await reply(bot, turn, { messages });
      messages.push({ role: "user", content: turn }, { role: "assistant", content: answer });
    }
    const [weekdays, sunday, saturday, parking, price] = messages.filter(({ role }) => role === "assistant");
    expect(weekdays?.content).toContain("18:00");
    expect(sunday?.content).toContain("On Sundays it is closed.");
    expect(saturday?.content).toContain("until 20:00");
    expect(parking?.content).toContain("car park");
    expect(price?.content).toContain("2 euros");
  });

  test("is found in a base of one article, and what that article does not tell is not made up", async () => {
    const one = {
      "knowledge/onions.md": "# Onions\n\nLeave 10 cm between onion plants. Water them every third morning.\n",
    };
    const bot = await savedBot({}, one);
    for (const question of ["How far apart are onion plants?", "How often should I water onions?", "onions"]) {
      expect(await reply(bot, question)).toMatch(/^Leave 10 cm|^Water them/);
    }
    for (const question of ["Who is the mayor?", "What does onion soup cost in Paris?", "How do I grow tomatoes?"]) {
      expect(await reply(bot, question)).toBe("I am sorry, I have no information about that.");
    }
  });

  test("greets a greeting and falls back when no article fits, in the language of the prompt", async () => {
    const bot = await savedBot({
      greeting: { en: "Hello!", hi: "नमस्ते जी!" },
      fallback: { en: "No idea.", ar: "لا أعرف." },
    });
    await expect(reply(bot, "Good morning!")).resolves.toBe("Hello!");
    await expect(reply(bot, "नमस्ते")).resolves.toBe("नमस्ते जी!");
    await expect(reply(bot, "Which volcano is the highest in Iceland?")).resolves.toBe("No idea.");
    await expect(reply(bot, "أين يوجد أعلى بركان؟")).resolves.toBe("لا أعرف.");
    await expect(reply(bot, "🎉🎉")).resolves.toBe("No idea.");
  });

  test("keeps to user_language where it has articles in it", async () => {
    const bot = await savedBot({ fallback: { en: "No.", es: "No lo sé." } });
    await expect(reply(bot, "volcano", { user_language: "es" })).resolves.toBe("No lo sé.");
    await expect(reply(bot, "8 coronas tarjeta", { user_language: "es" })).resolves.toContain("tarjeta nueva");
  });

  test.each(["article", "paragraph", "sentence"])("is found with %s as the piece that is searched", async (chunk) => {
    const bot = await savedBot({ retrieval: { chunk, answer_sentences: 1 } });
    await expect(reply(bot, "When do you close on 24 December?")).resolves.toBe("On 24 December we close at 13:00.");
  });
});

describe("a blank request", () => {
  test.each(["", "  \n\t "])("answers 14 nulls: %j", async (prompt) => {
    const { output, error } = await ask(await savedBot(), prompt);
    expect(Object.keys(output)).toStrictEqual(videoBotsMembers);
    expect(Object.values(output).every((member) => member === null)).toBe(true);
    expect(error).toBeNull();
  });

  test("is not one that has audio, an image or a document", async () => {
    const bot = await savedBot();
    await expect(reply(bot, "", { input_audio: "https://files.example.test/q.ogg" })).resolves.toMatch(/^I am sorry/);
    await expect(reply(bot, "", { input_images: ["https://files.example.test/a.png"] })).resolves.toMatch(
      /^I am sorry/,
    );
    await expect(reply(bot, "", { input_documents: ["https://files.example.test/a.pdf"] })).resolves.toMatch(
      /^I am sorry/,
    );
  });
});

describe("a follow-up question", () => {
  test.each([
    ["and on Saturday?", "When does the Central Library open on Sunday?", "from 09:00 to 17:00"],
    ["And films?", "What is the late fee for books?", "Films cost 2 crowns per day."],
    ["और सोमवार को?", "पुस्तकालय रविवार को कब खुलता है?", "सोमवार को पुस्तकालय बंद रहता है।"],
    ["والاثنين؟", "متى تفتح المكتبة يوم الأحد؟", "المكتبة مغلقة يوم الاثنين."],
    ["¿Y los lunes?", "¿Cuándo abre la biblioteca los domingos?", "Los lunes está cerrada."],
    ["Na Jumatatu?", "Maktaba hufunguliwa lini Jumapili?", "Jumatatu maktaba imefungwa."],
  ])("%s takes its subject from the turn before it", async (prompt, before, golden) => {
    const bot = await savedBot();
    const { output } = await ask(bot, prompt, history(before));
    expect(output.output_text).toStrictEqual([expect.stringContaining(golden)]);
    expect(output.final_search_query).toBe(`${before} ${prompt}`);
  });

  test("goes back over follow-ups before it, and reads text parts", async () => {
    const bot = await savedBot();
    const { output } = await ask(bot, "And on Saturday?", {
      messages: [
        { role: "user", content: [{ type: "text", text: "When does the Central Library open?" }] },
        { role: "assistant", content: "From 08:30." },
        { role: "user", content: "And on Sunday?" },
        { role: "assistant", content: "From 11:00." },
      ],
    });
    expect(output.output_text).toStrictEqual([expect.stringContaining("09:00 to 17:00")]);
  });

  test("a full question does not lean on the history", async () => {
    const { output } = await ask(
      await savedBot(),
      "How much is a replacement card for children?",
      history("When does the Central Library open?"),
    );
    expect(output.final_search_query).toBe("How much is a replacement card for children?");
  });
});

describe("randomness", () => {
  test("temperature 0 always answers the same", async () => {
    expect(new Set(await texts({ seed: 1 }, 20)).size).toBe(1);
  });

  test("above it runs differ, a fresh server with the same seed repeats them, another seed does not", async () => {
    const first = await texts({ sampling_temperature: 1, seed: 7 }, 20);
    expect(new Set(first).size).toBeGreaterThan(3);
    await expect(texts({ sampling_temperature: 1, seed: 7 }, 20)).resolves.toStrictEqual(first);
    await expect(texts({ sampling_temperature: 1, seed: 8 }, 20)).resolves.not.toStrictEqual(first);
  });

  test("what a prompt gets does not depend on the order in which other prompts arrive", async () => {
    const prompts = ["late fee for books", "replacement card", "open on Sunday"];
    const settings = { sampling_temperature: 1, seed: "order" };
    const [forward, backward] = [await savedBot(settings), await savedBot(settings)];
    const one = new Map<string, string>();
    for (const prompt of prompts) one.set(prompt, await reply(forward, prompt));
    for (const prompt of prompts.toReversed()) await expect(reply(backward, prompt)).resolves.toBe(one.get(prompt));
  });

  test("the temperature of a request wins over the saved one, and a little of it keeps most answers as they are", async () => {
    const bot = await savedBot({ sampling_temperature: 1 });
    const calm = await Promise.all(
      Array.from({ length: 10 }, () => reply(bot, "open on Sunday", { sampling_temperature: 0 })),
    );
    expect(new Set(calm).size).toBe(1);
    const [still] = await texts({}, 1);
    const little = await texts({ sampling_temperature: 0.1 }, 100);
    expect(little.filter((text) => text === still).length).toBeGreaterThan(75);
    expect(little.every((text) => text === still)).toBe(false);
  });

  test("num_outputs gives so many answers, each with its finish_reason", async () => {
    const bot = await savedBot({ num_outputs: 2, sampling_temperature: 1 });
    const { output } = await ask(bot, "open on Sunday");
    expect(output.output_text).toHaveLength(2);
    expect(output.finish_reason).toStrictEqual(["stop", "stop"]);
    expect((await ask(bot, "open on Sunday", { num_outputs: 4 })).output.raw_output_text).toHaveLength(4);
    expect((await ask(bot, "open on Sunday", { num_outputs: -3 })).output.output_text).toHaveLength(1);
  });
});

describe("what is around an answer", () => {
  test("a prompt in which a pattern of `answers` is found gets that output, in any language and case", async () => {
    const bot = await savedBot({
      answers: {
        "^Replacement (card|pass)": { output_text: ["<think>a</think>8"], reply_buttons: [{ id: "1", title: "Call" }] },
        कार्ड: { output_audio: ["https://files.example.test/a.wav"] },
        card: { output_text: ["later"] },
      },
    });
    const { output } = await ask(bot, "REPLACEMENT CARD?");
    expect(Object.keys(output)).toStrictEqual(videoBotsMembers);
    expect(output).toMatchObject({
      output_text: ["<think>a</think>8"],
      reply_buttons: [{ id: "1", title: "Call" }],
      references: null,
    });
    const spoken = await ask(bot, "नया कार्ड कितने का है?");
    expect(spoken.output).toMatchObject({ output_text: null, output_audio: ["https://files.example.test/a.wav"] });
    await expect(reply(bot, "When does the library open on Sunday?")).resolves.toContain("11:00");
  });

  test("a tone is said around an answer, in its language", async () => {
    const bot = await savedBot({ tone: { prefix: { en: "Dear all,", hi: "नमस्ते!" }, suffix: "★" } });
    await expect(reply(bot, "How much is a replacement card?")).resolves.toMatch(/^Dear all, A.*★$/);
    await expect(reply(bot, "नया कार्ड कितने का है?")).resolves.toMatch(/^नमस्ते! नया.*★$/);
  });

  test("final_prompt shows the script with its variables, the history and the prompt", async () => {
    const bot = await savedBot({ show_prompt: true, bot_script: "You help {{ who }}." });
    const messages = [{ role: "user" as const, content: "Hi" }];
    const { output } = await ask(bot, "replacement card", { messages, variables: { who: "growers" } });
    expect(output.final_prompt).toStrictEqual([
      { role: "system", content: "You help growers." },
      { role: "user", content: "Hi" },
      { role: "user", content: "replacement card" },
    ]);
  });

  test("metrics count what was said", async () => {
    const { output } = await ask(await savedBot(), "replacement card");
    expect(output).toMatchObject({ output_audio: null, raw_tts_text: null, metrics: { references: 1 } });
  });
});
