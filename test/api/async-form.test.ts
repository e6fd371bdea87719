import { describe, expect, test } from "vitest";
import { asyncFormOf } from "../../src/api/endpoints.ts";
import { fileMarks } from "../../src/api/files/file-marks.ts";
import type { JsonValue } from "../../src/lib/json.ts";

const { submit, status, ask, stateOf: reported } = asyncFormOf("video-bots");
const reply = (json: JsonValue) => ({ json, text: () => JSON.stringify(json) });

describe("the asynchronous form", () => {
  test("submits to the same configuration, and asks by the id of the run, however odd it is", () => {
    const { path, body } = submit.request({ input_prompt: "hi" }, "a b", fileMarks());
    expect([path, JSON.parse(body ?? "")]).toEqual([
      "/v3/video-bots/async?example_id=a%20b",
      { input_prompt: "hi", messages: [] },
    ]);
    expect(ask("../x\n").path).toBe("/v3/video-bots/status/?run_id=..%2Fx%0A");
    expect(ask("\ud800").path).toBe("/v3/video-bots/status/?run_id=%EF%BF%BD");
  });

  test("takes no reply for a submitted run that names none", () => {
    expect(submit.outputOf(reply({ run_id: "abc" }))).toEqual({});
    for (const json of [{}, { run_id: "" }, { run_id: 7 }, [], "abc"]) expect(submit.outputOf(reply(json))).toBeNull();
  });

  test.each([
    [404, { detail: "Not Found" }, "target"],
    [404, "<html>", "ambiguous"],
    [404, { detail: { run_id: "abc", error: "no such model" } }, "run-failed"],
    [402, { detail: { run_id: "abc", error: "out of credits" } }, "credits"],
    [402, { detail: { error: "the account is out" } }, "ambiguous"],
    [429, { detail: { run_id: "abc", error: "upstream is busy" } }, "run-failed"],
    [429, { detail: { error: "slow down" } }, null],
    [401, { detail: { error: "no key" } }, null],
  ] satisfies [number, JsonValue, string | null][])("reads status %i with %j as %s", (code, json, meaning) => {
    expect(status.meaning(code, json)).toBe(meaning);
  });

  test("says why a run has no answer, also where the reason is no text or the output no object", () => {
    expect(status.failureIn({ status: "failed", detail: "model is down" })).toBe("model is down");
    expect(status.failureIn({ status: "failed", detail: { code: 7 } })).toBe('{"code":7}');
    expect(status.failureIn({ status: "failed", detail: null })).toBe("the run failed");
    expect(status.failureIn({ status: "completed", output: "text" })).toContain("no object");
    expect(status.failureIn({ status: "completed", output: null })).toBeNull();
    expect(status.failureIn({ status: "standby", output: null })).toBeNull();
  });

  test("tells what goes on, and the run's own time", () => {
    expect(reported({ status: "standby", output: null })).toMatchObject({ isGoing: true, runMs: null });
    expect(reported({ status: "completed", output: { a: 1 }, run_time_sec: 1.5 })).toEqual({
      isGoing: false,
      isCompleted: true,
      output: { a: 1 },
      runMs: 1_500,
    });
    expect(reported({ status: "completed", run_time_sec: "2" })).toMatchObject({ runMs: null, output: {} });
  });
});
