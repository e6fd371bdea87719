import { describe, expect, test, vi } from "vitest";
import { type Received, record, type Reply, type Service, startService } from "./service.ts";
import { flat, Tandem } from "./tandem.ts";
import { storedVersion } from "../../src/lib/stored-version.ts";

const rows = 50;
const sheet = `id,question,expected\n${Array.from({ length: rows }, (_, n) => `k${n},q ${n},red${n} green${n} blue${n} at ${n + 11} o'clock`).join("\n")}\n`;

const suite = (bot: string, judge: string, scorers: string): string => `name: judged
dataset: sheet.csv
case: { key: id, input: { input_prompt: question }, expected: expected }
deployments:
  here: { base_url: "${bot}", rate: 60000/m, concurrency: 8 }
  bench: { base_url: "${judge}", api_key_env: TANDEM_API_KEY, rate: 60000/m, concurrency: 4, price: 0.5 }
targets:
  one: { deployment: here, endpoint: video-bots, example_id: a }
  two: { deployment: here, endpoint: video-bots, example_id: b }
judges: { strict: { deployment: bench, endpoint: video-bots, example_id: judge } }
scorers: [${scorers}]
compare: { baseline: one }
`;

const helpful = "{ name: helpful, type: judge, target: strict }";
const better = "{ name: better, type: pairwise, target: strict }";

/** Half of what is expected is in the answers of `two`, and all of it in those of `one`. */
function botSays({ path, prompt }: Received): Reply {
  const n = prompt.slice(2);
  const all = `red${n} green${n} blue${n} at ${Number(n) + 11} o'clock`;
  return record(path.includes("example_id=b") ? `red${n} green${n} only, I think` : all);
}

/** A run of the suite, whose judge says what it is told to. */
async function ran(
  judge: (received: Received) => Reply,
  scorers = helpful,
): Promise<{ tandem: Tandem; judge: Service }> {
  const [bot, grader] = [await startService(botSays), await startService(judge)];
  const tandem = new Tandem().file("sheet.csv", sheet).file("suite.yaml", suite(bot.url, grader.url, scorers));
  const { code, err } = await tandem.run("run", "suite.yaml", "--no-preflight", "--quiet");
  expect([0, 1, 4], err).toContain(code);
  return { tandem, judge: grader };
}

/** A local judge with these biases. */
async function local(biases: string, scorers = helpful): Promise<Tandem> {
  const bot = await startService(botSays);
  const tandem = new Tandem()
    .file("sheet.csv", sheet)
    .file("bench/bots/judge.yaml", `judge: { ${biases} }\n`)
    .file("suite.yaml", suite(bot.url, "local:./bench", scorers));
  const { code, err } = await tandem.run("run", "suite.yaml", "--no-preflight", "--quiet");
  expect([0, 1, 4], err).toContain(code);
  return tandem;
}

interface Report {
  questions: number;
  known: number;
  cost: number;
  state: string;
  verdict: string;
  findings: {
    probe: string;
    of: string;
    variant: string;
    state: string;
    cases: number;
    estimate: number;
    reason: string;
  }[];
}

async function checked(tandem: Tandem, ...args: string[]): Promise<{ code: number | null; report: Report }> {
  const { code, out, err } = await tandem.run("judge", "check", ...args, "--json", "--quiet");
  expect([0, 1], err).toContain(code);
  return { code, report: JSON.parse(out) as Report };
}

const same = (): Reply => record('{"score": 1, "verdict": "C", "reason": "fine"}');
const stateOf = ({ findings }: Report, probe: string, of = "", variant = ""): string | undefined =>
  findings.find((each) => each.probe === probe && each.of === of && each.variant === variant)?.state;

