import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadSuite } from "../../src/suite/load.ts";
import { sameBotFaults, sameCandidateNotes } from "../../src/suite/same-bot.ts";
import type { Suite } from "../../src/suite/suite.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tandem-same-bot-"));
});
afterAll(() => rm(folder, { recursive: true }));

const env = { KEY: "sk-one", SAME_KEY: "sk-one", OTHER_KEY: "sk-two", TENANT: "north" };

let count = 0;
async function suiteOf(text: string): Promise<Suite> {
  const path = join(folder, `suite-${++count}.yaml`);
  await writeFile(path, text);
  return (await loadSuite(path, env)).suite;
}

interface Side {
  deployment?: string;
  target?: string;
}

const usual = { deployment: 'base_url: "https://host.example/x", api_key_env: KEY', target: "endpoint: video-bots" };

/** A suite whose target `b` is `a` but for what is given. */
async function pair(one: Side, other: Side, more = "case: { input: { input_prompt: q } }"): Promise<Suite> {
  const [a, b] = [one, other].map((side) => ({ ...usual, ...side }));
  const id = (target = ""): string => (/model|endpoint: \{|example_id/.test(target) ? "" : ", example_id: x");
  return suiteOf(
    [
      "dataset: a.csv",
      more,
      "deployments:",
      `  a: { ${a?.deployment} }`,
      `  b: { ${b?.deployment} }`,
      "targets:",
      `  a: { deployment: a, ${a?.target}${id(a?.target)} }`,
      `  b: { deployment: b, ${b?.target}${id(b?.target)} }`,
      "",
    ].join("\n"),
  );
}

const places = (suite: Suite): string[] => sameBotFaults(suite, env).map(({ path }) => path.join("."));

const at = (url: string, more = ""): Side => ({ deployment: `base_url: "${url}", api_key_env: KEY${more}` });
const asking = (target: string): Side => ({ target });

describe("two targets are the same bot", () => {
  test.each<[string, Side, Side]>([
    ["in case, port and last slash of the address", at("HTTPS://Host.example:443/x/"), {}],
    [
      "in the order of headers and the case of their names",
      at("https://host.example/x", ', headers: { X-One: "1", X-Two: "2" }'),
      at("https://host.example/x", ', headers: { x-two: "2", x-one: "1" }'),
    ],
    [
      "in a header from the environment and as it stands",
      at("https://host.example/x", ', headers: { X-Tenant: "${TENANT}" }'),
      at("https://host.example/x", ", headers: { X-Tenant: north }"),
    ],
    ["in a key from another variable", {}, { deployment: usual.deployment.replace("KEY", "SAME_KEY") }],
    ["in limits and price", {}, at("https://host.example/x", ", concurrency: 2, timeout: 1m, retries: 0, price: 3")],
    [
      "in the order of members of the body",
      asking("endpoint: video-bots, body: { a: 1, variables: { x: 1, y: 2 } }"),
      asking("endpoint: video-bots, body: { variables: { y: 2, x: 1 }, a: 1 }"),
    ],
    [
      "in what is read beside the answer",
      asking("endpoint: { path: /chat, answer: $.said, id: $.id }"),
      asking("endpoint: { path: /chat, answer: $.said, usage: $.usage }"),
    ],
    ["in a model", asking("endpoint: chat-completions, model: m"), asking('endpoint: chat-completions, model: " m "')],
  ])("%s", async (_, one, other) => {
    expect(places(await pair(one, other))).toEqual(["targets.a", "targets.b"]);
  });

  test("in a path that stands in the address", async () => {
    const whole = { ...at("https://host.example/x/chat"), target: "endpoint: { method: POST }, history: service" };
    const apart = asking("endpoint: { path: /chat }, history: service");
    expect(places(await pair(whole, apart))).toEqual(["targets.a", "targets.b"]);
  });

  test("where a body says what every case is sent anyway", async () => {
    const mapping = "case: { input: { input_prompt: q, tone: { value: formal }, variables.x: { value: 1 } } }";
    const body = "endpoint: video-bots, body: { tone: formal, variables: { x: 1 } }";
    expect(places(await pair({}, asking(body), mapping))).toEqual(["targets.a", "targets.b"]);
    expect(places(await pair({}, asking(body)))).toEqual([]);
  });

  test("and the first fault of each says which one the other is; the key is in none", async () => {
    const [first, second] = sameBotFaults(await pair({}, {}), env);
    expect(first?.message).toBe('is sent the same as "b": both sides are the same bot');
    expect(second?.message).toBe('is sent the same as "a": both sides are the same bot');
    expect(second?.hint).toContain("`compare: { same: true }`");
    expect(JSON.stringify([first, second])).not.toContain("sk-one");
  });

  test("also where a matrix makes them", async () => {
    const url = 'base_url: "https://host.example", api_key_env: KEY';
    const matrix = "matrix: { deployments: [a, b], endpoint: functions, example_ids: [x, y] }";
    const suite = await suiteOf(`dataset: a.csv\ndeployments: { a: { ${url} }, b: { ${url} } }\n${matrix}\n`);
    expect(places(suite)).toEqual(["targets.a:x", "targets.b:x"]);
  });
});

describe("two targets are not the same bot", () => {
  test.each<[string, Side, Side]>([
    ["another host", at("https://test.example/x"), {}],
    ["another path, whose case counts", at("https://host.example/X"), {}],
    ["a canary by header", at("https://host.example/x", ", headers: { X-Canary: always }"), {}],
    ["a canary by key", {}, { deployment: usual.deployment.replace("KEY", "OTHER_KEY") }],
    ["another id", asking("endpoint: video-bots, example_id: y"), {}],
    ["another endpoint", asking("endpoint: functions"), {}],
    ["the asynchronous form", asking("endpoint: video-bots, mode: async"), {}],
    ["another body", asking("endpoint: video-bots, body: { variables: { tone: formal } }"), {}],
    ["a proxy", at("https://host.example/x", ', proxy: "http://proxy.example:3128"'), {}],
    [
      "another answer of the same reply",
      asking("endpoint: { path: /c, answer: $.a }"),
      asking("endpoint: { path: /c, answer: $.b }"),
    ],
    ["a key that is not here", { deployment: usual.deployment.replace("KEY", "UNSET_KEY") }, {}],
  ])("%s", async (_, one, other) => {
    expect(places(await pair(one, other))).toEqual([]);
  });

  test("a service that keeps conversations is sent the same as one that is not said to", async () => {
    const described = 'endpoint: { path: /c, body: { q: "{{ input_prompt }}" } }';
    expect(places(await pair(asking(described), asking(`${described}, history: service`)))).toHaveLength(2);
  });
});

const stored = (targets: string, more = ""): Promise<Suite> => suiteOf(`dataset: a.csv\n${more}targets:\n${targets}`);

describe("stored answers", () => {
  test("of one column are one bot, whatever links and labels are beside them", async () => {
    const suite = await stored("  a: { answers: said, run_url: link }\n  b: { answers: said, label: thumbs }\n");
    expect(places(suite)).toEqual(["targets.a", "targets.b"]);
    expect(sameBotFaults(suite, env)[1]?.hint).toContain("Name another column");
  });

  test("of two columns, or read in two ways, are two", async () => {
    expect(places(await stored("  a: { answers: said }\n  b: { answers: meant }\n"))).toEqual([]);
    const ways = "  a: { answers: said }\n  b: { answers: said, endpoint: { path: /c, answer: $.text } }\n";
    expect(places(await stored(ways))).toEqual([]);
  });
});

describe("same: true", () => {
  const said = "compare: { same: true }\ncase: { input: { input_prompt: q } }";

  test("is right of the same bot, and of what cannot be told apart here", async () => {
    expect(places(await pair({}, {}, said))).toEqual([]);
    expect(places(await pair({}, { deployment: usual.deployment.replace("KEY", "UNSET_KEY") }, said))).toEqual([]);
  });

  test("is refused of two bots, with what differs", async () => {
    const [fault, ...others] = sameBotFaults(
      await pair(
        at("https://host.example/x", ", headers: { X-Canary: always }"),
        asking("endpoint: video-bots, example_id: y"),
        said,
      ),
      env,
    );
    expect(others).toEqual([]);
    expect(fault).toMatchObject({ path: ["compare", "same"] });
    expect(fault?.message).toBe('says that both sides are the same bot, but "b" differs from "a" in id, headers');
  });

  test("needs two sides", async () => {
    const one = `dataset: a.csv\ncompare: { same: true }\ndeployments: { a: { ${usual.deployment} } }\ntargets: { a: { deployment: a, endpoint: functions, example_id: x } }\n`;
    await expect(suiteOf(one)).rejects.toThrow("compare.same needs two targets: there is one side only");
  });
});

test("of three targets the one that is the baseline is named; two candidates that are one are a remark", async () => {
  const targets = (c: string): Promise<Suite> =>
    suiteOf(
      `dataset: a.csv\ndeployments: { d: { ${usual.deployment} } }\ntargets:\n${["a: x", "b: y", `c: ${c}`]
        .map((each) => each.split(": "))
        .map(([name, id]) => `  ${name}: { deployment: d, endpoint: functions, example_id: ${id} }`)
        .join("\n")}\n`,
    );
  expect(places(await targets("x"))).toEqual(["targets.a", "targets.c"]);
  const twins = await targets("y");
  expect(places(twins)).toEqual([]);
  expect(sameCandidateNotes(twins, env)).toEqual([
    "b and c are the same bot: each is compared with the baseline, and the second says nothing new.",
  ]);
  expect(sameCandidateNotes(await targets("z"), env)).toEqual([]);
});
