import { describe, expect, test } from "vitest";
import { requestBody } from "../../src/plan/body.ts";

describe("the body of a request", () => {
  test("always has a prompt and a history for a bot, so that saved ones are not used", () => {
    expect(requestBody("video-bots", {}, {})).toEqual({ input_prompt: "", messages: [] });
    expect(requestBody("video-bots", { input_prompt: "नमस्ते", messages: null }, {})).toEqual({
      input_prompt: "नमस्ते",
      messages: [],
    });
  });

  test("has only what is mapped for a function", () => {
    expect(requestBody("functions", { variables: { x: "1" } }, {})).toEqual({ variables: { x: "1" } });
    expect(requestBody("functions", {}, {})).toEqual({});
  });

  test("has the target's members over the case's, variables key by key", () => {
    const input = { input_prompt: "Hi", variables: { a: "1", b: "2" } };
    const body = { variables: { b: "3", c: { d: true } }, user_language: "hi" };
    expect(requestBody("video-bots", input, body)).toEqual({
      input_prompt: "Hi",
      messages: [],
      variables: { a: "1", b: "3", c: { d: true } },
      user_language: "hi",
    });
    expect(input).toEqual({ input_prompt: "Hi", variables: { a: "1", b: "2" } });
  });
});