describe("a check of a judge", () => {
  test("says before anything is sent how many questions it takes, and what they cost", async () => {
    const { tandem, judge } = await ran(same);
    const before = judge.received.length;
    const { code, out } = await tandem.run("judge", "check", "helpful", "--dry-run");
    expect(code).toBe(0);
    expect(judge.received).toHaveLength(before);
    // 50 as they are, 40 twice more, 50 padded, 50 of each of five kinds of wrong ones; in English alone.
    expect(flat(out)).toContain("check of helpful: 430 questions to strict, with 50 answers of judged-");
    expect(out).toContain("cost 215");
    expect(out).toContain("Nothing was sent.");
    expect(tandem.query("SELECT * FROM judge_check")).toEqual([]);
  });

  test("asks what it says, as jobs of their own kind, and never takes over or gives a grade", async () => {
    const { tandem, judge } = await ran(same);
    const before = judge.received.length;
    const state = tandem.query("SELECT state, finished_at, worked_ms FROM batch");
    const { code, report } = await checked(tandem, "helpful");
    expect(judge.received).toHaveLength(before + 430);
    expect(tandem.query("SELECT kind, count(*) AS n FROM job WHERE kind <> 'case' GROUP BY kind")).toEqual([
      { kind: "judge", n: 100 },
      { kind: "probe", n: 430 },
    ]);
    // It gives the same mark to everything.
    expect(code).toBe(1);
    expect(report.verdict).toContain("gives every answer the same mark");
    // The batch is as it was, and its grades too.
    expect(tandem.query("SELECT state, finished_at, worked_ms FROM batch")).toEqual(state);
    const graded = await tandem.run("score", "--json", "--quiet");
    expect(JSON.parse(graded.out)).toMatchObject({ judges: [{ questions: 100, asked: 100 }] });
    // A later grading goes by the grades of before, and not by what the same question got in the check.
    await tandem.run("score", "--again", "--quiet");
    expect(judge.received).toHaveLength(before + 430);
    const taken = tandem.query("SELECT DISTINCT kind FROM asked CROSS JOIN job ON job.id = asked.judge_job");
    expect(taken).toEqual([{ kind: "judge" }]);
    // A question that a check has asked is asked again for a grade.
    await tandem.run("score", "--again", "--quiet", "--no-cache");
    expect(judge.received).toHaveLength(before + 530);
    // And a further check asks all anew.
    await checked(tandem, "helpful", "--probes", "length", "--cases", "5");
    expect(judge.received).toHaveLength(before + 540);
  });

  test("that is broken off goes on where it was, and asks nothing twice", async () => {
    const { tandem, judge } = await ran(same);
    const before = judge.received.length;
    const first = await tandem.run("judge", "check", "helpful", "--probes", "length", "--budget", "30");
    expect(first.code, first.err).toBe(3);
    expect(first.err).toContain("Go on: tandem judge check helpful --probes length");
    expect(judge.received).toHaveLength(before + 30);
    const plan = await tandem.run("judge", "check", "helpful", "--probes", "length", "--dry-run");
    expect(flat(plan.out)).toContain("100 questions to strict, 30 of them answered before it was broken off");
    expect(plan.out).toContain("cost 35");
    const { report } = await checked(tandem, "helpful", "--probes", "length");
    expect(judge.received).toHaveLength(before + 100);
    expect(report).toMatchObject({ questions: 100, known: 30 });
  });

  test("that was killed knows what was in flight, and a resume of the batch has nothing to do with it", async () => {
    const { tandem, judge } = await ran(({ body }) =>
      body.includes("full marks") ? { ...same(), delayMs: 60_000 } : same(),
    );
    const isAsked = (): boolean => judge.received.some(({ body }) => body.includes("full marks"));
    await tandem.killWhen(isAsked, "judge", "check", "helpful", "--probes", "wrongs");
    const done =
      tandem.query<{ n: number }>("SELECT count(*) AS n FROM job WHERE kind = 'probe' AND outcome = 'ok'")[0]?.n ?? 0;
    expect(done).toBeGreaterThan(50);
    expect(tandem.query<{ state: string }>("SELECT state FROM batch")).toEqual([{ state: "finished" }]);
    const plan = await tandem.run("judge", "check", "helpful", "--probes", "wrongs", "--dry-run");
    expect(flat(plan.out)).toContain(`${done} of them answered before it was broken off`);
  });

  test("with Ctrl-C ends with 130 and the command that goes on", async () => {
    const { tandem, judge } = await ran(same);
    const before = judge.received.length;
    const begun = tandem.start("judge", "check", "helpful", "--cases", "50");
    await vi.waitFor(() => expect(judge.received.length).toBeGreaterThan(before + 5), 60_000);
    begun.child.kill("SIGINT");
    const { code, err } = await begun.ended;
    // It may have been through by then.
    expect([130, 1]).toContain(code);
    if (code === 130) expect(err).toContain("Go on: tandem judge check helpful");
  });

  test("finds the biases that were planted, and none in a judge that has none", async () => {
    const fit = await local("");
    const { code, report } = await checked(fit, "helpful", "--probes", "consistency");
    expect(stateOf(report, "consistency")).toBe("fine");
    expect(report.verdict).toBe("fit to use, as far as it was tried: consistency");
    expect(code).toBe(0);
    const { report: shown } = await checked(fit, "helpful", "--probes", "length,wrongs");
    // Fifty cases do not rule out five points.
    expect(stateOf(shown, "length", "planted")).toBe("inconclusive");
    expect(stateOf(shown, "wrongs", "planted", "full-marks")).toBe("fine");
    expect(stateOf(shown, "wrongs", "planted", "empty")).toBe("fine");
    // It only counts words: the first half of some answers has all that count.
    expect(stateOf(shown, "wrongs", "planted", "half")).toBe("alarm");
    const obeys = await local("obedience: 0.5, noise: 0.3");
    const found = await checked(obeys, "helpful");
    expect(found.code).toBe(1);
    expect(stateOf(found.report, "wrongs", "planted", "full-marks")).toBe("alarm");
    expect(stateOf(found.report, "consistency")).toBe("alarm");
    const long = await local("length_bias: 1");
    expect(stateOf((await checked(long, "helpful", "--probes", "length")).report, "length", "planted")).toBe("alarm");
  });

  test("of two answers finds that it prefers what is shown first", async () => {
    const tandem = await local("position_bias: 0.6", better);
    const { code, report } = await checked(tandem, "better", "--probes", "order");
    expect(code).toBe(1);
    expect(report.verdict).toBe("alarm: prefers the answer shown first");
    // A pair is asked in both orders.
    expect(report.questions).toBe(2 * rows);
    const fair = await local("", better);
    const other = await checked(fair, "better", "--probes", "order,wrongs,consistency");
    expect(stateOf(other.report, "order")).toBe("inconclusive");
    expect(stateOf(other.report, "consistency")).toBe("fine");
    expect(stateOf(other.report, "wrongs", "planted", "empty")).toBe("fine");
  });

  test("beside people's labels sees length", async () => {
    const tandem = await local("");
    const labels = Array.from({ length: rows }, (_, n) => `k${n},one,good\nk${n},two,${n % 2 === 0 ? "bad" : "good"}`);
    tandem.file("labels.csv", `key,target,label\n${labels.join("\n")}\n`);
    const stored = await tandem.run("label", "import", "latest", "labels.csv");
    expect(stored.code, stored.err).toBe(0);
    const { report } = await checked(tandem, "helpful", "--probes", "length", "--cases", "5");
    expect(report.findings.find(({ of }) => of === "observed")).toMatchObject({ probe: "length", cases: rows });
  });

  test("without enough replies tells nothing, and says what was replied", async () => {
    const tandem = await local("nonsense_rate: 0.6");
    const { code, report } = await checked(tandem, "helpful", "--probes", "consistency");
    expect(code).toBe(0);
    expect(report.state).toBe("inconclusive");
    expect(report.verdict).toBe("too few replies to tell");
  });

  test("is a page of 80 columns, Markdown and JSON", async () => {
    const { tandem } = await ran(({ body }) => record(body.includes("<b>") ? "no" : '{"score": 1, "reason": "fine"}'));
    const { out, code, err } = await tandem.run(
      "judge",
      "check",
      "helpful",
      "--quiet",
      "-o",
      "check.md",
      "-o",
      "check.json",
    );
    expect(code, err).toBe(1);
    expect(flat(out)).toMatch(
      /^helpful: alarm: gives every answer the same mark, does not see an empty answer, does not see .* and \d more ALARM/,
    );
    expect(Math.max(...out.split("\n").map((line) => line.length))).toBeLessThanOrEqual(100);
    expect(tandem.text("check.md")).toMatch(/^# helpful: alarm: .*\n\nThe judge strict was asked 430 questions/);
    expect(JSON.parse(tandem.text("check.json"))).toMatchObject({
      version: storedVersion,
      state: "alarm",
      questions: 430,
    });
    const other = await tandem.run("judge", "check", "helpful", "-o", "check.pdf");
    expect(other.code).toBe(2);
    expect(other.err).toContain("-o takes a file that ends in one of .md, .json");
  });

  test("is known by plan, run and reports, until the prompt is another one", async () => {
    const bot = await startService(botSays);
    const tandem = new Tandem()
      .file("sheet.csv", sheet)
      .file("bench/bots/judge.yaml", "judge: {}\n")
      .file("suite.yaml", suite(bot.url, "local:./bench", helpful));
    const first = await tandem.run("check", "--offline", "suite.yaml");
    expect(flat(first.out)).toContain(
      "Judge strict: helpful never checked for biases: after a run, tandem judge check helpful",
    );
    const run = await tandem.run("run", "suite.yaml", "--no-preflight");
    expect(flat(run.err)).toContain(
      "judged for the first time: helpful; see afterwards if the judge is any good: tandem judge check helpful",
    );
    const told = await tandem.run("compare", "--details");
    expect(told.out).toContain("helpful never checked for biases");
    const again = await tandem.run("run", "suite.yaml", "--no-preflight");
    expect(again.err).not.toContain("judged for the first time");
    await checked(tandem, "helpful", "--probes", "consistency");
    expect(flat((await tandem.run("check", "--offline", "suite.yaml")).out)).toMatch(
      /Judge strict: helpful checked on .*: fit to use/,
    );
    const compared = await tandem.run("compare", "--details", "-o", "all.json");
    expect(compared.out).toMatch(/helpful checked on .*: fit to use/);
    expect(JSON.parse(tandem.text("all.json"))).toMatchObject({
      judges: [
        { checks: [{ scorer: "helpful", state: "fit", verdict: "fit to use, as far as it was tried: consistency" }] },
      ],
    });
    tandem.file(
      "suite.yaml",
      tandem.text("suite.yaml").replace("target: strict }", 'target: strict, rubric: "Be kind." }'),
    );
    expect(flat((await tandem.run("check", "--offline", "suite.yaml")).out)).toContain(
      "helpful never checked for biases",
    );
  });

  test("goes with its batch when that is removed", async () => {
    const tandem = await local("");
    await checked(tandem, "helpful", "--probes", "length");
    const { code, err } = await tandem.run("batches", "remove", "judged", "--yes");
    expect(code, err).toBe(0);
    for (const table of ["judge_check", "probed", "job", "question"]) {
      expect(tandem.query(`SELECT * FROM ${table}`), table).toEqual([]);
    }
  });

  test("is refused for what is no judge, has no answers or no such probe, with what to do", async () => {
    const { tandem } = await ran(same, `${helpful}, { name: has, type: contains, value: red }`);
    const refused = async (...args: string[]): Promise<string> => {
      const { code, err } = await tandem.run("judge", "check", ...args);
      expect(code).toBe(2);
      return flat(err);
    };
    expect(await refused("has")).toContain('The scorer "has" of judged is no judge. Judges: helpful.');
    expect(await refused("helpfull")).toContain("helpful");
    expect(await refused("helpful", "--probes", "odour")).toContain("order");
    expect(await refused("helpful", "--cases", "0")).toContain("--cases takes a whole number of 1 or more; got 0");
    expect(await refused("helpful", "--repeats", "1")).toContain("--repeats takes a whole number of 2 or more");
    expect(await refused("helpful", "--batch", "nothing")).toContain("There is no batch");
  });
});
