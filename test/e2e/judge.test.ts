import { describe, expect, test } from "vitest";
import { often } from "../often.ts";
import { enter, opened, startView } from "../viewer/viewing.ts";
import { type Received, record, type Reply, type Service, startService } from "./service.ts";
import { prompts, Tandem } from "./tandem.ts";
import type { Ended } from "./warm.ts";

/** A suite for two services that are graded, and a judge of its own. */
function suite(urls: { prod: string; test: string; judge: string }, scorers: string[]): string {
  return [
    "name: judged",
    "dataset: prompts.csv",
    "case: { key: id }",
    "deployments:",
    `  prod: { base_url: "${urls.prod}" }`,
    `  test: { base_url: "${urls.test}" }`,
    `  bench: { base_url: "${urls.judge}", price: 0.5 }`,
    "targets:",
    "  prod: { deployment: prod, endpoint: video-bots, example_id: a }",
    "  test: { deployment: test, endpoint: video-bots, example_id: a }",
    "judges:",
    "  strict: { deployment: bench, endpoint: video-bots, example_id: judge }",
    "scorers:",
    ...scorers.map((scorer) => `  - ${scorer}`),
    "",
  ].join("\n");
}

const helpful = "{ name: helpful, type: judge, target: strict }";
const better = "{ name: better, type: pairwise, target: strict }";

/** Two services that answer, and a judge that says what it is told to. */
async function services(judge: (received: Received) => Reply): Promise<Record<"prod" | "test" | "judge", Service>> {
  return {
    prod: await startService(({ prompt }) => record(`prod answers ${prompt}`)),
    test: await startService(({ prompt }) => record(`test answers ${prompt}`)),
    judge: await startService(judge),
  };
}

const urlsOf = ({ prod, test: other, judge }: Awaited<ReturnType<typeof services>>) => ({
  prod: prod.url,
  test: other.url,
  judge: judge.url,
});

const good = (): Reply => record('{"score": 1, "verdict": "C", "reason": "fine"}');

interface Report {
  metrics: { metric: string; target: string; scored: number; unscored: number; mean: number }[];
  judges: { questions: number; asked: number; failed: number; unfinished: number; cost: number }[];
  repaired: { metric: string; answers: number }[];
}

async function scored(tandem: Tandem, ...flags: string[]): Promise<Report> {
  const { out, err, code } = await tandem.run("score", "--json", "--quiet", ...flags);
  expect(code, err).toBe(0);
  return JSON.parse(out) as Report;
}

/** The comparison may find a regression: that is not what these tests are about. */
const ran = ({ code, err }: Ended): void => expect([0, 1, 4], err).toContain(code);

