import { describe, expect, test } from "vitest";
import { videoBotsMembers } from "../../src/api/video-bots-schema.ts";
import { get, post, recordOf, serve, someFiles } from "./served.ts";

const createdAt = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{6})?\+00:00$/;

/** Records echo what was sent. */
const wide = "faults: [{ kind: wide-output }]\n";

describe("a run of a bot", () => {
  test("answers the record that the reference describes, with its 14 members in order", async () => {
    const { baseUrl } = await serve(someFiles);
    const got = await post(baseUrl, "/v2/video-bots?example_id=onions", {
      input_prompt: "How far between onion plants?",
      messages: [],
    });
    expect(got.status).toBe(200);
    expect(got.headers.get("content-type")).toBe("application/json");
    expect(Number(got.headers.get("content-length"))).toBe(Buffer.byteLength(got.text));
    expect(got.json).toMatchObject({
      id: expect.stringMatching(/^[a-z0-9]{12}$/),
      created_at: expect.stringMatching(createdAt),
      output: { output_text: ["Leave 10 cm between onion plants in a row."] },
    });
    const { id, url, output } = recordOf(got);
    expect(url).toMatch(new RegExp(`^${baseUrl}/agent/\\?run_id=${id}&uid=\\w+$`));
    expect(Object.keys(output)).toEqual(videoBotsMembers);
  });

  test("works with a trailing slash, a key in any case of the word, and in Hindi", async () => {
    const { baseUrl } = await serve(someFiles);
    const body = { input_prompt: "प्याज के पौधों के बीच कितनी दूरी रखें?", messages: [] };
    const got = await post(baseUrl, "/v2/video-bots/?example_id=onions", body, { authorization: "BEARER any-form" });
    expect(got.json).toMatchObject({ output: { output_text: ["प्याज के पौधों के बीच दस सेंटीमीटर की दूरी रखें।"] } });
  });

  test.each(["", "   ", "\n\t"])(
    "answers nothing to the blank prompt %j, and it is a run all the same",
    async (prompt) => {
      const { baseUrl, journal } = await serve(someFiles);
      const got = await post(baseUrl, "/v2/video-bots?example_id=onions", { input_prompt: prompt, messages: [] });
      expect(got.status).toBe(200);
      const nulls = Object.fromEntries(videoBotsMembers.map((name) => [name, null]));
      expect(got.json).toMatchObject({ output: nulls });
      expect(journal.runs).toBe(1);
    },
  );

  test("runs the first configuration when example_id is blank or absent", async () => {
    const { baseUrl } = await serve({ "bots/b.yaml": "", "bots/a.yaml": "greeting: Good day.\n" });
    for (const query of ["", "?example_id=", "?example_id=%20"]) {
      const got = await post(baseUrl, `/v2/video-bots${query}`, { input_prompt: "Hello", messages: [] });
      expect(got.json).toMatchObject({ output: { output_text: ["Good day."] } });
    }
  });

  test("takes the saved value of a field that the body leaves out, and the body's where it is there", async () => {
    const saved = "input_prompt: Hello\nvariables: { a: 1, b: 2 }\n";
    const { baseUrl } = await serve({ "bots/demo.yaml": saved, "deployment.yaml": wide });
    const got = await post(baseUrl, "/v2/video-bots?example_id=demo", {
      variables: { b: 3, c: 4 },
      no_such_field: "dropped",
      __proto__x: 1,
    });
    expect(got.json).toMatchObject({ output: { input_prompt: "Hello", variables: { a: 1, b: 3, c: 4 } } });
    expect(got.text).not.toContain("no_such_field");
    const other = await post(baseUrl, "/v2/video-bots?example_id=demo", { input_prompt: "Bye" });
    expect(other.json).toMatchObject({ output: { input_prompt: "Bye", variables: { a: 1, b: 2 } } });
  });

  test("is not led astray by names that mean something to the language", async () => {
    const { baseUrl } = await serve({ "bots/demo.yaml": "", "deployment.yaml": wide });
    const names = '{"__proto__":{"polluted":1},"constructor":1,"variables":{"__proto__":{"polluted":1},"toString":2}}';
    const got = await post(baseUrl, "/v2/video-bots?example_id=demo", names);
    expect(got.status).toBe(200);
    expect(got.text).toContain('"toString":2');
    expect({}).not.toHaveProperty("polluted");
  });

  test("fails with an id when the model does not exist", async () => {
    const { baseUrl } = await serve({ "bots/demo.yaml": "models: [model_small_a, model_small_b]\n" });
    const body = { input_prompt: "x", messages: [], selected_model: "no_such_model" };
    const got = await post(baseUrl, "/v2/video-bots?example_id=demo", body);
    expect(got.status).toBe(500);
    expect(got.json).toEqual({
      detail: {
        id: expect.stringMatching(/^[a-z0-9]{12}$/),
        url: expect.stringContaining("/agent/?run_id="),
        created_at: expect.stringMatching(createdAt),
        error: "Model no_such_model not found. Should be one of: model_small_a, model_small_b",
      },
    });
  });

  test("breaks down on messages that are null", async () => {
    const { baseUrl } = await serve(someFiles);
    const got = await post(baseUrl, "/v2/video-bots?example_id=onions", { input_prompt: "x", messages: null });
    expect(got.status).toBe(500);
    expect(got.json).toMatchObject({ detail: expect.stringMatching(/^TypeError: /) });
  });
});

