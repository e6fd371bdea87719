import { describe, expect, test } from "vitest";
import { endpointOf } from "../../src/api/endpoints.ts";
import type { JsonObject } from "../../src/lib/json.ts";

describe("the answer of a bot", () => {
  test.each<[string, JsonObject]>([
    ["absent members", {}],
    ["null", { output_text: null, output_audio: null }],
    ["empty lists", { output_text: [], raw_output_text: [] }],
    ["empty texts", { output_text: "", output_video: "" }],
    ["a list of nothing", { output_text: ["", null] }],
    ["members that are no reply", { references: [{ url: "u" }], final_prompt: "p", finish_reason: ["stop"] }],
    ["nothing, cut off", { output_text: [], finish_reason: ["length"] }],
  ])("is empty with %s", (_what, output) => {
    expect(endpointOf("video-bots").kindOf(output)).toBe("empty");
  });

  test.each<[string, JsonObject]>([
    ["text", { output_text: ["नमस्ते"] }],
    ["only audio", { output_audio: ["https://files.example.test/a.wav"] }],
    ["only a document", { output_documents: ["https://files.example.test/a.pdf"] }],
    ["a function's error member, which is no rule of a bot", { output_text: ["hi"], error: "no" }],
    ["a later reply cut off", { output_text: ["a", "b"], finish_reason: ["stop", "length"] }],
  ])("is answered with %s", (_what, output) => {
    expect(endpointOf("video-bots").kindOf(output)).toBe("answered");
  });

  test("is truncated when finish_reason has length", () => {
    expect(endpointOf("video-bots").kindOf({ output_text: ["a"], finish_reason: ["length"] })).toBe("truncated");
  });
});

describe("the answer of a function", () => {
  test.each<[string, JsonObject, string]>([
    ["no output at all (a run that is deleted at once)", {}, "empty"],
    ["no return value and no error", { return_value: null, error: "", logs: [] }, "empty"],
    ["an empty object", { return_value: {}, error: null }, "answered"],
    ["an empty list", { return_value: [], error: null }, "answered"],
    ["zero", { return_value: 0 }, "answered"],
    ["false", { return_value: false, error: "" }, "answered"],
    ["an empty error on success", { return_value: 1, error: "" }, "answered"],
    ["a thrown error", { return_value: null, error: "TypeError: no", logs: [] }, "function-error"],
    ["an error that is an object", { return_value: null, error: { name: "E" } }, "function-error"],
    ["a warning beside a value", { return_value: [1], error: "DeprecationWarning" }, "warning"],
    ["an object with an error", { return_value: { error: "no rows" }, error: null }, "function-error"],
    ["an object with an empty error", { return_value: { error: "", rows: 3 } }, "answered"],
    ["an object with error null", { return_value: { error: null } }, "answered"],
    ["an object with a detail, which is no error", { return_value: { detail: "x" } }, "answered"],
    ["JSON text with an error", { return_value: '{"error":"missing"}' }, "function-error"],
    ["JSON text with a detail", { return_value: ' {"detail":"Not Found"}' }, "function-error"],
    ["JSON text with neither", { return_value: '{"rows":["\\"error\\""]}' }, "answered"],
    ["text that speaks of an error", { return_value: 'the "error" was {"error": 1' }, "answered"],
    ["broken JSON text", { return_value: '{"error": "brok' }, "answered"],
    ["a reported error beside a warning", { return_value: { error: "no" }, error: "warn" }, "function-error"],
  ])("%s", (_what, output, expected) => {
    expect(endpointOf("functions").kindOf(output)).toBe(expected);
  });
});