describe("judges", () => {
  test("that are asked later do not make the run longer, in no form", async () => {
    const all = await services(good);
    const plain = suite(urlsOf(all), ["{ name: has, type: contains, value: answers }"]);
    const tandem = new Tandem().file("prompts.csv", prompts(2)).file("suite.yaml", plain);
    ran(await tandem.run("run", "suite.yaml", "--no-preflight"));
    const times = async (): Promise<unknown[]> => {
      const { out } = await tandem.run("compare", "--json", "-o", "all.json");
      const [summary, file] = [out, tandem.text("all.json")].map((text) => JSON.parse(text) as { durationMs: number });
      const { out: shown } = await tandem.run("compare", "--details");
      return [summary?.durationMs, file?.durationMs, /finished in [^\n]+/.exec(shown)?.[0]];
    };
    const before = await times();
    expect(before).toEqual([expect.any(Number), expect.any(Number), expect.stringContaining("finished in")]);
    tandem.file("later.yaml", suite(urlsOf(all), [helpful]));
    await tandem.run("score", "--suite", "later.yaml", "--quiet");
    expect(all.judge.received).toHaveLength(4);
    expect(await times()).toEqual(before);
  });

  test("have a line of progress of their own, which says that they are judges", async () => {
    const all = await services(good);
    const text = suite(urlsOf(all), [helpful]);
    const { err } = await new Tandem()
      .file("prompts.csv", prompts(2))
      .file("suite.yaml", text)
      .run("run", "suite.yaml", "--no-preflight");
    expect(err).toMatch(/^prod\/video-bots {2}2\/2 /m);
    expect(err).toMatch(/^bench\/video-bots \(judges\) {2}4\/4 /m);
  });

  test("get questions and no cases; replies are runs like all others, with their url and cost, in the viewer too", async () => {
    const all = await services(good);
    const tandem = new Tandem().file("prompts.csv", prompts(3)).file("suite.yaml", suite(urlsOf(all), [helpful]));
    ran(await tandem.run("run", "suite.yaml", "--no-preflight", "--quiet"));
    expect(all.judge.received).toHaveLength(6);
    expect(all.judge.received.every(({ path }) => path.includes("judge"))).toBe(true);
    expect(all.judge.received.some(({ body }) => /"(prod|test)"/.test(body))).toBe(false);
    const runs = tandem.query<{ target: string; kind: string; n: number }>(
      "SELECT target, kind, count(*) AS n FROM run_records WHERE url LIKE 'https://%' GROUP BY 1, 2 ORDER BY 1",
    );
    expect(runs).toEqual([
      { target: "prod", kind: "case", n: 3 },
      { target: "strict", kind: "judge", n: 6 },
      { target: "test", kind: "case", n: 3 },
    ]);
    const report = await scored(tandem);
    expect(report.judges).toMatchObject([{ questions: 6, asked: 6, failed: 0, unfinished: 0, cost: 3 }]);
    expect(report.metrics).toMatchObject([
      { metric: "helpful", target: "prod", scored: 3, mean: 1 },
      { metric: "helpful", target: "test", scored: 3, mean: 1 },
    ]);
    const { summary } = await opened(await enter((await startView(tandem)).url));
    expect(summary.judges).toMatchObject([{ name: "strict", questions: 6, asked: 6, failed: 0, cost: 3 }]);
  });

  test("are not asked what they have answered before, in whatever batch, unless they are to be asked again", async () => {
    const all = await services(good);
    const tandem = new Tandem().file("prompts.csv", prompts(3)).file("suite.yaml", suite(urlsOf(all), [helpful]));
    ran(await tandem.run("run", "suite.yaml", "--no-preflight", "--quiet"));
    ran(await tandem.run("run", "suite.yaml", "--no-preflight", "--quiet"));
    expect(all.judge.received).toHaveLength(6);
    expect((await scored(tandem)).judges).toMatchObject([{ questions: 6, asked: 0 }]);
    await scored(tandem, "--again", "--no-cache");
    expect(all.judge.received).toHaveLength(12);
    await scored(tandem, "--again");
    expect(all.judge.received).toHaveLength(12);
  });

  test("that answer nonsense are asked once more, and are unscored and counted after that", async () => {
    // The earlier reply is shown to the judge when it is asked again.
    const all = await services(({ body }) =>
      body.includes("prompt 1") && body.includes("zzz") ? record('{"score": 0.5}') : record("zzz"),
    );
    const tandem = new Tandem().file("prompts.csv", prompts(2)).file("suite.yaml", suite(urlsOf(all), [helpful]));
    ran(await tandem.run("run", "suite.yaml", "--no-preflight", "--quiet"));
    const report = await scored(tandem);
    expect(report.metrics).toMatchObject([
      { target: "prod", scored: 1, unscored: 1, mean: 0.5 },
      { target: "test", scored: 1, unscored: 1, mean: 0.5 },
    ]);
    expect(report.repaired).toEqual([{ metric: "helpful", answers: 4 }]);
    expect(all.judge.received).toHaveLength(8);
    const { out } = await tandem.run("score", "--explain", "k2");
    expect(out).toContain("helpful (judge): unscored");
    expect(out).toContain("was asked again");
  });

  test("of two answers are not asked about the baseline's, which is said as it is", async () => {
    const all = await services(good);
    const tandem = new Tandem().file("prompts.csv", prompts(2)).file("suite.yaml", suite(urlsOf(all), [better]));
    ran(await tandem.run("run", "suite.yaml", "--no-preflight", "--quiet"));
    const { out } = await tandem.run("score", "--explain", "k2");
    const [, prod = "", other = ""] = /^prod: .*?$(.*?)^test: .*?$(.*)/ms.exec(out) ?? [];
    expect(prod).toContain("better (pairwise): not asked: the other answers are compared with this one");
    expect(out).not.toContain("not graded yet");
    expect(other).toMatch(/better \(pairwise\): pass/);
  });

  test("that fail leave answers unscored with the reason; a resume goes on where it was stopped", async () => {
    let credits = false;
    const all = await services(() => (credits ? good() : { status: 402, body: '{"detail":{"error":"no credits"}}' }));
    const tandem = new Tandem()
      .file("prompts.csv", prompts(2))
      .file("suite.yaml", suite(urlsOf(all), [helpful, "{ name: said, type: contains, value: answers }"]));
    const first = await tandem.run("run", "suite.yaml", "--no-preflight", "--quiet");
    expect(first.code, first.err).toBe(3);
    const graded = tandem.query<{ scorer: string; n: number }>("SELECT scorer, count(*) AS n FROM scores GROUP BY 1");
    expect(graded).toEqual([{ scorer: "said", n: 4 }]);
    credits = true;
    ran(await tandem.run("resume", "--quiet"));
    expect(
      (await scored(tandem)).metrics.filter(({ metric, scored: n }) => metric === "helpful" && n === 2),
    ).toHaveLength(2);
    expect(all.prod.received).toHaveLength(2);
  });

  test("of two answers are asked in both orders: what comes first wins nothing by that", async () => {
    const bots = (bias: number) =>
      new Tandem()
        .file("prompts.csv", "id,input_prompt,expected\nk1,When?,At nine.\nk2,How late?,At nine.\n")
        .file("prod/bots/a.yaml", 'fallback: "It opens at nine."\n')
        .file("test/bots/a.yaml", 'fallback: "It opens at ten."\n')
        .file("bench/bots/judge.yaml", `judge: { position_bias: ${bias} }\n`)
        .file("suite.yaml", suite({ prod: "local:./prod", test: "local:./test", judge: "local:./bench" }, [better]));
    const biased = bots(1);
    ran(await biased.run("run", "suite.yaml", "--no-preflight", "--quiet"));
    expect((await scored(biased)).metrics).toMatchObject([{ target: "test", scored: 2, mean: 0.5 }]);
    const fair = bots(0);
    ran(await fair.run("run", "suite.yaml", "--no-preflight", "--quiet"));
    expect((await scored(fair)).metrics).toMatchObject([{ target: "test", scored: 2, mean: 0 }]);
  });

  test("under the name of a target, or of none, are a fault of the suite with its place", async () => {
    const text = suite({ prod: "http://127.0.0.1:1", test: "http://127.0.0.1:1", judge: "http://127.0.0.1:1" }, [
      "{ name: helpful, type: judge, target: prod }",
      "{ name: fair, type: judge, target: strickt }",
    ]);
    const tandem = new Tandem().file("prompts.csv", prompts(1)).file("suite.yaml", text);
    const { code, err } = await tandem.run("run", "suite.yaml", "--no-preflight");
    expect(code).toBe(2);
    expect(err).toMatch(/suite\.yaml:14:\d+.*"prod", which is graded itself/);
    expect(err).toMatch(/suite\.yaml:15:\d+.*"strickt", which does not exist.*strict/);
  });
});

