import { expect, test } from "vitest";
import { serve } from "../deployment/served.ts";
import { startService } from "./service.ts";
import { bePatient, prompts, Tandem } from "./tandem.ts";

const bots = {
  "bots/short.yaml": "fallback: Good day.\n",
  "bots/long.yaml": "fallback: Good day to you, and welcome to all of our libraries.\n",
};

const suite = (url: string, price: string, more = ""): string => `name: cost
dataset: p.csv
case: { key: id }
deployments: { own: { base_url: "${url}", api_key_env: TANDEM_API_KEY, price: ${price} } }
targets:
  short: { deployment: own, endpoint: chat-completions, model: short }
  long: { deployment: own, endpoint: chat-completions, model: long${more} }
scorers: [{ name: said, type: contains, value: Good }]
compare: { baseline: short }
`;

interface Reported {
  targets: { target: string; tokens: { input: number; output: number }; cost: number }[];
  candidates: {
    metrics: { metric: string; comparison: { estimate: number; interval: { low: number; high: number } } }[];
  }[];
}

test("tokens and their cost are figures of each target and case, with an interval for the difference", async () => {
  const { baseUrl } = await serve(bots);
  const tandem = new Tandem()
    .file("p.csv", prompts(12))
    .file("suite.yaml", suite(baseUrl, "{ input: 2, output: 1000000 }", ", price: { run: 1, output: 1000000 }"));
  const { code, out, err } = await tandem.run("run", "suite.yaml", "--json");
  expect(code, err).toBe(0);
  const { targets, candidates }: Reported = JSON.parse(out).comparison;
  const [short, long] = targets;
  // A million a token written: the cost is their number; the other has a price of its own.
  expect(short?.cost).toBeCloseTo((short?.tokens.output ?? 0) + (2 * (short?.tokens.input ?? 0)) / 1e6, 6);
  expect(long?.cost).toBeCloseTo((long?.tokens.output ?? 0) + 12, 6);
  const metrics = new Map(candidates[0]?.metrics.map((each) => [each.metric, each.comparison]));
  expect(metrics.get("tokens")?.estimate).toBeLessThan(0);
  expect(metrics.get("cost")?.interval.high).toBeLessThan(0);
  const rows = tandem.text(`results/${JSON.parse(out).batch}/runs.csv`);
  expect(rows.split("\n")[0]).toContain("cost");
});

test("a limit of cost ends a run before it is passed by far, and is refused where there is no price", async () => {
  const { baseUrl } = await serve(bots);
  const tandem = new Tandem().file("p.csv", prompts(60)).file("suite.yaml", suite(baseUrl, "1"));
  const { code, out } = await tandem.run("run", "suite.yaml", "--max-cost", "20");
  expect(code).toBe(3);
  expect(out).toContain("is spent (--max-cost 20)");
  const [{ n } = { n: 0 }] = tandem.query<{ n: number }>("SELECT count(*) AS n FROM attempt WHERE outcome = 'ok'");
  expect(n).toBeGreaterThanOrEqual(20);
  expect(n).toBeLessThan(40);
  tandem.file("free.yaml", suite(baseUrl, "1").replace(", price: 1", ""));
  const refused = await tandem.run("run", "free.yaml", "--max-cost", "20");
  expect(refused.code).toBe(2);
  expect(refused.err).toContain("there is no price for short, long");
});

const judged = (url: string, price: string): string => `name: judged
dataset: p.csv
case: { key: id }
deployments: { own: { base_url: "${url}", api_key_env: TANDEM_API_KEY } }
targets: { short: { deployment: own, endpoint: chat-completions, model: short, price: 0 } }
judges: { grader: { deployment: own, endpoint: chat-completions, model: judge${price} } }
scorers: [{ name: good, type: judge, target: grader }]
`;

