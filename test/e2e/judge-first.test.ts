import { describe, expect, test } from "vitest";
import { type Received, record, type Reply, type Service, startService } from "./service.ts";
import { flat, Tandem } from "./tandem.ts";

const good = (): Reply => record('{"score": 1, "verdict": "C", "reason": "fine"}');

const suite = (bot: string, judge: string, scorers: string): string => `name: judged
dataset: sheet.csv
deployments:
  prod: { base_url: "${bot}", api_key_env: TANDEM_API_KEY }
  bench: { base_url: "${judge}", api_key_env: TANDEM_API_KEY, retries: 0, price: 0.5 }
targets:
  one: { deployment: prod, endpoint: video-bots, example_id: a }
  two: { deployment: prod, endpoint: video-bots, example_id: b }
judges: { strict: { deployment: bench, endpoint: video-bots, example_id: judge } }
scorers: [${scorers}]
`;

const helpful = "{ name: helpful, type: judge, target: strict }";

interface Given {
  bot: Service;
  judge: Service;
  tandem: Tandem;
}

async function given(judge: (received: Received) => Reply, scorers = helpful): Promise<Given> {
  const [bot, grader] = [await startService(({ prompt }) => record(`said ${prompt}`)), await startService(judge)];
  const tandem = new Tandem()
    .file("sheet.csv", "id,question,expected\nq1,first,said first\nq2,second,never\nq3,third,nothing\n")
    .file("suite.yaml", suite(bot.url, grader.url, scorers));
  return { bot, judge: grader, tandem };
}

/** A run that a judge has ended before any bot was asked. */
async function refused({ tandem, bot }: Given, ...args: string[]): Promise<string> {
  const { code, out, err } = await tandem.run(...(args.length > 0 ? args : ["run", "suite.yaml"]));
  expect(code, err).toBe(3);
  expect(bot.received).toHaveLength(0);
  return flat(out);
}

describe("a judge is asked one question before any bot is", () => {
  test("and one that refuses the key ends the run; with another key it goes on", async () => {
    let isRefusing = true;
    const all = await given(() => (isRefusing ? { status: 401, body: '{"detail":"Invalid key"}' } : good()));
    const out = await refused(all);
    expect(out).toContain("No bot was asked: the judge strict did not take its first question.");
    expect(out).toContain("401");
    expect(out).toContain("TANDEM_API_KEY");
    expect(out).toContain("After fixing it, run: tandem resume --suite suite.yaml");
    isRefusing = false;
    const { code, err } = await all.tandem.run("resume", "--suite", "suite.yaml");
    expect([0, 1, 4], err).toContain(code);
    expect(all.bot.received).toHaveLength(6);
  });

  test("and one that is down ends it", async () => {
    const all = await given(good);
    await all.judge.close();
    const out = await refused(all);
    expect(out).toContain("No bot was asked: the judge strict did not");
  });

  test("and one that fails ends it, and is asked again by a resume", async () => {
    let isFailing = true;
    const all = await given(() => (isFailing ? { status: 500, body: '{"detail":"out of order"}' } : good()));
    expect(await refused(all)).toMatch(/No bot was asked: the judge strict did not/);
    isFailing = false;
    const { code, err } = await all.tandem.run("resume");
    expect([0, 1, 4], err).toContain(code);
    expect(all.bot.received).toHaveLength(6);
  });

  test("and one whose reply cannot be read, nor the one after it, ends it with the reply", async () => {
    const all = await given(() => record("I would rather not say"));
    const out = await refused(all);
    expect(out).toContain("No bot was asked: the judge strict replies what cannot be read");
    expect(out).toContain('"I would rather not say"');
    expect(all.judge.received).toHaveLength(2);
    // Nothing has changed: a resume finds the same.
    await refused(all, "resume");
    expect(all.judge.received).toHaveLength(4);
    const { code } = await all.tandem.run("resume", "--no-preflight");
    expect(code).not.toBe(3);
    expect(all.bot.received).toHaveLength(6);
  });

  test("once: the reply counts where a bot answers the same, it is not asked by a resume, and its cost is told", async () => {
    const all = await given(good);
    const { code, err } = await all.tandem.run("run", "suite.yaml", "--no-cache", "-o", "all.json");
    expect([0, 1, 4], err).toContain(code);
    // Two bots, three cases, the same answers: three questions, of which the first was asked before.
    expect(all.judge.received).toHaveLength(3);
    expect(JSON.parse(all.tandem.text("all.json"))).toMatchObject({ judges: [{ questions: 3, asked: 3, cost: 1.5 }] });
    await all.tandem.run("resume");
    expect(all.judge.received).toHaveLength(3);
  });

  test("about what is expected; a question that no answer led to counts and costs like the others", async () => {
    const all = await given(good);
    all.tandem.file("sheet.csv", "id,question,expected\nq1,first,the library opens\n");
    const { code, err } = await all.tandem.run("run", "suite.yaml", "-o", "all.json");
    expect([0, 1, 4], err).toContain(code);
    expect(all.judge.received[0]?.body).toContain("the library opens");
    expect(JSON.parse(all.tandem.text("all.json"))).toMatchObject({ judges: [{ questions: 2, asked: 2, cost: 1 }] });
    // A reply of before does not show that the judge is still there: the first question is asked, and no other.
    await all.tandem.run("run", "suite.yaml");
    expect(all.judge.received).toHaveLength(3);
    await all.judge.close();
    const asked = all.bot.received.length;
    const away = await all.tandem.run("run", "suite.yaml");
    expect(away.code, away.err).toBe(3);
    expect(flat(away.out)).toContain("No bot was asked: the judge strict did not");
    expect(all.bot.received).toHaveLength(asked);
  });

  test("of two answers in one order alone, and none without a preflight", async () => {
    const all = await given(good, "{ name: better, type: pairwise, target: strict }");
    const { code, err } = await all.tandem.run("run", "suite.yaml");
    expect([0, 1, 4], err).toContain(code);
    // The bots answer alike, which asks nothing more.
    expect(all.judge.received).toHaveLength(1);
    await all.tandem.run("run", "suite.yaml", "--no-preflight", "--no-cache");
    expect(all.judge.received).toHaveLength(1);
  });
});
