import { describe, expect, test } from "vitest";
import { botSettings, savedRequest } from "../../../src/deployment/bot/bot-settings.ts";
import { seededRandom } from "../../../src/lib/random.ts";
import { ask, savedBot } from "./saved-bot.ts";

describe("failures and settings", () => {
  test("an unknown model and a broken template in a request fail the run", async () => {
    const bot = await savedBot({ models: ["model_small_a"], show_prompt: true });
    const unknown = await ask(bot, "card", { selected_model: "gpt-nothing" });
    expect(unknown.error).toBe("Model gpt-nothing not found. Should be one of: model_small_a");
    expect((await ask(bot, "card", { selected_model: "model_small_a" })).error).toBeNull();
    expect((await ask(bot, "card", { bot_script: "{% if %" })).error).toMatch(/^TokenizationError/);
  });

  test("a field that is null is set to nothing, whatever is saved", async () => {
    const bot = await savedBot({
      selected_model: "a",
      bot_script: "Be formal.",
      user_language: "hi",
      num_outputs: 2,
    });
    const nothing = { selected_model: null, bot_script: null, user_language: null, num_outputs: null };
    const { output } = await ask(bot, "What does a replacement card cost?", nothing);
    expect(output.output_text).toStrictEqual([expect.stringMatching(/^A replacement card costs 8 crowns\.[^[]*$/)]);
    expect((await ask(bot, "What does a replacement card cost?")).output.output_text).toHaveLength(2);
  });

  test.each([
    [{ bot_script: "{{ a" }, /must be a Liquid template, but: /],
    [{ answers: { "a(": { output_text: ["x"] } } }, /must be a regular expression, but: /],
    [{ think: true }, /think/],
  ])("%j is no valid setting", (settings, message) => {
    expect(JSON.stringify(botSettings.safeParse(settings).error?.issues)).toMatch(message);
  });

  test("templates cannot read files", async () => {
    const bot = await savedBot({ show_prompt: true });
    const { error } = await ask(bot, "card", { bot_script: '{% include "/etc/hosts" %}' });
    expect(error).toMatch(/\S/);
  });

  test("savedRequest holds what a request can replace, with the defaults filled in", () => {
    expect(savedRequest(botSettings.parse({ input_prompt: "Demo?", variables: { a: 1 } }))).toStrictEqual({
      input_prompt: "Demo?",
      messages: [],
      variables: { a: 1 },
      bot_script: "",
      selected_model: null,
      documents: [],
      user_language: null,
      sampling_temperature: 0,
      num_outputs: 1,
      max_references: 3,
    });
  });

  test("settings are strict and each of them says what it is for", () => {
    expect(botSettings.safeParse({ knowlege: [] }).success).toBe(false);
    expect(botSettings.safeParse({ retrieval: { fuzy: 1 } }).success).toBe(false);
    const undescribed = Object.entries(botSettings.shape).filter(([, schema]) => schema.description === undefined);
    expect(undescribed).toStrictEqual([]);
  });

  test("everything random comes from the stream that is passed in", async () => {
    const bot = await savedBot({ sampling_temperature: 1, latency: { distribution: "lognormal", median_ms: 100 } });
    const request = { input_prompt: "open on Sunday", messages: [] };
    const runs = await Promise.all([1, 1, 2].map((seed) => bot.answer(request, seededRandom(seed))));
    expect(runs[0]).toStrictEqual(runs[1]);
    expect(runs[0]?.latencyMs).not.toBe(runs[2]?.latencyMs);
  });
});
