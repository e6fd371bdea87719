import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { answerTextOf } from "../../src/compare/cases/answer.ts";

const fixture = (name: string): string =>
  readFileSync(new URL(`../fixtures/responses/${name}`, import.meta.url), "utf8");
const bot = (output: object): string => JSON.stringify({ output });

describe("answerText of a bot", () => {
  test("joins the replies by a blank line", () => {
    expect(answerTextOf("video-bots", fixture("03-video-bots-full-references.json"))).toBe(
      'Leave 10 cm between plants <sup>[1]</sup>. <button gui-target="input_prompt">Tell me about watering</button>\n\nUse 10 cm spacing [1].',
    );
  });

  test("takes the raw replies where there are no others", () => {
    for (const none of [null, [], "", [""], [null]]) {
      expect(answerTextOf("video-bots", bot({ output_text: none, raw_output_text: ["raw"] }))).toBe("raw");
    }
    expect(answerTextOf("video-bots", bot({ raw_output_text: ["raw"] }))).toBe("raw");
  });

  test("keeps every script as it is", () => {
    expect(answerTextOf("video-bots", fixture("11-video-bots-unicode.json"))).toContain(
      "१० से॰मी॰ की दूरी रखें। 🌱👩🏽‍🌾\n\nاترك",
    );
  });

  test("is null when the bot said nothing", () => {
    expect(answerTextOf("video-bots", fixture("01-video-bots-all-null-14.json"))).toBeNull();
    expect(answerTextOf("video-bots", bot({}))).toBeNull();
  });

  test("does not stumble over members of other types", () => {
    expect(answerTextOf("video-bots", bot({ output_text: "text" }))).toBe("text");
    expect(answerTextOf("video-bots", bot({ output_text: [{ a: 1 }, 2] }))).toBe('{"a":1}\n\n2');
  });
});

describe("answerText of a function", () => {
  test("is a returned text as it is, and anything else as JSON with its members in order", () => {
    expect(answerTextOf("functions", fixture("07-functions-returned-error-string.json"))).toBe(
      '{"error":"messages_export_url is missing from the request body"}',
    );
    expect(answerTextOf("functions", fixture("06-functions-empty-object.json"))).toBe("{}");
    expect(answerTextOf("functions", '{"output":{"return_value":{"b":90071992547401011,"a":1.50}}}')).toBe(
      '{"a":1.5,"b":90071992547401011}',
    );
    expect(answerTextOf("functions", bot({ return_value: { b: [1], a: "é" } }))).toBe('{"a":"é","b":[1]}');
    for (const value of [0, false, ""]) {
      expect(answerTextOf("functions", bot({ return_value: value }))).toBe(String(value));
    }
  });

  test("is null when it returned nothing", () => {
    expect(answerTextOf("functions", fixture("08-functions-thrown-error.json"))).toBeNull();
    expect(answerTextOf("functions", bot({}))).toBeNull();
  });
});

test("a body that is no record says nothing and never throws", () => {
  const bodies = [null, "", "{", "<html>", "null", "[]", "5", '{"output":null}', '{"output":[]}', '{"detail":"x"}'];
  for (const body of bodies) {
    expect(answerTextOf("video-bots", body)).toBeNull();
    expect(answerTextOf("functions", body)).toBeNull();
  }
  expect(answerTextOf("video-bots", `\ufeff${bot({ output_text: ["a"] })}`)).toBe("a");
});
