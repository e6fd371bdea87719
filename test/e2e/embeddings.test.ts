import { describe, expect, test } from "vitest";
import { type Received, record, type Reply, type Service, startService } from "./service.ts";
import { Tandem } from "./tandem.ts";

const sheet = "id,input_prompt,expected\na,When?,It opens at nine\nb,Where?,In the harbour\nc,Who?,Ana\n";

function suite(urls: { prod: string; models: string }, scorer = "threshold: 0.5"): string {
  return [
    "name: near",
    "dataset: prompts.csv",
    "deployments:",
    `  prod: { base_url: "${urls.prod}" }`,
    `  models: { base_url: "${urls.models}", price: { input: 1000000 }, retries: 1 }`,
    "targets:",
    "  prod: { deployment: prod, endpoint: video-bots, example_id: a }",
    "scorers:",
    `  - { name: near, type: embedding-similarity, deployment: models, model: small, ${scorer} }`,
    "",
  ].join("\n");
}

const inputOf = ({ body }: Received): string => (JSON.parse(body) as { input: string }).input;

/** Two numbers for a text: the same direction for every text about nine o'clock. */
const vector = (text: string): number[] => (/nine|9/.test(text) ? [1, 0] : text === "Ana" ? [0, 1] : [1, 1]);

const vectors = (received: Received): Reply => ({
  status: 200,
  body: JSON.stringify({
    object: "list",
    data: [{ object: "embedding", index: 0, embedding: vector(inputOf(received)) }],
    usage: { prompt_tokens: 3, total_tokens: 3 },
  }),
});

const answers: Readonly<Record<string, string>> = { "When?": "At 9", "Where?": "By the sea", "Who?": "Bo" };
const bots = (): Promise<Service> => startService(({ prompt }) => record(answers[prompt] ?? ""));

const scores = (tandem: Tandem) =>
  tandem.query<{ key: string; value: number | null; pass: number | null; reason: string }>(
    `SELECT "case".key, score.value, score.pass, score.reason FROM score JOIN "case" ON "case".id = score.case_id ORDER BY 1`,
  );

describe("the similarity of embeddings", () => {
  test("asks for each text once, as jobs of judges with their tokens, and never for one that is known", async () => {
    const [prod, models] = [await bots(), await startService(vectors)];
    const tandem = new Tandem()
      .file("prompts.csv", sheet)
      .file("suite.yaml", suite({ prod: prod.url, models: models.url }));
    const { code, err } = await tandem.run("run", "suite.yaml", "--no-preflight", "--quiet");
    expect(code, err).toBe(0);
    expect(models.received.map(({ path }) => path)).toEqual(Array.from({ length: 6 }, () => "/v1/embeddings"));
    expect(models.received.map(inputOf).toSorted()).toEqual(
      ["At 9", "It opens at nine", "By the sea", "In the harbour", "Bo", "Ana"].toSorted(),
    );
    expect(JSON.parse(models.received[0]?.body ?? "")).toMatchObject({ model: "small" });
    expect(scores(tandem)).toMatchObject([
      { key: "a", value: 1, pass: 1 },
      { key: "b", value: expect.closeTo(1, 9) as number, pass: 1 },
      { key: "c", value: expect.closeTo(Math.SQRT1_2, 9) as number, pass: 1 },
    ]);
    const scored = await tandem.run("score", "--json", "--quiet", "--again");
    expect(JSON.parse(scored.out)).toMatchObject({ judges: [{ judge: "models.small", questions: 6, asked: 0 }] });
    expect(models.received).toHaveLength(6);
    expect(tandem.query("SELECT kind, count(*) AS n FROM run_records GROUP BY 1 ORDER BY 1")).toEqual([
      { kind: "case", n: 3 },
      { kind: "judge", n: 6 },
    ]);
    const explained = await tandem.run("score", "--explain", "a");
    expect(explained.out).toContain("2 numbers: 1, 0");
  });

  test("is told before anything is paid in the plan, and counts the tokens of what was asked", async () => {
    const [prod, models] = [await bots(), await startService(vectors)];
    const tandem = new Tandem()
      .file("prompts.csv", sheet)
      .file("suite.yaml", suite({ prod: prod.url, models: models.url }));
    const planned = JSON.parse((await tandem.run("check", "--offline", "suite.yaml", "--json")).out) as {
      judges: unknown;
    };
    expect(planned.judges).toMatchObject([{ target: "models.small", jobs: 6 }]);
    expect(models.received).toHaveLength(0);
    await tandem.run("run", "suite.yaml", "--quiet");
    const { judges } = JSON.parse((await tandem.run("score", "--list", "--json")).out) as { judges?: unknown };
    expect(judges).toBeUndefined();
    const [total] = tandem.query<{ tokens: number }>(
      "SELECT sum(tokens_in) AS tokens FROM attempt JOIN job ON job.id = attempt.job_id WHERE job.kind = 'judge'",
    );
    expect(total?.tokens).toBe(3 * models.received.length);
  });

  test.each<[about: string, body: string, reason: RegExp]>([
    ["an error with a good status", '{"error":{"message":"model is loading"}}', /run-failed.*model is loading/],
    ["an empty list", '{"data":[]}', /holds no vector/],
    ["zeros", '{"data":[{"embedding":[0,0]}]}', /vector of zeros/],
    ["null for a number", '{"data":[{"embedding":[null,1]}]}', /what is no number/],
    ["base64 that is none", '{"data":[{"embedding":"???"}]}', /no base64 of floats/],
  ])("has the reason for a reply with %s in the place of a score", async (_, body, reason) => {
    const [prod, models] = [await bots(), await startService(() => ({ status: 200, body }))];
    const tandem = new Tandem()
      .file("prompts.csv", "id,input_prompt,expected\na,When?,It opens at nine\n")
      .file("suite.yaml", suite({ prod: prod.url, models: models.url }));
    await tandem.run("run", "suite.yaml", "--no-preflight", "--quiet");
    expect(scores(tandem)).toMatchObject([
      { value: null, pass: null, reason: expect.stringMatching(reason) as string },
    ]);
  });

  test.each([
    ["no vector", '{"data":[]}', "holds no vector"],
    ["another API's", '{"object":"list"}', 'without "data"'],
    ["no JSON", '{"data":[{"embedding":[NaN,1]}]}', "JSON"],
  ])("ends the run before any bot is asked where the first reply is %s", async (_, body, reason) => {
    const [prod, models] = [await bots(), await startService(() => ({ status: 200, body }))];
    const tandem = new Tandem()
      .file("prompts.csv", sheet)
      .file("suite.yaml", suite({ prod: prod.url, models: models.url }));
    const { code, out, err } = await tandem.run("run", "suite.yaml");
    expect([code, out + err]).toEqual([3, expect.stringContaining(reason)]);
    expect(prod.received).toHaveLength(0);
  });

  test("works offline with a deployment on this machine", async () => {
    const tandem = new Tandem()
      .file("prompts.csv", sheet)
      .file("bots/bots/a.yaml", "fallback: It opens at nine in the morning.\n")
      .file("bots/bots/vectors.yaml", "embedding: {}\n")
      .file(
        "suite.yaml",
        suite({ prod: "local:./bots", models: "local:./bots" }).replace("model: small", "model: vectors"),
      );
    const { code, err } = await tandem.run("run", "suite.yaml", "--quiet");
    expect(code, err).toBe(0);
    const [near, far] = scores(tandem);
    expect(near?.value).toBeGreaterThan(0.6);
    expect(far?.value).toBeLessThan(0.4);
  });
});