describe("a run of a function", () => {
  test("gets values through variables and by name in the body, and answers return value, error and logs", async () => {
    const { baseUrl } = await serve(someFiles);
    const byVariables = await post(baseUrl, "/v2/functions?example_id=double", { variables: { n: 4 } });
    expect(byVariables.json).toMatchObject({
      id: expect.stringMatching(/^[a-z0-9]{12}$/),
      url: expect.stringContaining("/functions/?run_id="),
      output: { return_value: { twice: 8 }, error: null, logs: [{ level: "log", message: "doubling 4" }] },
    });
    const byName = await post(baseUrl, "/v2/functions/?example_id=double", { n: 5 });
    expect(byName.json).toMatchObject({ output: { return_value: { twice: 10 } } });
  });

  test("takes variables and limits from a sidecar", async () => {
    const sidecar = "variables: { n: 21 }\nlimits: { time_ms: 500 }\n";
    const { baseUrl } = await serve({ ...someFiles, "functions/double.yaml": sidecar });
    const got = await post(baseUrl, "/v2/functions?example_id=double", {});
    expect(got.json).toMatchObject({ output: { return_value: { twice: 42 } } });
  });

  test("is status 200 also when the function throws", async () => {
    const { baseUrl } = await serve(someFiles);
    const got = await post(baseUrl, "/v2/functions?example_id=fails", {});
    expect(got.status).toBe(200);
    expect(got.json).toMatchObject({
      output: { return_value: null, error: expect.stringContaining("TypeError: no rows") },
    });
  });
});

describe("the other addresses", () => {
  test("say the balance and the status, with and without a trailing slash", async () => {
    const { baseUrl } = await serve(someFiles);
    expect((await get(baseUrl, "/status")).text).toBe('"OK"');
    expect((await get(baseUrl, "/v1/balance/")).json).toEqual({ balance: expect.any(Number) });
    expect((await get(baseUrl, "/v1/balance")).status).toBe(200);
  });

  test("are 404 with a string where there is nothing, and 405 for another method", async () => {
    const { baseUrl } = await serve(someFiles);
    const missing = await get(baseUrl, "/v3/video-bots");
    expect([missing.status, missing.json]).toEqual([404, { detail: "Not Found" }]);
    const wrong = await get(baseUrl, "/v2/video-bots/?example_id=onions");
    expect([wrong.status, wrong.json]).toEqual([405, { detail: "Method Not Allowed" }]);
    expect(wrong.headers.get("allow")).toBe("POST");
    expect((await post(baseUrl, "/status", {})).status).toBe(405);
  });
});

describe("the address of a run", () => {
  const path = "/v2/video-bots?example_id=onions";

  async function addressOf(baseUrl: string, body: object, to = path): Promise<string> {
    return recordOf(await post(baseUrl, to, body)).url.slice(baseUrl.length);
  }

  test("shows what was asked and answered, as JSON", async () => {
    const { baseUrl } = await serve(someFiles);
    const hostile = "<script>alert(1)</script> onion plants";
    const got = await get(baseUrl, await addressOf(baseUrl, { input_prompt: hostile, messages: [] }));
    expect([got.status, got.headers.get("content-type")]).toEqual([200, "application/json"]);
    expect(got.json).toMatchObject({
      endpoint: "video-bots",
      example_id: "onions",
      request: { input_prompt: hostile },
      output: { output_text: [expect.any(String)] },
      error: null,
    });
    const doubled = await addressOf(baseUrl, { variables: { n: 2 } }, "/v2/functions?example_id=double");
    expect((await get(baseUrl, doubled)).text).toContain("doubling 2");
  });

  test("is only found with the right run, uid and endpoint", async () => {
    const { baseUrl } = await serve(someFiles);
    const url = await addressOf(baseUrl, { input_prompt: "x" });
    expect((await get(baseUrl, url)).status).toBe(200);
    for (const wrong of [url.replace("/agent/", "/functions/"), url.replace(/uid=.*/, "uid=x"), "/agent/"])
      expect((await get(baseUrl, wrong)).status, wrong).toBe(404);
  });

  test("has no texts of a large run", async () => {
    const { baseUrl } = await serve(someFiles);
    const large = await addressOf(baseUrl, { input_prompt: "x", variables: { all: "x".repeat(50_000) } });
    expect((await get(baseUrl, large)).json).toMatchObject({ request: null, output: null });
  });
});

test("two deployments on ports of their own answer the same example_id differently", async () => {
  const prod = await serve({ "bots/same.yaml": "greeting: I am prod.\n" });
  const candidate = await serve({ "bots/same.yaml": "greeting: I am test.\n" });
  const body = { input_prompt: "Hello", messages: [] };
  expect((await post(prod.baseUrl, "/v2/video-bots?example_id=same", body)).text).toContain("I am prod.");
  expect((await post(candidate.baseUrl, "/v2/video-bots?example_id=same", body)).text).toContain("I am test.");
});