test("questions to a judge cost by the tokens that its replies tell, and count towards a limit of cost", async () => {
  const { baseUrl } = await serve({ ...bots, "bots/judge.yaml": "judge: {}\n" });
  const tandem = new Tandem()
    .file("p.csv", prompts(20))
    .file("suite.yaml", judged(baseUrl, ", price: { run: 2, output: 1000000 }"));
  expect((await tandem.run("run", "suite.yaml")).code).toBe(0);
  const score: { judges: { asked: number; tokens: { runs: number; output: number }; cost: number }[] } = JSON.parse(
    (await tandem.run("score", "--json", "--quiet")).out,
  );
  const [reported] = tandem.query<{ output: number }>(
    "SELECT sum(tokens_out) AS output FROM attempt JOIN job ON job.id = job_id WHERE kind = 'judge'",
  );
  expect(score.judges).toMatchObject([{ asked: 21, tokens: { runs: 21, output: reported?.output } }]);
  expect(score.judges[0]?.cost).toBeCloseTo((reported?.output ?? 0) + 42, 6);

  const limited = await tandem.remove("results").run("run", "suite.yaml", "--max-cost", "60", "--no-preflight");
  expect([limited.code, limited.out]).toEqual([3, expect.stringContaining("is spent (--max-cost 60)")]);
  const refused = await tandem.file("free.yaml", judged(baseUrl, "")).run("run", "free.yaml", "--max-cost", "20");
  expect([refused.code, refused.err]).toEqual([2, expect.stringContaining("there is no price for grader")]);
});

test("a limit of cost counts runs that are submitted, not only those that have ended", async () => {
  const deployment = await serve({ ...bots, "deployment.yaml": "async: { standby_ms: 60000 }\njournal: true\n" });
  const tandem = new Tandem()
    .file("p.csv", prompts(40))
    .file(
      "suite.yaml",
      suite(deployment.baseUrl, "1").replaceAll(
        /endpoint: chat-completions, model: (\w+)/g,
        "endpoint: video-bots, example_id: $1, mode: async",
      ),
    );
  const { child, ended } = tandem.start("run", "suite.yaml", "--max-cost", "4", "--no-preflight");
  await expect.poll(() => deployment.journal.runs).toBeGreaterThanOrEqual(4);
  await bePatient();
  child.kill("SIGKILL");
  await ended;
  expect(deployment.journal.runs).toBeLessThan(14);
});

const priced = (url: string, endpoint: string, price: string): string => `name: priced
dataset: p.csv
case: { key: id }
deployments: { own: { base_url: "${url}", concurrency: 1, price: ${price} } }
targets: { bot: { deployment: own, endpoint: ${endpoint} } }
scorers: [{ name: said, type: contains, value: Good }]
`;

// The cost of a reply is 1,100 in each: by what the service's own total counts, or by a price of its own for a cache.
test.each([
  [
    "thoughts beside the candidates",
    "{ input: 1000000, output: 1000000 }",
    { promptTokenCount: 100, candidatesTokenCount: 200, thoughtsTokenCount: 800, totalTokenCount: 1100 },
  ],
  [
    "reasoning beside the completion",
    "{ input: 1000000, output: 1000000 }",
    {
      prompt_tokens: 100,
      completion_tokens: 200,
      completion_tokens_details: { reasoning_tokens: 800 },
      total_tokens: 1100,
    },
  ],
  [
    "a cache among what was read",
    "{ input: 1000000, output: 1000000, cached: 100000 }",
    { prompt_tokens: 1900, completion_tokens: 100, prompt_tokens_details: { cached_tokens: 1000 }, total_tokens: 2000 },
  ],
  [
    "a cache beside what was read",
    "{ input: 1000000, output: 1000000, cached: 100000 }",
    { input_tokens: 900, cache_read_input_tokens: 1000, output_tokens: 100 },
  ],
])("a reply costs %s, and a limit of cost holds with it", async (_, price, usage) => {
  const { url, received } = await startService(() => ({ body: JSON.stringify({ answer: "Good day", usage }) }));
  const endpoint = '{ body: { q: "{{ input_prompt }}" }, answer: $.answer, usage: $.usage }';
  const tandem = new Tandem().file("p.csv", prompts(12)).file("suite.yaml", priced(url, endpoint, price));
  const whole = await tandem.run("run", "suite.yaml", "--json");
  expect(JSON.parse(whole.out).comparison.targets[0].cost, whole.err).toBeCloseTo(13_200, 4);
  received.length = 0;
  const limited = await tandem.remove("results").run("run", "suite.yaml", "--max-cost", "3000", "--no-preflight");
  expect([limited.code, limited.out]).toEqual([3, expect.stringContaining("is spent (--max-cost 3000)")]);
  expect(received.length).toBeLessThanOrEqual(5);
});
