import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { FaultRuleInput } from "../../src/deployment/faults/fault-rules.ts";
import type { RunningDeployment } from "../../src/deployment/deployment.ts";
import { isJsonObject, type JsonObject } from "../../src/lib/json.ts";
import { get, post, serve, someFiles } from "./served.ts";

const submit = "/v3/video-bots/async?example_id=onions";
const hello = { input_prompt: "How far apart are onion plants?", messages: [] };

function objectOf(value: unknown): JsonObject {
  if (!isJsonObject(value)) throw new Error("not an object");
  return value;
}

/** A member that is a text. */
function textIn(value: unknown, name: string): string {
  const member = objectOf(value)[name];
  if (typeof member !== "string") throw new Error(`${name} is no text`);
  return member;
}

/** Submits a run; gives the path where its state is told. */
async function submitted(running: RunningDeployment, path = submit, body: JsonObject = hello): Promise<string> {
  const { status, json, headers } = await post(running.baseUrl, path, body);
  expect(status).toBe(202);
  const url = textIn(json, "status_url");
  expect(headers.get("location")).toBe(url);
  expect(url).toBe(`${running.baseUrl}/v3/video-bots/status/?run_id=${textIn(json, "run_id")}`);
  return url.slice(running.baseUrl.length);
}

/** Asks until a run is in one of these states; one that has ended in another never comes to them. */
async function reached(running: RunningDeployment, path: string, ...states: string[]): Promise<JsonObject> {
  for (;;) {
    const { json } = await get(running.baseUrl, path);
    const reported = objectOf(json);
    const status = textIn(reported, "status");
    if (states.includes(status)) return reported;
    if (status === "completed" || status === "failed")
      throw new Error(`the run is ${status}, and not ${states.join()}`);
    await sleep(10);
  }
}

const withRules = async (...faults: FaultRuleInput[]): Promise<RunningDeployment> => {
  const running = await serve(someFiles);
  running.faults.set(faults);
  return running;
};

describe("a run of the asynchronous form", () => {
  test("is taken at once, and tells its states, its output with every member, and its own time", async () => {
    const running = await serve({ ...someFiles, "deployment.yaml": "async: { standby_ms: 600, starting_ms: 600 }\n" });
    const path = await submitted(running);
    const standby = await reached(running, path, "standby");
    expect(standby).toMatchObject({ output: null, detail: "", run_time_sec: 0 });
    await reached(running, path, "starting");
    const done = await reached(running, path, "completed");
    const id = textIn(standby, "run_id");
    expect(done).toMatchObject({
      run_id: id,
      web_url: expect.stringContaining(`run_id=${id}`),
      status: "completed",
    });
    expect(Object.keys(objectOf(done["output"]))).toHaveLength(14);
    expect(JSON.stringify(done["output"])).toContain("10 cm");
    expect(Number(done["run_time_sec"])).toBeLessThan(60);
    expect(running.journal.runs).toBe(1);
  });

  test.each(["copilot", "agent"])("can be submitted and asked for as %s", async (slug) => {
    const running = await serve(someFiles);
    const path = await submitted(running, submit.replace("video-bots", slug));
    expect(await reached(running, path.replace("video-bots", slug), "completed")).toMatchObject({ detail: "" });
  });

  test("is refused like any other: example_id, body", async () => {
    const { baseUrl } = await serve(someFiles);
    expect((await post(baseUrl, submit.replace("onions", "nothing"), hello)).status).toBe(404);
    expect((await post(baseUrl, submit, { messages: 1 })).status).toBe(422);
  });

  test("that fails says why with status 200, and with a code under that status", async () => {
    const failing = await withRules({ kind: "500-run", text: "model is down" });
    const failed = await reached(failing, await submitted(failing), "failed");
    expect(failed).toMatchObject({ status: "failed", detail: "model is down", output: null });
    const broke = await withRules({ kind: "402-run" });
    const path = await submitted(broke);
    await expect.poll(async () => (await get(broke.baseUrl, path)).status).toBe(402);
    const { json } = await get(broke.baseUrl, path);
    expect(objectOf(json)["detail"]).toMatchObject({ error: "Insufficient credits", run_id: expect.any(String) });
  });

  test("that leaves nothing behind tells its output once", async () => {
    const running = await serve(someFiles);
    const path = await submitted(running, submit, { ...hello, settings: { retention_policy: "delete" } });
    const first = await reached(running, path, "completed");
    expect(JSON.stringify(first["output"])).toContain("10 cm");
    const second = objectOf((await get(running.baseUrl, path)).json);
    expect(Object.values(objectOf(second["output"])).every((value) => value === null)).toBe(true);
  });

  test("may stay in standby, or be forgotten", async () => {
    const waiting = await withRules({ kind: "standby" });
    const path = await submitted(waiting);
    await sleep(50);
    expect(await reached(waiting, path, "standby")).toMatchObject({ output: null });
    const forgetful = await withRules({ kind: "forgotten" });
    const { status, json } = await get(forgetful.baseUrl, await submitted(forgetful));
    expect([status, json]).toEqual([404, { detail: "Not Found" }]);
  });

  test("is another user's secret", async () => {
    const running = await serve({
      ...someFiles,
      "deployment.yaml": "keys: [{ key: sk-one, name: one }, { key: sk-two, name: two }]\n",
    });
    const key = (value: string) => ({ authorization: `bearer ${value}` });
    const { json } = await post(running.baseUrl, submit, hello, key("sk-one"));
    const path = `/v3/video-bots/status/?run_id=${textIn(json, "run_id")}`;
    expect((await get(running.baseUrl, path, key("sk-two"))).status).toBe(404);
    expect((await get(running.baseUrl, path, key("sk-one"))).status).toBe(200);
    expect((await get(running.baseUrl, path)).status).toBe(401);
  });
});
