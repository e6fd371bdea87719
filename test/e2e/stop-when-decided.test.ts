import { parse } from "csv-parse/sync";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { hash32 } from "../../src/lib/random.ts";
import { slowTest } from "../often.ts";
import { record, type Service, startService } from "./service.ts";
import { Tandem } from "./tandem.ts";

/** A bot that gets this share of the questions wrong, always the same ones. */
function bot(wrong: number, delayMs: number): Promise<Service> {
  return startService(({ prompt }) => {
    const number = /\d+/.exec(prompt)?.[0] ?? "";
    const text = hash32(`wrong ${number}`) % 100 < wrong ? "no idea" : `it is right${number}`;
    return { ...record(text), delayMs };
  });
}

const rows = (count: number): string =>
  `id,question,golden_answer,kind\n${Array.from({ length: count }, (_, i) => `k${i},question ${i},right${i},${i % 2 === 0 ? "even" : "odd"}`).join("\n")}\n`;

interface Given {
  lost?: number;
  scorers?: string;
  more?: string;
  mapping?: string;
  stop?: string;
  /** As fast as no real bot is, and not so fast that it is over before anybody can look. */
  delayMs?: number;
  /** Reports that are written: of most runs those alone that are read here. */
  reports?: string;
}

/** Every report that is written without a word. */
const everyReport = "";

const correct = "{ name: correct, type: contains, primary: true }";

function suite([old, own]: readonly [Service, Service], given: Given): string {
  const {
    scorers = correct,
    more = "",
    mapping = "",
    stop = "stop_when: decided",
    reports = "reports: [terminal, json]",
  } = given;
  return `name: nightly
dataset: p.csv
case: { key: id, input: { input_prompt: question }, expected: golden_answer, tags: [kind]${mapping} }
deployments:
  prod: { base_url: "${old.url}", concurrency: 4, price: 0.01 }
  test: { base_url: "${own.url}", concurrency: 4, price: 0.01 }
targets:
  prod: { deployment: prod, endpoint: video-bots, example_id: a }
  test: { deployment: test, endpoint: video-bots, example_id: a }
scorers: [${scorers}]
compare: { ${stop} }
${reports}
${more}`;
}

async function nightly(cases: number, given: Given = {}) {
  const { lost = 0, delayMs = 10 } = given;
  const services = [await bot(0, delayMs), await bot(lost, delayMs)] as const;
  const tandem = new Tandem().file("p.csv", rows(cases)).file("suite.yaml", suite(services, given));
  return { tandem, services, sent: () => services.map(({ received }) => received.length) };
}

interface Reported {
  batch: string;
  comparison: {
    verdict: string;
    stopping: { cases: number; decidedAfter: number | null; spared: number; saved: number | null };
    gates: { state: string; decided: { by: string; lower: number; upper: number }; reason: string | null }[];
    candidates: { compared: number; metrics: { comparison: unknown }[] }[];
  };
}

const reported = (out: string): Reported => JSON.parse(out) as Reported;

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);

