import { describe, expect, test } from "vitest";
import { httpRequest } from "../../src/plan/body.ts";
import type { EndpointName } from "../../src/api/endpoint-name.ts";
import type { JsonObject, JsonValue } from "../../src/lib/json.ts";

function bodyOf(endpoint: EndpointName, input: JsonObject, body: JsonObject): JsonValue {
  const request = httpRequest({ endpoint, exampleId: "a", body }, input);
  return JSON.parse(typeof request.body === "string" ? request.body : "null") as JsonValue;
}

describe("the body of a request", () => {
  test("always has a prompt and a history for a bot, so that saved ones are not used", () => {
    expect(bodyOf("video-bots", {}, {})).toEqual({ input_prompt: "", messages: [] });
    expect(bodyOf("video-bots", { input_prompt: "नमस्ते", messages: null }, {})).toEqual({
      input_prompt: "नमस्ते",
      messages: [],
    });
  });

  test("has only what is mapped for a function", () => {
    expect(bodyOf("functions", { variables: { x: "1" } }, {})).toEqual({ variables: { x: "1" } });
    expect(bodyOf("functions", {}, {})).toEqual({});
  });

  test("has the target's members over the case's, variables key by key", () => {
    const input = { input_prompt: "Hi", variables: { a: "1", b: "2" } };
    const body = { variables: { b: "3", c: { d: true } }, user_language: "hi" };
    expect(bodyOf("video-bots", input, body)).toEqual({
      input_prompt: "Hi",
      messages: [],
      variables: { a: "1", b: "3", c: { d: true } },
      user_language: "hi",
    });
    expect(input).toEqual({ input_prompt: "Hi", variables: { a: "1", b: "2" } });
  });
});
