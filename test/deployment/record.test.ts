import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { videoBotsMembers } from "../../src/api/video-bots-schema.ts";
import { newRun, newRunId, serviceTime } from "../../src/deployment/record/record.ts";
import { post, recordOf, serve } from "./served.ts";

const run = "/v2/video-bots?example_id=a";
const hello = { input_prompt: "Hello", messages: [] };

async function styled(kind: string, bot = ""): Promise<ReturnType<typeof recordOf>> {
  const faults = kind === "" ? "" : `faults: [{ kind: ${kind} }]\n`;
  const { baseUrl } = await serve({ "bots/a.yaml": bot, "deployment.yaml": faults });
  const got = await post(baseUrl, run, hello);
  expect(got.status).toBe(200);
  return recordOf(got);
}

describe("the style of a record", () => {
  test("leaves out metrics with 13 members", async () => {
    const { output } = await styled("13-members");
    expect(Object.keys(output)).toEqual(videoBotsMembers.filter((name) => name !== "metrics"));
  });

  test("leaves out the id, which is then in the url only", async () => {
    const record = await styled("no-id");
    expect(record).not.toHaveProperty("id");
    expect(record.url).toMatch(/\?run_id=[a-z0-9]{12}&uid=/);
  });

  test("echoes the request's fields when wide, and then leaves out members without a value", async () => {
    const { output } = await styled("wide-output", "bot_script: Be short.\n");
    expect(output).toMatchObject({ input_prompt: "Hello", messages: [], bot_script: "Be short.", tts_provider: null });
    expect(Object.keys(output)).not.toContain("output_audio");
    expect(output.output_text).toHaveLength(1);
  });

  test("is an empty output when the request says that nothing may be kept", async () => {
    const { baseUrl } = await serve({ "bots/a.yaml": "" });
    const body = { ...hello, settings: { retention_policy: "delete" } };
    const got = await post(baseUrl, run, body);
    const record = recordOf(got);
    expect(record.output).toEqual({});
    expect((await fetch(record.url)).status).toBe(404);
  });

  test("is an empty output when the configuration says so", async () => {
    expect((await styled("", "settings: { retention_policy: delete }\n")).output).toEqual({});
  });
});

describe("the identity of a run", () => {
  test("is never the same twice and never anything but a-z and 0-9", () => {
    const ids = Array.from({ length: 20_000 }, newRunId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every((id) => /^[a-z0-9]{12}$/.test(id))).toBe(true);
    const letters = ids.join("");
    const share = (letter: string): number => letters.split(letter).length / letters.length;
    for (const letter of ["a", "d", "z", "9"]) expect(share(letter)).toBeCloseTo(1 / 36, 2);
  });

  test("names the page of its endpoint", () => {
    expect(newRun("http://h:1", "functions", "u").url).toMatch(
      /^http:\/\/h:1\/functions\/\?run_id=[a-z0-9]{12}&uid=u$/,
    );
  });

  test("has a time with microseconds, and no fraction when that is zero", () => {
    expect(serviceTime(1_795_204_800_000)).toBe("2026-11-20T20:00:00+00:00");
    expect(serviceTime(1_795_204_800_000.12)).toBe("2026-11-20T20:00:00.000120+00:00");
    expect(serviceTime(1_795_204_799_999.9998)).toBe("2026-11-20T20:00:00+00:00");
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_000_000_000_000 }), (ms) => {
        expect(Date.parse(serviceTime(ms))).toBe(ms);
      }),
    );
  });
});