describe("a run that stops when it is decided", () => {
  test("sends no more than it takes to find a bot that lost 20 points, and says what was spared", async () => {
    const { tandem, sent } = await nightly(300, { lost: 20, reports: everyReport });
    const { code, out, err } = await tandem.run("run", "suite.yaml", "--seed", "1");
    expect(code).toBe(1);
    const requests = sum(sent());
    expect(requests).toBeLessThan(300);
    const spared = 600 - requests;
    expect(tandem.query("SELECT count(*) AS n FROM job WHERE outcome = 'spared'")).toEqual([{ n: spared }]);
    expect(tandem.query("SELECT state, reason FROM batch")).toEqual([{ state: "finished", reason: null }]);
    expect(out).toContain("REGRESSION");
    // The bound comes first, because what was measured is too large.
    expect(out.replaceAll(/\s+/g, " ")).toMatch(
      /-[\d.]+ to -[\d.]+ 5 points change a run that stops early overstates it: go by the range/,
    );
    const [batch = ""] = /[\w-]+-\d{8}-\d{6}/.exec(out) ?? [];
    const [, after = ""] = /Decided after (\d+) of 300 rows/.exec(out) ?? [];
    expect(Number(after)).toBeGreaterThan(20);
    const plain = out.replaceAll(/\s+/g, " ");
    expect(plain).toContain(
      `${spared} requests were not sent (about ${spared / 100} saved, in the unit of your prices)`,
    );
    expect(plain).toContain("--rest` sends them");
    expect(plain).toContain(`of ${after} rows newly fail`);
    expect(err).toContain(`Decided after ${after} rows`);
    expect(tandem.text(`results/${batch}/report.md`)).toContain(`Decided after ${after} of 300 rows`);
    // Answers that were in flight then are rows, and none of them is counted: "worse" has one count.
    const [, worse = ""] = /(\d+) of \d+ rows newly fail/.exec(plain) ?? [];
    const table = parse(tandem.text(`results/${batch}/comparison.csv`), { bom: true, columns: true });
    const lines = z
      .array(z.object({ verdict: z.string(), change: z.string(), "test.outcome": z.string() }))
      .parse(table);
    expect(lines.filter(({ verdict }) => verdict === "worse").length).toBe(Number(worse));
    expect(lines.filter(({ change }) => change !== "not-compared").length).toBe(Number(after));
    expect(lines.filter((line) => line["test.outcome"] === "answered").length).toBeGreaterThan(Number(after));
  });

  test("passes identical bots after 94 rows, by the interval that belongs to the test", async () => {
    const { tandem, sent } = await nightly(250);
    const { code, out, err } = await tandem.run("run", "suite.yaml", "--json");
    expect(code).toBe(0);
    expect(err).toContain("Decided after 94 rows");
    const { verdict, stopping, gates, candidates } = reported(out).comparison;
    expect({ verdict, ...stopping }).toMatchObject({ verdict: "pass", cases: 250, decidedAfter: 94 });
    expect(stopping.spared).toBe(500 - sum(sent()));
    expect(candidates[0]?.compared).toBe(94);
    const decided = gates[0]?.decided;
    expect(decided?.by).toBe("betting");
    expect(decided?.lower).toBeGreaterThan(-0.05);
    expect(decided?.lower).toBeLessThan(-0.045);
  });

  test("decides the same when it is cut off and goes on, and finds it again from what is stored", async () => {
    const { tandem, sent } = await nightly(200, { lost: 25 });
    const whole = await tandem.run("run", "suite.yaml", "--seed", "7", "--json");
    const { decidedAfter } = reported(whole.out).comparison.stopping;
    expect(decidedAfter).not.toBeNull();
    const requests = sum(sent());
    const cut = await tandem.run("run", "suite.yaml", "--seed", "7", "--budget", "30", "--json");
    expect(cut.code).toBe(3);
    const first = await tandem.run("resume", "--json");
    expect(reported(first.out).comparison.stopping).toMatchObject({ decidedAfter });
    expect(sum(sent()) - requests).toBeLessThan(200);
    const before = sum(sent());
    const again = await tandem.run("resume", reported(first.out).batch, "--json");
    expect(sum(sent())).toBe(before);
    expect(reported(again.out).comparison.gates).toEqual(reported(first.out).comparison.gates);
    const compared = await tandem.run("compare", reported(first.out).batch, "--json");
    expect(reported(compared.out).comparison.gates).toEqual(reported(first.out).comparison.gates);
  });

  slowTest("ends in words when its database is taken away, and looks no more", async () => {
    const { tandem, sent } = await nightly(400, { lost: 5, delayMs: 100 });
    const { ended } = tandem.begin("run", "suite.yaml", "--no-preflight", "--quiet");
    await expect.poll(() => sum(sent()), { interval: 5 }).toBeGreaterThan(8);
    tandem.remove("results/tandem.db");
    const { code, err } = await ended;
    expect(code, err).toBe(3);
    expect(err).toContain("was deleted or moved away");
    expect(err).not.toMatch(/TypeError|fault in tandem/);
  });

  slowTest("sends the rest when it is asked to, and stays decided", async () => {
    const { tandem, sent } = await nightly(120, { lost: 30, reports: everyReport });
    const run = await tandem.run("run", "suite.yaml", "--json");
    expect(reported(run.out).comparison.verdict).toBe("regression");
    expect(sum(sent())).toBeLessThan(240);
    const { decidedAfter } = reported(run.out).comparison.stopping;
    const { code, out } = await tandem.run("resume", "--rest", "--json");
    expect(code).toBe(1);
    expect(sent()).toEqual([120, 120]);
    const { stopping, gates, candidates } = reported(out).comparison;
    expect(stopping).toMatchObject({ decidedAfter, spared: 0, saved: null });
    expect(gates[0]).toMatchObject({ state: "regression", decided: { by: "betting" } });
    expect(candidates[0]?.compared).toBe(120);
  });

  test("goes to the end for a gate on a score without bounds, and says so", async () => {
    const { tandem, sent } = await nightly(100, {
      lost: 80,
      scorers: `${correct}, { name: seconds, type: latency }`,
      more: "gates: [{ metric: correct }, { metric: seconds, margin: 30 }]",
    });
    const { err, out } = await tandem.run("run", "suite.yaml");
    expect(sent()).toEqual([100, 100]);
    expect(err.replaceAll(/\s+/g, " ")).toContain(
      "the gate of seconds needs every case, because the score has no bounds",
    );
    expect(out).not.toContain("Decided after");
  });

  test("is decided at once by more losses than a gate allows, and passes no such gate before the end", async () => {
    const gate = { more: "gates: [{ metric: correct, losses: 1 }]" };
    const worse = await nightly(120, { lost: 20, ...gate });
    expect((await worse.tandem.run("run", "suite.yaml")).code).toBe(1);
    expect(sum(worse.sent())).toBeLessThan(120);
    const same = await nightly(30, gate);
    expect((await same.tandem.run("run", "suite.yaml")).code).toBe(0);
    expect(same.sent()).toEqual([30, 30]);
  });

  test("counts conversations as a whole, with two runs against one", async () => {
    const { tandem, sent } = await nightly(240, {
      lost: 45,
      mapping: ", cluster: talk",
      stop: "stop_when: decided, noise_repeats: 2",
    });
    tandem.file(
      "p.csv",
      `id,question,golden_answer,kind,talk\n${Array.from({ length: 240 }, (_, i) => `k${i},question ${i},right${i},x,t${Math.floor(i / 3)}`).join("\n")}\n`,
    );
    const { code, out } = await tandem.run("run", "suite.yaml", "--json");
    expect(code).toBe(1);
    const { decidedAfter } = reported(out).comparison.stopping;
    expect((decidedAfter ?? 0) % 3).toBe(0);
    expect(sum(sent())).toBeLessThan(3 * 200);
    const begun = tandem.query<{ n: number }>(
      "SELECT count(*) AS n FROM (SELECT 1 FROM job GROUP BY case_id HAVING count(outcome = 'ok' OR NULL) BETWEEN 1 AND 2)",
    );
    // All runs of a case are sent within a block of 16 conversations: hardly any case is half asked in the end.
    expect(begun[0]?.n).toBeLessThan(16 * 3 + 24);
  });

  test("looks at each value of a tag, and stops for a regression of one", async () => {
    const { tandem, sent } = await nightly(300, {
      lost: 40,
      more: "gates: [{ metric: correct, margin: 0.1, by: kind }]",
    });
    const { code, out } = await tandem.run("run", "suite.yaml", "--json");
    expect(code).toBe(1);
    expect(sum(sent())).toBeLessThan(400);
    expect(reported(out).comparison.gates.map(({ state }) => state)).toContain("regression");
  });

  slowTest("asks scorers that take their time between rounds of sending", async () => {
    const { tandem, sent } = await nightly(200, {
      scorers: "{ name: own, type: module, file: own.mjs, primary: true }",
    });
    tandem.file(
      "own.mjs",
      "export default ({ text, expected }) => ({ value: text.includes(expected) ? 1 : 0, pass: text.includes(expected), reason: '' });",
    );
    const { code, out, err } = await tandem.run("run", "suite.yaml", "--json");
    expect(code).toBe(0);
    expect(reported(out).comparison).toMatchObject({ verdict: "pass", stopping: { decidedAfter: 94 } });
    expect(sum(sent())).toBeLessThan(2 * 140);
    expect(sum(sent())).toBeGreaterThanOrEqual(2 * 94);
    expect(err).toContain("Stops when it is decided: round 1 sends up to 32 of 200 rows, then they are graded");
  });

  test("says before anything is sent that conversations are too few to pass where they are looked at", async () => {
    const { tandem, sent } = await nightly(120, {
      mapping: ", cluster: talk",
      more: "gates: [{ metric: correct, margin: 0.05 }]",
    });
    const sheet = (cases: number) =>
      `id,question,golden_answer,kind,talk\n${Array.from({ length: cases }, (_, i) => `k${i},question ${i},right${i},x,t${Math.floor(i / 4)}`).join("\n")}\n`;
    tandem.file("p.csv", sheet(120));
    const { code, out } = await tandem.run("check", "--offline", "suite.yaml");
    expect(code).toBe(0);
    const undecided = "with 30 groups by talk (120 rows), bots that are equal stay undecided";
    expect(out.replaceAll(/\s+/g, " ")).toContain(undecided);
    tandem.file("p.csv", sheet(1_200));
    const enough = await tandem.run("check", "--offline", "suite.yaml");
    expect(enough.code).toBe(0);
    expect(enough.out).not.toContain("stay undecided");
    expect(sum(sent())).toBe(0);
  });

  test("sends nothing more without the suite file of which its gates take code, and goes on with it", async () => {
    const { tandem, sent } = await nightly(200, {
      scorers: "{ name: own, type: module, file: own.mjs, primary: true }",
    });
    tandem.file(
      "own.mjs",
      "export default ({ text, expected }) => ({ value: text.includes(expected) ? 1 : 0, pass: text.includes(expected), reason: '' });",
    );
    const cut = await tandem.run("run", "suite.yaml", "--budget", "90");
    expect(cut.code).toBe(3);
    expect(cut.out).toContain("tandem resume --suite suite.yaml");
    const refused = await tandem.run("resume");
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.err).toContain("runs code of its suite file");
    expect(refused.err).toContain("Name the file: tandem resume --suite suite.yaml");
    expect(sum(sent())).toBeLessThan(100);
    const { code, out } = await tandem.run("resume", "--suite", "suite.yaml");
    expect(code).toBe(0);
    expect(sum(sent())).toBeLessThan(2 * 150);
    expect(out.replaceAll(/\s+/g, " ")).toContain("`tandem resume --rest --suite suite.yaml` sends them");
    const before = sum(sent());
    expect(await tandem.run("resume", "latest", "--rest")).toMatchObject({ code: 2 });
    expect(sum(sent())).toBe(before);
    const rest = await tandem.run("resume", "--suite", "suite.yaml", "--rest", "--json");
    expect(sent()).toEqual([200, 200]);
    expect(rest.code).toBe(0);
    expect(reported(rest.out).comparison).toMatchObject({ verdict: "pass", stopping: { decidedAfter: 94, spared: 0 } });
  });

  test("goes on by the rule it was begun with, and says so where the file has another by now", async () => {
    const { tandem, services, sent } = await nightly(120);
    await tandem.run("run", "suite.yaml", "--budget", "40");
    tandem.file("suite.yaml", suite(services, { stop: "" }));
    const { err } = await tandem.run("resume", "--suite", "suite.yaml");
    expect(err.replaceAll(/\s+/g, " ")).toContain("was begun with stop_when: decided, and resumes with that");
    expect(sum(sent())).toBeLessThan(240);
    expect(err.replaceAll(/\s+/g, " ")).toContain("--rest sends everything");
  });

  slowTest("says what becomes of the rest when that is cut off, and does not leave it out unsaid", async () => {
    const { tandem } = await nightly(150, { lost: 30 });
    const run = await tandem.run("run", "suite.yaml", "--json");
    expect(reported(run.out).comparison.stopping.spared).toBeGreaterThan(20);
    const { out } = await tandem.run("resume", "--rest", "--budget", "10");
    const plain = out.replaceAll(/\s+/g, " ");
    expect(plain).toContain("the rest is not all sent");
    expect(plain).not.toContain("was sent too");
    expect(plain).toMatch(/Next: send the rest too .* --rest/);
  });

  test("asks a judge of no more answers than were sent, and of each once", async () => {
    const judge = await startService(() => record('{"score": 1, "verdict": "C", "reason": "fine"}'));
    const { tandem, sent } = await nightly(200, {
      scorers: "{ name: helpful, type: judge, target: strict, primary: true }",
      more: `judges: { strict: { deployment: bench, endpoint: video-bots, example_id: judge } }`,
    });
    const text = tandem.text("suite.yaml");
    tandem.file("suite.yaml", text.replace("deployments:\n", `deployments:\n  bench: { base_url: "${judge.url}" }\n`));
    const { code, out } = await tandem.run("run", "suite.yaml", "--json", "--no-cache");
    expect(code).toBe(0);
    expect(reported(out).comparison).toMatchObject({ verdict: "pass", stopping: { decidedAfter: 94 } });
    expect(sum(sent())).toBeLessThan(2 * 140);
    // One was asked before the bots. Both sides answer alike, and a question that was answered is not asked again.
    expect(judge.received).toHaveLength(1 + sum(sent()) / 2);
  });

  test("compares with a pin: only the candidate is asked", async () => {
    const { tandem, services, sent } = await nightly(150, { stop: "" });
    await tandem.run("run", "suite.yaml", "--target", "prod");
    await tandem.run("pin", "latest", "--as", "good");
    expect(sent()).toEqual([150, 0]);
    tandem.file("suite.yaml", suite(services, {}));
    const { code, out } = await tandem.run("run", "suite.yaml", "--target", "test", "--against", "good:prod", "--json");
    expect(code).toBe(0);
    expect(reported(out).comparison).toMatchObject({ verdict: "pass", stopping: { decidedAfter: 94 } });
    expect(sent()[0]).toBe(150);
    expect(sent()[1]).toBeLessThan(130);
  });

  test("is nothing that later runs are compared with until the rest is sent, and nothing is claimed by it", async () => {
    const { tandem, services, sent } = await nightly(90, { lost: 40 });
    const run = await tandem.run("run", "suite.yaml", "--json");
    const { batch } = reported(run.out);
    for (const args of [
      ["pin", batch, "--as", "good"],
      ["pin", batch, "--export", "good.jsonl"],
    ]) {
      const { code, err } = await tandem.run(...args);
      expect(code).toBe(2);
      expect(err).toContain(`tandem resume ${batch} --rest`);
    }
    tandem.file("suite.yaml", suite(services, { stop: "" }));
    const before = sent();
    const refused = await tandem.run("run", "suite.yaml", "--target", "test", "--against", `${batch}:prod`);
    expect(refused.code).toBe(2);
    expect(refused.err).toContain(`tandem resume ${batch} --rest`);
    expect(sent()).toEqual(before);
    const later = await tandem.run("run", "suite.yaml", "--target", "test", "--json");
    const compared = await tandem.run("compare", `${batch}:prod`, `${reported(later.out).batch}:test`, "--json");
    const { verdict, gates, candidates } = reported(compared.out).comparison;
    expect({ verdict, code: compared.code }).toEqual({ verdict: "inconclusive", code: 0 });
    expect(gates).toMatchObject([{ state: "inconclusive", decided: null, settle: null }]);
    expect(gates[0]?.reason).toEqual({ kind: "chosen-rows", batch });
    expect(candidates[0]?.metrics[0]?.comparison).toMatchObject({ interval: null, p: null });
    const text = await tandem.run("compare", `${batch}:prod`, `${reported(later.out).batch}:test`, "--details");
    expect(text.out.replaceAll(/\s+/g, " ")).toContain(`tandem resume ${batch} --rest`);
    await tandem.run("resume", batch, "--rest");
    const whole = await tandem.run("compare", `${batch}:prod`, `${reported(later.out).batch}:test`, "--json");
    expect(reported(whole.out).comparison.verdict).toBe("regression");
    expect((await tandem.run("pin", batch, "--as", "good")).code).toBe(0);
  });

  test("can be asked for and turned off on the command line", async () => {
    const { tandem, sent } = await nightly(80, { lost: 40 });
    await tandem.run("run", "suite.yaml", "--stop-when", "never");
    expect(sent()).toEqual([80, 80]);
    await tandem.run("run", "suite.yaml", "--stop-when", "decided");
    expect(sum(sent())).toBeLessThan(320);
  });

  test("is refused where nothing is compared, and for a part of the cases", async () => {
    const { tandem, sent } = await nightly(20);
    const alone = await tandem.run("run", "suite.yaml", "--target", "test");
    expect(alone.code).toBe(2);
    expect(alone.err).toContain("needs two sides");
    const shard = await tandem.run("run", "suite.yaml", "--shard", "1/2");
    expect(shard.code).toBe(2);
    expect(shard.err).toContain("no part knows what the others have found");
    expect(sent()).toEqual([0, 0]);
  });

  slowTest("spares the local deployments what they would have answered, as their own journals tell", async () => {
    const tandem = new Tandem();
    const cases = Array.from({ length: 300 }, (_, i) => i);
    for (const side of ["prod", "test"]) {
      const known = cases.filter((i) => side === "prod" || i % 5 !== 0);
      const articles = known.map((i) => ({
        id: `a${i}`,
        title: `topic${i}x`,
        text: `The code of topic${i}x is right${i}x.`,
      }));
      tandem
        .file(`${side}/articles.jsonl`, `${articles.map((article) => JSON.stringify(article)).join("\n")}\n`)
        .file(`${side}/bots/desk.yaml`, "knowledge: [articles.jsonl]\nretrieval: { fuzzy: 0, min_score: 0.2 }\n")
        .file(`${side}/deployment.yaml`, "journal: journal.jsonl\n");
    }
    tandem.file("p.csv", `id,question,golden_answer\n${cases.map((i) => `k${i},topic${i}x,right${i}x`).join("\n")}\n`);
    tandem.file(
      "suite.yaml",
      `name: nightly
dataset: p.csv
case: { key: id, input: { input_prompt: question }, expected: golden_answer }
deployments: { prod: { base_url: "local:./prod", price: 1 }, test: { base_url: "local:./test", price: 1 } }
targets:
  prod: { deployment: prod, endpoint: video-bots, example_id: desk }
  test: { deployment: test, endpoint: video-bots, example_id: desk }
scorers: [${correct}]
compare: { stop_when: decided }
`,
    );
    const { code, out, err } = await tandem.run("run", "suite.yaml", "--seed", "3", "--json");
    expect(code, err).toBe(1);
    const received = ["prod", "test"].map(
      (side) =>
        tandem
          .text(`${side}/journal.jsonl`)
          .split("\n")
          .filter((line) => line.includes('"received"')).length,
    );
    const { spared, saved, decidedAfter } = reported(out).comparison.stopping;
    expect(sum(received)).toBeLessThan(2 * 200);
    expect({ spared, saved }).toEqual({ spared: 600 - sum(received), saved: 600 - sum(received) });
    expect(decidedAfter).toBeLessThanOrEqual(Math.min(...received));
  });

  test("asks only the cases once more by which a regression was found, where it is to be confirmed", async () => {
    const { tandem, sent } = await nightly(200, {
      lost: 40,
      stop: "stop_when: decided, confirm: rerun",
      reports: everyReport,
    });
    const { code, out } = await tandem.run("run", "suite.yaml", "--json");
    expect(code).toBe(1);
    const { stopping, gates } = reported(out).comparison;
    const asked = stopping.decidedAfter ?? 0;
    expect(gates[0]).toMatchObject({ state: "regression", decided: { by: "betting" } });
    expect(sum(sent())).toBe(400 - stopping.spared + 2 * asked);
    const again = await tandem.run("resume", reported(out).batch, "--json");
    expect(reported(again.out).comparison.stopping).toEqual(stopping);
    expect(reported(again.out).comparison.gates).toEqual(gates);
  });

  test("says with the power of a plan that it is of a run which is looked at once", async () => {
    const { tandem, sent } = await nightly(400);
    const power = await tandem.run("check", "--offline", "suite.yaml", "--power");
    expect(power.out.replaceAll(/\s+/g, " ")).toContain("All of this is for a run that is looked at once, at its end.");
    const never = await tandem.run("check", "--offline", "suite.yaml", "--power", "--stop-when", "never");
    expect(never.out).not.toContain("looked at once");
    const gate = "gates: [{ metric: seconds, margin: 1 }]\n";
    const open = tandem.text("suite.yaml").replace(correct, `${correct}, { name: seconds, type: latency }`) + gate;
    const told = await tandem.file("suite.yaml", open).run("check", "--offline", "suite.yaml");
    expect((told.out + told.err).replaceAll(/\s+/g, " ")).toContain("the gate of seconds needs every case");
    expect(sent()).toEqual([0, 0]);
  });
});