test("a kill -9 while judges are asked loses nothing: no question that was answered is asked again", async () => {
  const all = await services(() => ({ ...good(), delayMs: 20 }));
  const tandem = new Tandem()
    .file("prompts.csv", prompts(30))
    .file("suite.yaml", suite(urlsOf(all), [helpful, better]));
  const answered = new Set<string>();
  let [killed, resent] = [0, 0];
  const rounds = often(3, 6);
  for (let round = 0; round < rounds; round++) {
    const begun = all.judge.received.length;
    const { child, ended } = tandem.start(
      ...(round === 0 ? ["run", "suite.yaml", "--no-preflight", "--quiet"] : ["resume", "--quiet"]),
    );
    // Counted in requests, so that a slow machine is killed at the same places.
    const watch = setInterval(() => {
      if (round < rounds - 1 && all.judge.received.length - begun >= 12 + 5 * round) child.kill("SIGKILL");
    }, 1);
    const { signal, code, err } = await ended;
    clearInterval(watch);
    await new Promise((resolve) => setTimeout(resolve, 60));
    for (const { body } of all.judge.received.slice(begun)) {
      expect(answered.has(body), "an answered question was asked again").toBe(false);
    }
    if (signal !== "SIGKILL") {
      expect([0, 1, 4], err).toContain(code);
      break;
    }
    killed += 1;
    for (const { body } of tandem.query<{ body: string }>(
      "SELECT question.body FROM job JOIN question ON question.id = question_id WHERE job.outcome IS NOT NULL",
    )) {
      answered.add(body);
    }
  }
  expect(killed).toBeGreaterThan(often(1, 2));
  const bodies = all.judge.received.map(({ body }) => body);
  resent = bodies.length - new Set(bodies).size;
  // Questions that were in flight when it was killed may be asked twice, and nothing else.
  expect(resent).toBeLessThanOrEqual(killed * 4);
  expect(all.prod.received.length + all.test.received.length).toBe(60);
  const report = await scored(tandem);
  expect(report.judges).toMatchObject([{ questions: 60 + 60, unfinished: 0, failed: 0 }]);
  expect(report.metrics.reduce((sum, each) => sum + each.scored + each.unscored, 0)).toBe(60 + 30);
});
