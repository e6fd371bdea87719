import { describe, expect, test } from "vitest";
import { record, startService } from "./service.ts";
import { Tandem } from "./tandem.ts";

const suite = (url: string): string => `
name: desk
dataset: prompts.csv
case: { key: id, input: { input_prompt: question }, cluster: talk, turn: turn, tags: [language] }
deployments: { prod: { base_url: "${url}" }, test: { base_url: "${url}" } }
targets:
  prod: { deployment: prod, endpoint: video-bots, example_id: a }
  test: { deployment: test, endpoint: video-bots, example_id: b }
`;

/** Six conversations of three turns, the rows of which are mixed, and four single questions. */
function rows(): string[][] {
  const turns = [1, 2, 3].flatMap((turn) =>
    Array.from({ length: 6 }, (_, i) => {
      const language = i % 2 === 0 ? "en" : "hi";
      const question = i === 4 && turn === 2 ? "और रविवार को?" : `question ${i} ${turn}`;
      return [`t${i}-${turn}`, `talk ${i}`, String(turn), language, question];
    }),
  );
  const single = Array.from({ length: 4 }, (_, i) => [`s${i}`, "", "1", "en", `single ${i}`]);
  return [...turns, ...single];
}

const csv = (table: string[][]): string =>
  [["id", "talk", "turn", "language", "question"], ...table].map((cells) => cells.join(",")).join("\n");

async function desk(answer = (prompt: string) => record(`re: ${prompt}`)) {
  const service = await startService(({ prompt }) => answer(prompt));
  const tandem = new Tandem().file("suite.yaml", suite(service.url)).file("prompts.csv", csv(rows()));
  const keys = (): string[] =>
    tandem
      .query<{ key: string }>(
        'SELECT DISTINCT "case".key FROM job JOIN "case" ON "case".id = case_id WHERE job.batch_id = (SELECT max(id) FROM batch) ORDER BY "case".place',
      )
      .map(({ key }) => key);
  /** The keys that were planned, of a run that must end well. */
  const planned = async (...flags: string[]): Promise<string[]> => {
    const { code, err } = await tandem.run("run", "suite.yaml", ...flags);
    expect(err).toContain("jobs");
    expect(code).toBe(0);
    return keys();
  };
  return { service, tandem, planned, keys };
}

const talk = (...numbers: number[]): string[] => [1, 2, 3].flatMap((turn) => numbers.map((i) => `t${i}-${turn}`));

describe("tandem run with a selection", () => {
  test("takes whole conversations, and sends and reports nothing else", async () => {
    const { service, tandem, planned } = await desk();
    expect(await planned("--grep", "रविवार")).toEqual(talk(4));
    expect(service.received).toHaveLength(6);
    expect(await planned("--grep", "/^single [12]$/", "--target", "test")).toEqual(["s1", "s2"]);
    const { out } = await tandem.run("export", "--form", "comparison");
    expect(out.trimEnd().split("\n")).toHaveLength(3);
    expect(
      tandem.query(
        "SELECT selection ->> '$.grep' AS grep, selection ->> '$.targets' AS targets FROM batch ORDER BY id DESC LIMIT 1",
      ),
    ).toEqual([{ grep: "/^single [12]$/", targets: '["test"]' }]);
  });

  test("--failed takes what got no answer, --changed what is new or different", async () => {
    let isDown = true;
    const { tandem, planned } = await desk((prompt) =>
      isDown && /question 3 2|single 0/.test(prompt) ? { status: 422, body: '{"detail":[]}' } : record(prompt),
    );
    await tandem.run("run", "suite.yaml");
    isDown = false;
    expect(await planned("--failed")).toEqual([...talk(3), "s0"]);
    // Now the latest batch has no failure any more; the one before still has.
    expect((await tandem.run("run", "--failed", "suite.yaml")).code).toBe(2);
    expect(await planned("--failed", "desk~1", "--grep", "single")).toEqual(["s0"]);

    const first = "desk~2";
    const table = rows().map(([id = "", ...rest]) =>
      id === "t5-3" ? [id, ...rest.slice(0, -1), "another question"] : [id, ...rest],
    );
    tandem.file("prompts.csv", csv([...table, ["new", "", "1", "en", "new question"]]));
    expect(await planned("--changed", first)).toEqual([...talk(5), "new"]);
    const [batch] = tandem.query<{ changed: string }>(
      "SELECT selection ->> '$.changed' AS changed FROM batch ORDER BY id DESC LIMIT 1",
    );
    expect(batch?.changed).toMatch(/^desk-\d{8}-\d{6}/);
  });

  test("nothing selected is exit 2 with the reason, leaves no batch, and is allowed when asked for", async () => {
    const { service, tandem } = await desk();
    const none = await tandem.run("run", "suite.yaml", "--grep", "nowhere");
    expect(none.code).toBe(2);
    expect(none.err).toContain("no case is left by --grep nowhere");
    expect(tandem.query("SELECT count(*) AS n FROM batch")).toEqual([{ n: 0 }]);
    expect((await tandem.run("run", "suite.yaml", "--grep", "nowhere", "--pass-with-no-jobs")).code).toBe(0);
    expect(service.received).toHaveLength(0);
  });

  test("plan and --dry-run select as run does", async () => {
    const { service, tandem } = await desk();
    const { code, out } = await tandem.run(
      "check",
      "--offline",
      "suite.yaml",
      "--grep",
      "रविवार",
      "--target",
      "prod",
      "--json",
    );
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ cases: 3, jobs: 3 });
    expect(service.received).toHaveLength(0);
  });
});

describe("tandem resume --suite of a selection", () => {
  test("resumes with what was selected", async () => {
    const { service, tandem, keys } = await desk();
    const flags = ["--sample", "4", "--seed", "9", "--target", "test"];
    const stopped = await tandem.run("run", "suite.yaml", ...flags, "--budget", "4");
    expect(stopped.code, stopped.out + stopped.err).toBe(3);
    const before = keys();
    expect((await tandem.run("resume", "--suite", "suite.yaml")).code).toBe(0);
    expect(keys()).toEqual(before);
    expect(tandem.query("SELECT count(*) AS n, sum(outcome = 'ok') AS ok FROM job")).toEqual([
      { n: before.length, ok: before.length },
    ]);
    expect(service.received.every(({ path }) => path.includes("example_id=b"))).toBe(true);
  });
});
