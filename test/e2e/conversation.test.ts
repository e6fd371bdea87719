import { describe, expect, test } from "vitest";
import { hash32 } from "../../src/lib/random.ts";
import { type Received, record, type Reply, type Service, startService } from "./service.ts";
import { Tandem } from "./tandem.ts";

interface Message {
  role: string;
  content: string;
}

const opening: Message[] = [{ role: "system", content: "Réponds en français 🙂" }];
const questions = ["नमस्ते", "ما هذا؟", "ምን ነው?", "e\u0301clair"];
const question = (conversation: number, turn: number): string => `${questions[turn % 4]} ${conversation}.${turn}`;

/** A reply that depends on everything that was said before. */
const reply = (prompt: string, history: readonly Message[]): string =>
  `${history.length} ${hash32(JSON.stringify(history.map(({ role, content }) => [role, content])))} ${prompt}`;

function echo({ body, prompt }: Received): Reply {
  const { messages } = JSON.parse(body) as { messages: Message[] };
  return { ...record(reply(prompt, messages)), delayMs: 3 };
}

function dataset(conversations: number, turns: number): string {
  const rows = Array.from({ length: conversations }, (_, c) =>
    Array.from({ length: turns }, (_row, t) => {
      const history = t === 0 && c === 0 ? JSON.stringify(opening).replaceAll('"', '""') : "";
      return `${c}.${t + 1},talk ${c},${t + 1},"${history}",${question(c, t + 1)}`;
    }),
  );
  // The order of the rows says nothing: the turns do.
  return `id,talk,turn,history,question\n${rows.flat().toReversed().join("\n")}\n`;
}

function suite(service: Service, repeats: number): string {
  return `dataset: p.csv
case: { key: id, cluster: talk, turn: turn, opening: history, input: { input_prompt: question } }
deployments: { prod: { base_url: ${service.url}, api_key_env: TANDEM_API_KEY, concurrency: 5 } }
targets: { prod: { deployment: prod, endpoint: video-bots, example_id: a } }
repeats: ${repeats}
`;
}

describe("conversations", () => {
  test("of ten turns, killed and resumed in the middle, end with the transcript that they would have had", async () => {
    const service = await startService(echo);
    const [conversations, turns] = [4, 10];
    const tandem = new Tandem().file("p.csv", dataset(conversations, turns)).file("suite.yaml", suite(service, 2));
    for (const [command, after] of [
      [["run", "suite.yaml", "--quiet"], 25],
      [["resume", "--quiet"], 55],
    ] as const) {
      await tandem.killWhen(() => service.received.length >= after, ...command);
    }
    const { code, err } = await tandem.run("resume", "--quiet");
    expect(code, err).toBe(0);
    const said = tandem.query<{ key: string; repeat: number; text: string }>(
      "SELECT case_key AS key, repeat, output ->> '$.output_text[0]' AS text FROM run_records",
    );
    expect(said).toHaveLength(conversations * turns * 2);
    const texts = new Map(said.map(({ key, repeat, text }) => [`${key} ${repeat}`, text]));
    for (let c = 0; c < conversations; c++) {
      const history = c === 0 ? [...opening] : [];
      for (let turn = 1; turn <= turns; turn++) {
        const prompt = question(c, turn);
        const expected = reply(prompt, history);
        for (const repeat of [1, 2]) expect(texts.get(`${c}.${turn} ${repeat}`)).toBe(expected);
        history.push({ role: "user", content: prompt }, { role: "assistant", content: expected });
      }
    }
    // Nothing but what was in flight at the two kills was sent twice.
    expect(service.received.length - said.length).toBeLessThanOrEqual(10);
  });

  test("a turn without an answer skips the later ones and says why; other conversations go on", async () => {
    const service = await startService((received) =>
      received.prompt === question(1, 3) ? { status: 422, body: '{"detail":[]}' } : echo(received),
    );
    const tandem = new Tandem().file("p.csv", dataset(3, 5)).file("suite.yaml", suite(service, 1));
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
      const { messages } = JSON.parse(body) as { messages: Message[] };
      const shape = shapes[Number(prompt.split(".")[1]) - 1] ?? "[]";
      expect(messages.every(({ content }) => typeof content === "string")).toBe(true);
      return { body: `\uFEFF{"id":"abcdefabcdef","output":{"output_text":${shape}}}` };
    });
    const tandem = new Tandem().file("p.csv", dataset(2, 6)).file("suite.yaml", suite(service, 1));
    const { err } = await tandem.run("run", "suite.yaml", "--quiet");
    expect(tandem.query("SELECT DISTINCT outcome FROM job"), err).toEqual([{ outcome: "ok" }]);
  });
});
