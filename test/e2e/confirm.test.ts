import { describe, expect, test } from "vitest";
import { record, type Service, startService } from "./service.ts";
import { flat, Tandem } from "./tandem.ts";

const cases = 60;

/** A bot that is wrong in the cases below `bad`: at the first request of each, or at every one. */
const bot = (bad: number, always: boolean): Promise<Service> =>
  startService(({ prompt, time }) => {
    const isBad = Number(prompt.slice(2)) < bad && (always || time === 1);
    return record(isBad ? "wrong" : "right");
  });

const sheet = [
  "id,question,golden,kind",
  ...Array.from({ length: cases }, (_, i) => `k${i},q ${i},right,${i % 2 === 0 ? "even" : "odd"}`),
].join("\n");

const suite = (prod: Service, candidate: Service, more = ""): string => `name: desk
dataset: sheet.csv
case: { key: id, input: { input_prompt: question }, expected: golden, tags: [kind] }
deployments:
  prod: { base_url: "${prod.url}", api_key_env: TANDEM_API_KEY, retries: 0 }
  test: { base_url: "${candidate.url}", api_key_env: TANDEM_API_KEY, retries: 0 }
targets:
  prod: { deployment: prod, endpoint: video-bots, example_id: a }
  test: { deployment: test, endpoint: video-bots, example_id: a }
scorers: [{ name: correct, type: contains }]
compare: { baseline: prod, confirm: rerun }
${more === "" ? "gates: [{ metric: correct, margin: 0.05 }]" : more}
`;

interface Reported {
  verdict: { state: string; sentence: string; details: string[] };
  confirmation?: {
    unfinished: string | null;
    gates: { name: string; state: string; first: { worse: number }; second: { worse: number } | null }[];
  };
}

const reportOf = (tandem: Tandem): Reported => {
  const [batch] = tandem.query<{ name: string }>("SELECT name FROM batch ORDER BY id DESC LIMIT 1");
  const reported: Reported = JSON.parse(tandem.text(`results/${batch?.name}/report.json`));
  return reported;
};

