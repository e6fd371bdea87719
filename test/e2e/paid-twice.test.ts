import { expect, test } from "vitest";
import { type Received, record, type Reply, startService } from "./service.ts";
import { prompts, Tandem } from "./tandem.ts";

const suite = (prod: string, judge: string): string => `name: judged
dataset: p.csv
deployments:
  prod: { base_url: "${prod}", api_key_env: TANDEM_API_KEY }
  bench: { base_url: "${judge}", api_key_env: TANDEM_API_KEY }
targets: { prod: { deployment: prod, endpoint: video-bots, example_id: a } }
judges: { strict: { deployment: bench, endpoint: video-bots, example_id: judge } }
scorers: [{ name: helpful, type: judge, target: strict }]
`;

/** Never answers the first requests, however often it is asked for the same. */
const hangs =
  (times: number, reply: (received: Received) => Reply) =>
  (received: Received): Reply =>
    received.time <= times ? { act: "hang" } : reply(received);

test("what may have been paid twice is counted by the attempts: of cases and judges, also where one doubt follows another", async () => {
  const prod = await startService(hangs(2, ({ prompt }) => record(prompt)));
  const judge = await startService(hangs(1, () => record('{"score": 1, "reason": "fine"}')));
  const tandem = new Tandem().file("p.csv", prompts(2)).file("suite.yaml", suite(prod.url, judge.url));
  const stages = [
    { args: ["run", "suite.yaml", "--quiet", "--no-preflight"], service: prod, received: 2 },
    { args: ["resume", "--quiet", "--no-preflight"], service: prod, received: 4 },
    { args: ["resume", "--quiet", "--no-preflight"], service: judge, received: 2 },
  ];
  for (const { args, service, received } of stages) {
    await tandem.killWhen(() => service.received.length >= received, ...args);
  }
  const { out, err } = await tandem.run("resume", "--quiet", "--json");
  const sentAgain = prod.received.length - 2 + (judge.received.length - 2);
  expect(sentAgain, err).toBe(6);
  expect(JSON.parse(out)).toMatchObject({ state: "finished", possiblyPaidTwice: sentAgain });
  const shown = JSON.parse((await tandem.run("batches", "show", "--json")).out) as unknown;
  expect(shown).toMatchObject({ targets: [{ target: "prod", possiblyPaidTwice: 4 }] });
  expect((await tandem.run("report", "-o", "all.json")).code).toBe(0);
  expect((await tandem.run("compare")).out).toContain(
    "Possibly paid twice: 6 requests, sent again for such jobs (2 of them to judges)",
  );
  expect(JSON.parse(tandem.text("all.json"))).toMatchObject({ possiblyPaidTwice: { cases: 4, judges: 2 } });
});

test("requests to judges that may have been paid twice are told where no answer was", async () => {
  const prod = await startService(({ prompt }) => record(prompt));
  const judge = await startService(({ time }) =>
    time === 1 ? { status: 500, body: '{"error":"late"}' } : record('{"score": 1, "reason": "fine"}'),
  );
  const tandem = new Tandem().file("p.csv", prompts(2)).file("suite.yaml", suite(prod.url, judge.url));
  const { out, code } = await tandem.run("run", "suite.yaml", "--no-preflight", "-o", "all.json");
  expect(code).toBe(0);
  expect(out).toContain("Possibly paid twice: 2 requests (to judges)");
  expect(out).not.toContain("without a record");
  expect(JSON.parse(tandem.text("all.json"))).toMatchObject({ possiblyPaidTwice: { cases: 0, judges: 2 } });
});
