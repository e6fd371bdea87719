import { describe, expect, test } from "vitest";
import { hash32 } from "../../src/lib/random.ts";
import { record, type Service, startService } from "./service.ts";
import { flat, Tandem } from "./tandem.ts";

/** A service with a bot for each example_id, which gets this share of the questions wrong, always the same ones. */
function service(wrong: Record<string, number>, delayMs: number): Promise<Service> {
  return startService(({ prompt, path }) => {
    const bot = new URL(path, "http://service").searchParams.get("example_id") ?? "";
    const number = /\d+/.exec(prompt)?.[0] ?? "";
    // Bots that are equal fail other questions.
    const isWrong = hash32(`${bot} ${number}`) % 100 < (wrong[bot] ?? 0);
    return { ...record(isWrong ? "no idea" : `it is right${number}`), delayMs };
  });
}

const rows = (count: number): string =>
  `id,question,golden_answer\n${Array.from({ length: count }, (_, i) => `k${i},question ${i},right${i}`).join("\n")}\n`;

interface Given {
  cases?: number;
  compare?: string;
  delayMs?: number;
  scorers?: string;
  more?: string;
  price?: string;
}

async function racing(wrong: Record<string, number>, given: Given = {}) {
  const { cases = 300, compare = "{ choose: best, race: close }", delayMs = 2, more = "" } = given;
  const { scorers = "{ name: correct, type: contains }", price = ", price: 0.01" } = given;
  const bots = await service(wrong, delayMs);
  const targets = Object.keys(wrong).map(
    (name) => `${name}: { deployment: all, endpoint: video-bots, example_id: ${name} }`,
  );
  const tandem = new Tandem().file("p.csv", rows(cases)).file(
    "suite.yaml",
    `name: nightly
dataset: p.csv
case: { key: id, input: { input_prompt: question }, expected: golden_answer }
deployments: { all: { base_url: "${bots.url}", concurrency: 6${price} } }
targets: { ${targets.join(", ")} }
scorers: [${scorers}]
compare: ${compare}
${more}
`,
  );
  const asked = (bot: string): number => bots.received.filter(({ path }) => path.includes(`example_id=${bot}`)).length;
  return { tandem, bots, asked, sent: () => bots.received.length };
}

interface Race {
  for: string;
  ended: string | null;
  closeEnough: string | null;
  after: number | null;
  of: number;
  dropped: { target: string; after: number }[];
  spared: number;
  saved: number | null;
}

interface Reported {
  batch: string;
  verdict: { state: string; word: string; sentence: string; details: string[] };
  choice: {
    named: string | null;
    set: string[];
    race: Race;
    cases: number;
    intervals: { target: string; mean: number; lower: number | null; upper: number | null }[];
  };
}

const all = ["-o", "all.json", "-o", "all.md"];

async function raced(tandem: Tandem, ...args: string[]) {
  const { code, out, err } = await tandem.run(...args, ...all);
  expect([0, 1, 3, 4], err).toContain(code);
  const report: Reported = JSON.parse(tandem.text("all.json"));
  return { code, out: flat(out), err: flat(err), markdown: tandem.text("all.md"), report };
}

const field = { a: 3, b: 40, c: 60, d: 5 };

