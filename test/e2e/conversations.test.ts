import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { type Received, record, startService } from "./service.ts";
import { Tandem } from "./tandem.ts";

const suite = (url: string, mapping: string): string => `
name: talks
dataset: talks.csv
case: ${mapping}
deployments: { prod: { base_url: "${url}", concurrency: 3 } }
targets: { prod: { deployment: prod, endpoint: video-bots, example_id: a } }
repeats: 2
`;

const messagesOf = ({ body }: Received): unknown[] => (JSON.parse(body) as { messages: unknown[] }).messages;

describe("conversations of a suite", () => {
  test("in one cell are sent turn by turn with the replies so far, each repeat by itself", async () => {
    let said = 0;
    const service = await startService(() => record(`reply ${said++}`));
    const tandem = new Tandem()
      .file("suite.yaml", suite(service.url, "{ key: id, turns: script, expected: golden }"))
      .file("talks.csv", `id,script,golden\nhours,"[""कब?"",""और रविवार?"",""شكرا""]",bye\nfees,How much?,5\n`);
    const { code, err } = await tandem.run("run", "suite.yaml");
    expect(code).toBe(0);
    expect(err).toContain("4 rows");
    expect(tandem.query('SELECT key, cluster, turn, expected FROM "case" ORDER BY id')).toEqual([
      { key: "hours/1", cluster: "hours", turn: 1, expected: null },
      { key: "hours/2", cluster: "hours", turn: 2, expected: null },
      { key: "hours/3", cluster: "hours", turn: 3, expected: "bye" },
      { key: "fees/1", cluster: "fees", turn: 1, expected: "5" },
    ]);
    const replies = (repeat: number): unknown[] =>
      tandem
        .query<{ text: string }>(
          "SELECT output ->> '$.output_text[0]' AS text FROM run_records WHERE repeat = ? AND case_key LIKE 'hours%' ORDER BY case_key",
          repeat,
        )
        .map(({ text }) => text);
    const last = service.received.filter(({ prompt }) => prompt === "شكرا").map(messagesOf);
    const expected = [1, 2].map((repeat) => [
      { role: "user", content: "कब?" },
      { role: "assistant", content: replies(repeat)[0] },
      { role: "user", content: "और रविवार?" },
      { role: "assistant", content: replies(repeat)[1] },
    ]);
    expect(last).toEqual(expect.arrayContaining(expected));
    expect(last).toHaveLength(2);
    const [batch] = tandem.query<{ name: string }>("SELECT name FROM batch");
    expect(readFileSync(join(tandem.folder, "results", batch?.name ?? "", "comparison.csv"), "utf8")).toContain(
      "hours/3",
    );
  });

  test("write their history in the shape that the suite gives", async () => {
    const service = await startService(({ prompt }) => record(`re ${prompt}`));
    const shape = `history: { user: { role: user, content: [{ type: text, text: "{{ text }}" }] }, assistant: { role: assistant, content: "{{ text }}", name: bot } }`;
    const tandem = new Tandem()
      .file("suite.yaml", suite(service.url, `{ key: id, turns: script, ${shape} }`))
      .file("talks.csv", `id,script\na,"[""one {{ text }}"",""two""]"\n`);
    expect((await tandem.run("run", "suite.yaml", "--repeats", "1")).code).toBe(0);
    expect(service.received.map(messagesOf)).toEqual([
      [],
      [
        { role: "user", content: [{ type: "text", text: "one {{ text }}" }] },
        { role: "assistant", content: "re one {{ text }}", name: "bot" },
      ],
    ]);
    tandem.file(
      "suite.yaml",
      suite(service.url, "{ key: id, turns: script, history: { user: { role: user }, assistant: {} } }"),
    );
    const refused = await tandem.run("run", "suite.yaml");
    expect(refused.code).toBe(2);
    expect(refused.err).toContain('case.history.user has no "{{ text }}"');
  });

  test("that fail in a turn skip their later turns, and others go on; --failed takes the whole conversation again", async () => {
    let isBroken = true;
    const service = await startService(({ prompt }) =>
      isBroken && prompt === "b2" ? { status: 422, body: '{"detail":[]}' } : record(`re ${prompt}`),
    );
    const tandem = new Tandem()
      .file("suite.yaml", suite(service.url, "{ key: id, turns: script }"))
      .file("talks.csv", `id,script\na,"[""a1"",""a2"",""a3""]"\nb,"[""b1"",""b2"",""b3""]"\n`);
    await tandem.run("run", "suite.yaml", "--repeats", "1");
    const outcomes = (): unknown[] =>
      tandem.query(
        `SELECT key, outcome, job.error FROM job JOIN "case" ON "case".id = case_id WHERE job.batch_id = (SELECT max(id) FROM batch) AND outcome <> 'ok'`,
      );
    expect(outcomes()).toEqual([
      { key: "b/2", outcome: "rejected", error: null },
      { key: "b/3", outcome: "skipped", error: expect.stringContaining("turn") },
    ]);
    isBroken = false;
    expect((await tandem.run("run", "suite.yaml", "--repeats", "1", "--failed")).code).toBe(0);
    expect(outcomes()).toEqual([]);
    expect(service.received.slice(-3).map(({ prompt }) => prompt)).toEqual(["b1", "b2", "b3"]);
  });

  test("with a history of their own in a column send it as it is", async () => {
    const service = await startService(({ prompt }) => record(prompt));
    const tandem = new Tandem()
      .file("suite.yaml", suite(service.url, "{ key: id, input: { input_prompt: q, messages: before } }"))
      .file(
        "talks.csv",
        `id,q,before\na,next,"[{""role"":""user"",""content"":""नमस्ते""},{""role"":""assistant"",""content"":""👋""}]"\nb,alone,\n`,
      );
    expect((await tandem.run("run", "suite.yaml", "--repeats", "1")).code).toBe(0);
    const sent = Object.fromEntries(service.received.map((received) => [received.prompt, messagesOf(received)]));
    expect(sent).toEqual({
      next: [
        { role: "user", content: "नमस्ते" },
        { role: "assistant", content: "👋" },
      ],
      alone: [],
    });
  });

  test("of the help desk are answered in every turn by its embedded deployments", async () => {
    const path = fileURLToPath(new URL("../../datasets/help-desk/conversations.yaml", import.meta.url));
    const tandem = new Tandem().env({});
    const { code } = await tandem.run("run", path, "--tag", "language=sw", "--tag", "language=hi", "--quiet");
    expect(code).toBe(0);
    const counts = tandem.query<{ jobs: number; answered: number; turns: number }>(
      `SELECT count(*) AS jobs, sum(answer = 'answered') AS answered, max(turn) AS turns FROM job JOIN "case" ON "case".id = case_id`,
    );
    expect(counts[0]?.jobs).toBeGreaterThan(20);
    expect(counts[0]?.answered).toBe(counts[0]?.jobs);
    expect(counts[0]?.turns).toBeGreaterThan(2);
  });
});