describe("confirm: rerun", () => {
  test("takes back a regression that is none when its cases are asked again", async () => {
    const [prod, other] = [await bot(0, true), await bot(9, false)];
    const tandem = new Tandem().file("sheet.csv", sheet).file("suite.yaml", suite(prod, other));
    const { code, out, err } = await tandem.run("run", "suite.yaml", "--events", "events.jsonl");
    expect(tandem.text("events.jsonl")).toMatch(/"type":"asked-again","batch":"desk-\S+","cases":60,"jobs":120/);
    expect(err).toContain(
      "A regression of correct: to confirm it, 60 rows are asked once more on both sides = 120 more jobs",
    );
    expect(code).toBe(0);
    expect(flat(out)).toContain("at first correct was worse; asked once more it is not");
    expect([prod.received.length, other.received.length]).toEqual([2 * cases, 2 * cases]);
    const { verdict, confirmation } = reportOf(tandem);
    expect(verdict.state).toBe("inconclusive");
    expect(confirmation).toMatchObject({
      unfinished: null,
      gates: [{ name: "correct", state: "inconclusive", first: { worse: 9 }, second: { worse: 0 } }],
    });
    // From what is stored alone, the same comes out again.
    const { code: again, out: reported } = await tandem.run("compare", "latest");
    expect(again).toBe(0);
    expect(flat(reported)).toContain("at first correct was worse; asked once more it is not");
    expect(tandem.query("SELECT jobs, planned FROM second_look")).toEqual([{ jobs: 120, planned: 120 }]);
  });

  test("confirms a real one, for the cases of a gate by a tag alone, and --no-confirm asks nobody", async () => {
    const [prod, other] = [await bot(0, true), await bot(30, true)];
    const gates = "gates: [{ metric: correct, margin: 0.1, by: kind }]";
    const tandem = new Tandem().file("sheet.csv", sheet).file("suite.yaml", suite(prod, other, gates));
    const { code, out } = await tandem.run("run", "suite.yaml");
    expect(code).toBe(1);
    expect(flat(out)).toContain("the regression was asked once more, and is confirmed");
    expect(reportOf(tandem).confirmation?.gates[0]).toMatchObject({
      name: "correct, kind even",
      first: { cases: 30, worse: 15 },
    });
    expect(other.received.length).toBe(2 * cases);
    expect((await tandem.run("run", "suite.yaml", "--no-confirm")).code).toBe(1);
    expect(other.received.length).toBe(3 * cases);
    expect(reportOf(tandem).confirmation).toBeUndefined();
  });

  test("asks only the candidate where a pin is the baseline", async () => {
    const [prod, other] = [await bot(0, true), await bot(0, true)];
    const tandem = new Tandem().file("sheet.csv", sheet).file("suite.yaml", suite(prod, other));
    await tandem.run("run", "suite.yaml", "--target", "prod");
    await tandem.run("pin", "latest", "--as", "base");
    const worse = await bot(30, true);
    tandem.file("suite.yaml", suite(prod, worse));
    const { code, err } = await tandem.run("run", "suite.yaml", "--target", "test", "--against", "base:prod");
    expect(code).toBe(1);
    expect(err).toContain("60 rows are asked once more of test (base:prod stays as it is) = 60 more jobs");
    expect([prod.received.length, worse.received.length]).toEqual([cases, 2 * cases]);
  });

  test("a gate on losses counts the cases that are lost in all runs of both looks", async () => {
    const [prod, other] = [await bot(0, true), await bot(3, false)];
    const tandem = new Tandem()
      .file("sheet.csv", sheet)
      .file("suite.yaml", suite(prod, other, "gates: [{ metric: correct, losses: 0 }]"));
    const { code, out } = await tandem.run("run", "suite.yaml");
    expect(code).toBe(0);
    expect(flat(out)).toContain("at first correct (losses) was worse; asked once more it is not");
  });

  test("a limit that is reached leaves the first look, says so, and a resume confirms", async () => {
    const [prod, other] = [await bot(0, true), await bot(30, true)];
    const tandem = new Tandem().file("sheet.csv", sheet).file("suite.yaml", suite(prod, other));
    const { code, out } = await tandem.run("run", "suite.yaml", "--budget", "150");
    expect(code).toBe(1);
    expect(flat(out)).toContain("not confirmed: 90 of 120 further runs were not made");
    expect(prod.received.length + other.received.length).toBe(150);
    expect(reportOf(tandem).confirmation).toMatchObject({ gates: [{ first: { worse: 30 }, second: null }] });
    const resumed = await tandem.run("resume");
    expect(resumed.code).toBe(1);
    expect(flat(resumed.out)).toContain("the regression was asked once more, and is confirmed");
    expect([prod.received.length, other.received.length]).toEqual([2 * cases, 2 * cases]);
  });

  test("asks whole conversations again, each turn with the replies of its own look", async () => {
    let replies = 0;
    const service = await startService(({ body }) => {
      const isTest = body.includes("candidate");
      return record(`${isTest ? "wrong" : "right"} #${replies++};`);
    });
    const turns = Array.from({ length: 24 }, (_, talk) =>
      [1, 2].map((turn) => `t${talk}.${turn},t${talk},${turn},q ${talk}.${turn},right`),
    );
    const tandem = new Tandem().file("talks.csv", ["id,talk,turn,question,golden", ...turns.flat()].join("\n")).file(
      "suite.yaml",
      `name: talks
dataset: talks.csv
case: { key: id, input: { input_prompt: question }, expected: golden, cluster: talk, turn: turn }
deployments: { here: { base_url: "${service.url}", api_key_env: TANDEM_API_KEY, retries: 0 } }
targets:
  prod: { deployment: here, endpoint: video-bots, example_id: a }
  test: { deployment: here, endpoint: video-bots, example_id: a, body: { variables: { who: candidate } } }
scorers: [{ name: correct, type: contains }]
compare: { baseline: prod, confirm: rerun }
`,
    );
    const { code, out } = await tandem.run("run", "suite.yaml");
    expect(code).toBe(1);
    expect(flat(out)).toContain("the regression was asked once more, and is confirmed");
    expect(service.received).toHaveLength(4 * 48);
    const jobs = tandem.query<{
      target: number;
      talk: string;
      turn: number;
      repeat: number;
      said: string;
      asked: number;
    }>(
      `SELECT job.target_id AS target, "case".cluster AS talk, "case".turn, job.repeat, output ->> '$.output_text[0]' AS said, job.id AS asked
       FROM job JOIN "case" ON "case".id = job.case_id JOIN run_records ON run_records.job_id = job.id`,
    );
    const seconds = jobs.filter(({ turn }) => turn === 2);
    for (const { target, talk, repeat } of seconds) {
      const first = jobs.find(
        (job) => job.turn === 1 && job.target === target && job.talk === talk && job.repeat === repeat,
      );
      const prompt = talk.slice(1);
      const bodies = service.received.filter(
        ({ body }) => body.includes(`q ${prompt}.2`) && body.includes(first?.said ?? "?"),
      );
      expect(bodies).toHaveLength(1);
    }
  });

  test("has the answers of the second look judged too, each question once", async () => {
    const judge = await startService(({ body }) =>
      record(`{"score": ${body.includes("wrong") ? 0 : 1}, "reason": "so"}`),
    );
    const [prod, other] = [await bot(0, true), await bot(30, true)];
    const text = suite(prod, other)
      .replace("{ name: correct, type: contains }", "{ name: correct, type: judge, target: strict }")
      .replace("targets:", "judges: { strict: { deployment: bench, endpoint: video-bots, example_id: j } }\ntargets:")
      .replace("deployments:", `deployments:\n  bench: { base_url: "${judge.url}", api_key_env: TANDEM_API_KEY }`);
    const tandem = new Tandem().file("sheet.csv", sheet).file("suite.yaml", text);
    const { code, out, err } = await tandem.run("run", "suite.yaml", "--no-cache");
    expect(err).toContain("= 120 more jobs");
    expect(code).toBe(1);
    expect(flat(out)).toContain("the regression was asked once more, and is confirmed");
    // The same answer to the same question is judged once: 60 right ones, and 30 wrong ones.
    expect(judge.received).toHaveLength(90);
    expect(tandem.query("SELECT state FROM batch")).toEqual([{ state: "finished" }]);
    expect(tandem.query("SELECT count(*) AS n FROM score WHERE scoring_id = (SELECT max(id) FROM scoring)")).toEqual([
      { n: 4 * cases },
    ]);
    const { code: shown, out: batches } = await tandem.run("batches", "show", "latest", "--json");
    expect(shown).toBe(0);
    expect(JSON.parse(batches)).toMatchObject({ state: "finished" });
  });

  test("plan says what it takes at most", async () => {
    const [prod, other] = [await bot(0, true), await bot(0, true)];
    const tandem = new Tandem().file("sheet.csv", sheet).file("suite.yaml", suite(prod, other));
    const { out } = await tandem.run("check", "--offline", "suite.yaml");
    expect(flat(out)).toContain(
      "If a gate finds a regression, its cases are asked once more: at most 120 further jobs.",
    );
  });
});