describe("a race", () => {
  test("asks no more of what is behind beyond doubt, ends with one that is close enough, and tells what was spared", async () => {
    const { tandem, asked, sent } = await racing(field);
    const { code, out, err, markdown, report } = await raced(tandem, "run", "suite.yaml", "--seed", "1");
    const { race, intervals, set } = report.choice;
    expect(code).toBe(0);
    expect(race).toMatchObject({ for: "close", ended: "close-enough", of: 300 });
    expect(race.dropped.map(({ target }) => target)).toEqual(["c", "b"]);
    expect(set).toEqual(["a", "d"]);
    expect(["a", "d"]).toContain(race.closeEnough);
    // What a bot was asked is the cases before its drop, and what was in flight by then.
    for (const { target, after } of race.dropped) {
      expect(asked(target)).toBeGreaterThanOrEqual(after);
      expect(asked(target)).toBeLessThan(after + 30);
    }
    expect(sent()).toBe(1200 - race.spared);
    expect(tandem.query("SELECT count(*) AS n FROM job WHERE outcome = 'spared'")).toEqual([{ n: race.spared }]);
    expect(race.saved).toBeCloseTo(race.spared / 100, 6);
    for (const { target, lower, upper } of intervals) {
      if (set.includes(target)) expect([lower, upper]).toEqual([expect.any(Number), expect.any(Number)]);
      else expect([lower, upper]).toEqual([null, null]);
    }
    expect(report.verdict.word).toBe("close-enough");
    expect(out).toContain(`CLOSE ENOUGH ${race.closeEnough} is close enough to the best of 4 on \`correct\``);
    expect(out).toContain(`${race.spared} requests were not sent`.replace(/(\d)(\d{3}) /, "$1,$2 "));
    expect(out).toContain("--rest` sends them");
    expect(err).toContain("A race: it ends once one is surely less than 5 points behind");
    expect(markdown).toContain(`${race.dropped[0]?.after} of 300`);
  });

  test("is planned as the most that it sends, and the price of single targets leaves no empty brackets", async () => {
    const { tandem, sent } = await racing(field, { price: "" });
    const planned = await tandem.run("check", "--offline", "suite.yaml");
    expect(planned.code).toBe(0);
    expect(planned.out).toContain("300 rows, 1,200 jobs");
    expect(planned.out).toContain(
      "A race sends at most this: a target that is behind beyond doubt is not asked any more.",
    );
    const own = tandem.text("suite.yaml").replaceAll(/example_id: (\w+) \}/g, "example_id: $1, price: 0.5 }");
    expect((await tandem.file("own.yaml", own).run("check", "--offline", "own.yaml")).out).toContain(
      "Costs 600 without retries.",
    );
    expect(sent()).toBe(0);
  });

  test("names the one that is left where it is run for the best", async () => {
    const { tandem, sent } = await racing({ a: 2, b: 30, c: 50 }, { compare: "{ choose: best, race: best }" });
    const { code, out, report } = await raced(tandem, "run", "suite.yaml");
    expect(code).toBe(0);
    expect(report.choice).toMatchObject({ named: "a", set: ["a"], race: { for: "best", ended: "one-left" } });
    expect(out).toContain("BEST take a: it is the best of 3 on `correct`");
    expect(sent()).toBe(900 - report.choice.race.spared);
  });

  test("a budget cuts it off, and the resume goes on with the same order", async () => {
    const { tandem, sent } = await racing(field);
    const whole = await raced(tandem, "run", "suite.yaml", "--seed", "7");
    const requests = sent();
    const cut = await raced(tandem, "run", "suite.yaml", "--seed", "7", "--budget", "90");
    expect([cut.code, cut.report.choice.race.ended]).toEqual([3, null]);
    expect(cut.out).toContain("The race was interrupted after");
    const { report } = await raced(tandem, "resume");
    expect(report.choice.race).toMatchObject({
      ...whole.report.choice.race,
      spared: expect.any(Number),
      saved: expect.any(Number),
    });
    expect(sent() - requests).toBe(1200 - report.choice.race.spared);
  });

  test("sends the rest when it is asked to; what was dropped stays so, and it is still decided by betting", async () => {
    const { tandem, asked } = await racing(field, { cases: 200 });
    const first = await raced(tandem, "run", "suite.yaml", "--seed", "1");
    const { code, out, report } = await raced(tandem, "resume", "--rest");
    expect(code).toBe(0);
    expect(Object.keys(field).map(asked)).toEqual([200, 200, 200, 200]);
    const { race, intervals } = report.choice;
    expect(race.spared).toBe(0);
    expect(race.dropped.slice(0, 2)).toEqual(first.report.choice.race.dropped);
    expect(race.after).toBe(first.report.choice.race.after);
    // All were asked the same cases now.
    expect(intervals.find(({ target }) => target === "c")?.lower).toBeLessThan(-0.3);
    expect(out).toContain("asked no more: c and b.");
  });

  test("a suite that chooses races by a flag, and does not where it is told so", async () => {
    const { tandem, sent } = await racing({ a: 2, b: 70 }, { compare: "{ choose: best }", cases: 150 });
    const { report } = await raced(tandem, "run", "suite.yaml", "--race");
    expect(report.choice.race.for).toBe("close");
    expect(sent()).toBeLessThan(300);
    const before = sent();
    const plain = await raced(tandem, "run", "suite.yaml", "--no-race");
    expect(plain.report.choice.race).toBeUndefined();
    expect(sent() - before).toBe(300);
  });

  test("conversations enter as a whole, and several runs of a case together", async () => {
    const { tandem, sent } = await racing(
      { a: 1, b: 80 },
      { more: "repeats: 2", cases: 240, compare: "{ choose: best, race: best }" },
    );
    const text = tandem.text("suite.yaml").replace("expected: golden_answer", "expected: golden_answer, cluster: talk");
    const talks = rows(240)
      .trim()
      .split("\n")
      .map((line, at) => `${line},${at === 0 ? "talk" : `t${at % 80}`}`);
    tandem.file("suite.yaml", text).file("p.csv", `${talks.join("\n")}\n`);
    const { report } = await raced(tandem, "run", "suite.yaml");
    expect(report.choice).toMatchObject({ named: "a", race: { ended: "one-left" } });
    expect((report.choice.race.after ?? 1) % 3).toBe(0);
    expect(sent()).toBe(960 - report.choice.race.spared);
  });

  test("a judge is asked in rounds, and what a race left out it is not asked of", async () => {
    const judge = await startService(({ body }) =>
      record(`{"score": ${body.includes("no idea") ? 0 : 1}, "reason": "fine"}`),
    );
    const { tandem, bots, sent } = await racing(
      { a: 1, b: 60 },
      {
        compare: "{ choose: best, race: best }",
        scorers: "{ name: helpful, type: judge, target: strict }",
        more: "judges: { strict: { deployment: bench, endpoint: video-bots, example_id: judge } }",
      },
    );
    const text = tandem
      .text("suite.yaml")
      .replace("deployments: {", `deployments: { bench: { base_url: "${judge.url}" },`);
    tandem.file("suite.yaml", text);
    const { err, report } = await raced(tandem, "run", "suite.yaml", "--no-cache");
    expect(err).toContain("cases are sent in rounds until it is decided");
    expect(report.choice).toMatchObject({ named: "a", race: { ended: "one-left" } });
    expect(sent()).toBe(600 - report.choice.race.spared);
    expect(sent()).toBeLessThan(200);
    // Only what was answered is graded, and the same answer once.
    expect(judge.received.length).toBeLessThanOrEqual(bots.received.length);
  });

  test("graded otherwise it has no end without what was left out, and says so", async () => {
    const { tandem } = await racing({ a: 1, b: 70 }, { compare: "{ choose: best, race: best }" });
    const run = await raced(tandem, "run", "suite.yaml");
    expect(run.report.choice.named).toBe("a");
    // Everything passes now.
    tandem.file("suite.yaml", tandem.text("suite.yaml").replace("type: contains", "type: regex, value: '.'"));
    const { code, err } = await tandem.run("score", run.report.batch, "--suite", "suite.yaml", "--quiet");
    expect(code, err).toBe(0);
    const { out, report } = await raced(tandem, "report", run.report.batch);
    expect(report.choice).toMatchObject({ named: null, race: { ended: null, dropped: [] } });
    expect(flat(tandem.text("all.md"))).toContain("By the grades of now the race has no end after");
    expect(out).not.toContain("is the best of");
  });

  test("answers that were given before race without a request", async () => {
    const lines = Array.from(
      { length: 120 },
      (_, row) => `k${row},q ${row},right,right,${row % 3 === 0 ? "right" : "no"}`,
    );
    const tandem = new Tandem().file("p.csv", `id,question,golden,a,b\n${lines.join("\n")}\n`).file(
      "suite.yaml",
      `dataset: p.csv
case: { key: id, input: { input_prompt: question }, expected: golden }
targets: { a: { answers: a }, b: { answers: b } }
scorers: [{ name: correct, type: equals }]
compare: { choose: best, race: best }
`,
    );
    const { code, report } = await raced(tandem, "run", "suite.yaml");
    expect([code, report.choice.named, report.choice.race.spared]).toEqual([0, "a", 0]);
  });

  test("deployments that are kept together go on when the bot of one of them is dropped", async () => {
    const wrong = { a: 1, b: 2, c: 70 };
    const services = [await service(wrong, 2), await service(wrong, 6), await service(wrong, 3)];
    const { tandem } = await racing(wrong, { more: "interleave: strict" });
    const names = Object.keys(wrong);
    const text = tandem
      .text("suite.yaml")
      .replace(
        /deployments: .*/,
        `deployments: { ${names.map((name, at) => `${name}: { base_url: "${services[at]?.url}", concurrency: 3 }`).join(", ")} }`,
      )
      .replace(
        /targets: .*/,
        `targets: { ${names.map((name) => `${name}: { deployment: ${name}, endpoint: video-bots, example_id: ${name} }`).join(", ")} }`,
      );
    tandem.file("suite.yaml", text);
    const { report, code } = await raced(tandem, "run", "suite.yaml");
    expect([code, report.choice.race.ended]).toEqual([0, "close-enough"]);
    expect(report.choice.race.dropped.map(({ target }) => target)).toEqual(["c"]);
    const sent = services.map(({ received }) => received.length);
    expect(sent.reduce((sum, each) => sum + each, 0)).toBe(900 - report.choice.race.spared);
    expect(sent[2]).toBeLessThan(40);
    // None is far ahead of the last look.
    expect(Math.max(...sent) - (report.choice.race.after ?? 0)).toBeLessThan(40);
  });

  test("a bot that fails in the service counts as failing", async () => {
    const bots = await startService(({ prompt, path }) => {
      const number = /\d+/.exec(prompt)?.[0] ?? "";
      if (path.includes("example_id=b") && hash32(number) % 2 === 0) return { status: 400, body: '{"detail":"no"}' };
      return { ...record(`it is right${number}`), delayMs: 2 };
    });
    const { tandem } = await racing({ a: 1, b: 1 }, { compare: "{ choose: best, race: best }" });
    tandem.file("suite.yaml", tandem.text("suite.yaml").replace(/base_url: "[^"]+"/, `base_url: "${bots.url}"`));
    const { report } = await raced(tandem, "run", "suite.yaml", "--no-preflight");
    expect(report.choice.race.dropped).toEqual([{ target: "b", after: expect.any(Number) }]);
    // So many failures leave nothing to rely on.
    expect(report.verdict.word).toBe("invalid");
  });

  test.each([
    ["{ race: close }", "compare.race is about choosing the best of several"],
    ["{ choose: cheapest, margin: 0.02, race: close }", "cannot be used together with choose: cheapest"],
    ["{ choose: best, race: close, stop_when: decided }", "cannot be used together with stop_when: decided"],
    ["{ choose: best, race: close, looks: 2 }", "cannot be used together with a second look"],
    ["{ choose: best, race: close, confirm: rerun }", "cannot be used together with confirm: rerun"],
  ])("%s is refused at its place", async (compare, message) => {
    const { tandem, sent } = await racing({ a: 1, b: 1 }, { compare });
    const { code, err } = await tandem.run("run", "suite.yaml");
    expect(code).toBe(2);
    expect(flat(err)).toContain(message);
    expect(err).toMatch(/suite\.yaml:\d+:\d+/);
    expect(sent()).toBe(0);
  });

  test.each([
    [["--shard", "1/2"], "no part knows what the others have found"],
    [["--against", "nightly"], "--against compares them with an earlier run"],
    [["--stop-when", "decided"], "cannot be used together with stop_when: decided"],
  ])("%s is refused before anything is sent", async (flags, message) => {
    const { tandem, sent } = await racing({ a: 1, b: 60 }, { cases: 60 });
    if (flags[0] === "--against") {
      await tandem.run("run", "suite.yaml", "--no-race");
      await tandem.run("pin", "latest", "--as", "nightly");
    }
    const before = sent();
    const { code, err } = await tandem.run("run", "suite.yaml", ...flags);
    expect([code, flat(err)]).toEqual([2, expect.stringContaining(message)]);
    expect(sent()).toBe(before);
  });

  test("a score without bounds is refused with the way to give it some", async () => {
    const { tandem, sent } = await racing({ a: 1, b: 1 }, { scorers: "{ name: seconds, type: latency }" });
    const { code, err } = await tandem.run("run", "suite.yaml");
    expect([code, flat(err)]).toEqual([2, expect.stringContaining("the score of seconds has no bounds")]);
    expect(flat(err)).toContain("range: [min, max]");
    expect(sent()).toBe(0);
    expect((await tandem.run("batches")).out).not.toContain("nightly-");
  });
});
