import { describe, expect, test } from "vitest";
import { hash32 } from "../../src/lib/random.ts";
import { record, type Service, startService } from "./service.ts";
import { Tandem } from "./tandem.ts";

/** A bot that gets this share of the questions wrong, always the same ones. */
function bot(wrong: number): Promise<Service> {
  return startService(({ prompt }) => {
    const number = /\d+/.exec(prompt)?.[0] ?? "";
    return record(hash32(`wrong ${number}`) % 100 < wrong ? "no idea" : `it is right${number}`);
  });
}

const rows = (count: number): string =>
  `id,question,golden_answer\n${Array.from({ length: count }, (_, i) => `k${i},question ${i},right${i}`).join("\n")}\n`;

const suite = (prod: Service, test: Service, more = ""): string => `name: nightly
dataset: p.csv
case: { key: id, input: { input_prompt: question }, expected: golden_answer }
deployments:
  prod: { base_url: "${prod.url}", concurrency: 4, price: 0.01 }
  test: { base_url: "${test.url}", concurrency: 4, price: 0.01 }
targets:
  prod: { deployment: prod, endpoint: video-bots, example_id: a }
  test: { deployment: test, endpoint: video-bots, example_id: a }
scorers: [{ name: correct, type: contains, primary: true }]
compare: { stop_when: decided }
${more}`;

async function nightly(cases: number, { lost, more = "" }: { lost: number; more?: string }) {
  const [prod, test] = [await bot(0), await bot(lost)];
  const tandem = new Tandem().file("p.csv", rows(cases)).file("suite.yaml", suite(prod, test, more));
  return { tandem, prod, test };
}

describe("a run that stops when it is decided", () => {
  test("sends no more than it takes to find a bot that lost 20 points, and says what was spared", async () => {
    const { tandem, prod, test } = await nightly(400, { lost: 20 });
    const { code, out, err } = await tandem.run("run", "suite.yaml", "--seed", "1");
    console.log(out, err, prod.received.length, test.received.length);
    expect(code).toBe(1);
    expect(prod.received.length + test.received.length).toBeLessThan(300);
  });
});
