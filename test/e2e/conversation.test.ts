import { describe, expect, test } from "vitest";
import { record, type Service, startService } from "./service.ts";
import { Tandem } from "./tandem.ts";

const question = (conversation: number, turn: number): string => `what of ${conversation}.${turn}`;

function dataset(conversations: number, turns: number): string {
  const rows = Array.from({ length: conversations * turns }, (_, at) => {
    const [talk, turn] = [Math.floor(at / turns), (at % turns) + 1];
    return `${talk}.${turn},talk ${talk},${turn},${question(talk, turn)}`;
  });
  return `id,talk,turn,question\n${rows.join("\n")}\n`;
}

const suite = (service: Service): string => `dataset: p.csv
case: { key: id, cluster: talk, turn: turn, input: { input_prompt: question } }
deployments: { prod: { base_url: ${service.url}, api_key_env: TANDEM_API_KEY, concurrency: 5 } }
targets: { prod: { deployment: prod, endpoint: video-bots, example_id: a } }
`;

describe("conversations", () => {
  test("a turn without an answer skips the later ones and says why; other conversations go on", async () => {
    const service = await startService((received) =>
      received.prompt === question(1, 3) ? { status: 422, body: '{"detail":[]}' } : record("heard"),
    );
    const tandem = new Tandem().file("p.csv", dataset(3, 5)).file("suite.yaml", suite(service));
    const { code } = await tandem.run("run", "suite.yaml", "--quiet");
    expect([0, 4]).toContain(code);
    expect(service.received).toHaveLength(13);
    expect(
      tandem.query(`SELECT "case".key, job.outcome, job.error FROM job JOIN "case" ON "case".id = case_id
        WHERE job.outcome <> 'ok' ORDER BY 1`),
    ).toEqual([
      { key: "1.3", outcome: "rejected", error: null },
      { key: "1.4", outcome: "skipped", error: "turn 3 had no answer (rejected)" },
      { key: "1.5", outcome: "skipped", error: "turn 3 had no answer (rejected)" },
    ]);
  });

  test("a bot that answers in another shape than the API's does not end the run", async () => {
    const shapes = ['"a text"', "[null]", "{}", "null", "[[1]]"];
    const service = await startService(({ prompt, body }) => {
      const { messages } = JSON.parse(body) as { messages: { content: unknown }[] };
      const shape = shapes[Number(prompt.split(".")[1]) - 1] ?? "[]";
      expect(messages.every(({ content }) => typeof content === "string")).toBe(true);
      return { body: `\uFEFF{"id":"abcdefabcdef","output":{"output_text":${shape}}}` };
    });
    const tandem = new Tandem().file("p.csv", dataset(2, 6)).file("suite.yaml", suite(service));
    const { err } = await tandem.run("run", "suite.yaml", "--quiet");
    expect(tandem.query("SELECT DISTINCT outcome FROM job"), err).toEqual([{ outcome: "ok" }]);
  });
});
