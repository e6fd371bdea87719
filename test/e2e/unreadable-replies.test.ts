import { describe, expect, test } from "vitest";
import { type Reply, startService } from "./service.ts";
import { prompts, runAt, Tandem } from "./tandem.ts";

const lines = (...values: unknown[]): string => `${values.map((value) => JSON.stringify(value)).join("\n")}\n`;
const reply = (type: string, body: string): Reply => ({ headers: { "content-type": type }, body });

describe("a whole reply that cannot be read stops at the first case", () => {
  test.each<[string, Reply]>([
    [
      "JSON texts, one a line",
      reply("application/x-ndjson", lines({ response: "a", done: false }, { response: "b", done: true })),
    ],
    ["a dictionary of Python", reply("application/json", "{'output': {'output_text': ['yes']}}")],
    ["JSON with NaN", reply("application/json", '{"output": {"score": NaN}}')],
    ["JSON with a comma too many", reply("application/json", '{"output": {"output_text": ["yes"],}}')],
    ["JSON and a signature behind it", reply("application/json", '{"output":{"output_text":["yes"]}}\n--sig 12')],
  ])("%s", async (_, answer) => {
    const service = await startService(() => answer);
    const tandem = new Tandem().file("p.csv", prompts(64));
    const { code, err } = await tandem.run(...runAt({ prod: service }));
    expect(code, err).toBe(3);
    expect(service.received).toHaveLength(1);
    expect(err).toContain("this is not the API");
    expect(tandem.query("SELECT count(*) AS n FROM job WHERE outcome IS NOT NULL")).toEqual([{ n: 0 }]);
  });

  test.each<[string, Reply]>([
    ["JSON that ends in a text", reply("application/json", '{"id":"a","output":{"output_text":["ye')],
    ["JSON that ends behind a bracket", reply("application/json", '{"id":"a","output":{"output_text":["yes"]')],
    ["nothing", reply("application/json", "")],
  ])("but one that is cut is tried again: %s", async (_, cut) => {
    const service = await startService(({ time }) =>
      time === 1
        ? cut
        : reply("application/json", JSON.stringify({ id: "abcdefabcdef", output: { output_text: ["yes"] } })),
    );
    const tandem = new Tandem().file("p.csv", prompts(1));
    const { code, err } = await tandem.run(...runAt({ prod: service }, "--no-preflight"));
    expect(code, err).toBe(0);
    expect(service.received).toHaveLength(2);
  });
});

describe("a chat that answers in lines nobody asked for is read", () => {
  const chunk = (content: string, finish: string | null = null): unknown => ({
    choices: [{ index: 0, delta: { content }, finish_reason: finish }],
  });
  const suite = (url: string, endpoint: string): string => `dataset: p.csv
deployments: { prod: { base_url: "${url}" } }
targets: { prod: { deployment: prod, ${endpoint} } }
`;
  const chat = "endpoint: chat-completions, model: m";
  const described = 'endpoint: { path: /chat, body: { q: "{{ input_prompt }}" }, answer: $.message.content }';

  test.each([
    ["chunks of a chat", chat, lines(chunk("He"), chunk("llo"), chunk("", "stop"))],
    ["chunks without a last line", chat, lines(chunk("Hel"), chunk("lo", "stop")).trimEnd()],
    [
      "chunks of Ollama",
      chat,
      lines({ message: { content: "Hel" }, done: false }, { message: { content: "lo" }, done: true }),
    ],
    [
      "an endpoint of a suite",
      described,
      lines({ message: { content: "Hel" }, done: false }, { message: { content: "lo" }, done: true }),
    ],
  ])("%s", async (_, endpoint, body) => {
    const service = await startService(() => reply("application/x-ndjson", body));
    const tandem = new Tandem().file("p.csv", prompts(6)).file("suite.yaml", suite(service.url, endpoint));
    const { code, err } = await tandem.run("run", "suite.yaml");
    expect(code, err).toBe(0);
    expect(service.received).toHaveLength(6);
    expect((await tandem.run("export")).out).toContain("Hello");
  });

  test("and one that breaks off is tried again", async () => {
    const service = await startService(({ time }) =>
      reply(
        "application/x-ndjson",
        time === 1 ? `${lines(chunk("He"))}{"choices":[{"del` : lines(chunk("Hello"), chunk("", "stop")),
      ),
    );
    const tandem = new Tandem().file("p.csv", prompts(2)).file("suite.yaml", suite(service.url, chat));
    const { code, err } = await tandem.run("run", "suite.yaml", "--no-preflight");
    expect(code, err).toBe(0);
    expect(service.received).toHaveLength(4);
  });
});
