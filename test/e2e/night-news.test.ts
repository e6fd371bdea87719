import { describe, expect, test } from "vitest";
import { record, startService } from "./service.ts";
import { Tandem } from "./tandem.ts";

const sheet = `id,question,golden\n${Array.from({ length: 40 }, (_, i) => `k${i},q ${i},right`).join("\n")}\n`;

const suite = (url: string): string => `name: desk
dataset: sheet.csv
case: { key: id, input: { input_prompt: question }, expected: golden }
deployments: { here: { base_url: "${url}", api_key_env: TANDEM_API_KEY, retries: 0 } }
targets:
  prod: { deployment: here, endpoint: video-bots, example_id: prod }
  test: { deployment: here, endpoint: video-bots, example_id: test }
scorers: [{ name: correct, type: contains }]
gates: [{ metric: correct, margin: 0.1 }]
reports: [json, terminal]
`;

/** A desk of two bots: `test` is wrong in the first so many cases, which may change from night to night. */
async function desk(): Promise<{ tandem: Tandem; set: (wrong: number) => void }> {
  let wrong = 0;
  const { url } = await startService(({ path, body, prompt }) => {
    const isWrong = `${path} ${body}`.includes("test") && Number(prompt.slice(2)) < wrong;
    return record(isWrong ? "wrong" : "right");
  });
  const tandem = new Tandem().file("sheet.csv", sheet).file("suite.yaml", suite(url));
  return { tandem, set: (count) => void (wrong = count) };
}

const tell = 'cat >> told.jsonl; echo "$TANDEM_NEWS $TANDEM_SINCE" >> variables.txt';

const toldIn = (
  tandem: Tandem,
): {
  state: string;
  sentence: string;
  details: string[];
  news: { state: string; since: string | null; sentence: string };
}[] =>
  tandem.has("told.jsonl")
    ? tandem
        .text("told.jsonl")
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line))
    : [];

describe("notifications", () => {
  test("say what is new since the last night, what goes on and what is over, and are silent where nothing changed", async () => {
    const { tandem, set } = await desk();
    const night = async (on: string): Promise<number> =>
      (await tandem.run("night", "suite.yaml", "--notify-on", on, "--notify-command", tell)).code ?? -1;
    expect(await night("change")).toBe(0);
    expect(toldIn(tandem)).toEqual([]);
    set(20);
    expect(await night("change")).toBe(1);
    expect(toldIn(tandem)).toMatchObject([{ state: "regression", news: { state: "new", since: null } }]);
    expect(await night("change")).toBe(1);
    expect(toldIn(tandem)).toHaveLength(1);
    expect(await night("problem")).toBe(1);
    const [, still] = toldIn(tandem);
    expect(still).toMatchObject({
      news: { state: "still", sentence: expect.stringMatching(/^It has been so since \d+ [A-Z][a-z]+$/) },
    });
    expect(still?.news.since).toMatch(/^\d{4}-\d\d-\d\dT/);
    set(0);
    expect(await night("change")).toBe(0);
    expect(toldIn(tandem)[2]).toMatchObject({
      state: "pass",
      news: {
        state: "over",
        sentence: expect.stringMatching(/^The regression of correct \(test\) of \d+ \S+ is over$/),
      },
    });
    expect(await night("change")).toBe(0);
    expect(toldIn(tandem)).toHaveLength(3);
    const [first, second] = tandem.text("variables.txt").split("\n");
    expect(first?.trim()).toBe("new");
    expect(second).toBe(`still ${still?.news.since}`);
  });

  test("find the same to be new again where nobody could be told of it", async () => {
    const { tandem, set } = await desk();
    set(20);
    const failing = await tandem.run("night", "suite.yaml", "--notify-on", "change", "--notify-command", "exit 3");
    expect(failing.err).toContain("--notify-command failed");
    await tandem.run("night", "suite.yaml", "--notify-on", "change", "--notify-command", tell);
    expect(toldIn(tandem)).toMatchObject([{ news: { state: "new" } }]);
  });

  test("of what a run by hand has found are new in the first night that can tell, and say when they are silent", async () => {
    const { tandem, set } = await desk();
    set(20);
    expect((await tandem.run("run", "suite.yaml")).code).toBe(1);
    const night = async () =>
      tandem.run("night", "suite.yaml", "--notify-on", "change", "--notify-command", tell, "--quiet");
    const first = await night();
    expect(toldIn(tandem)).toMatchObject([{ state: "regression", news: { state: "new", since: null } }]);
    expect(first.err).not.toContain("No notice:");
    const second = await night();
    expect(toldIn(tandem)).toHaveLength(1);
    expect(second.err).toMatch(
      /^No notice: the regression of correct \(test\) is still open, since \d+ \S+ \(--notify-on change\)\.$/m,
    );
    expect(second.out).toMatch(/REGRESSION \(since \d+ [A-Z][a-z]+\) /);
  });

  test("of a run that was stopped say why, and the whole command that goes on", async () => {
    const { url } = await startService(() => ({ status: 401, body: '{"detail": "Invalid key"}' }));
    const tandem = new Tandem().file("sheet.csv", sheet).file("suite.yaml", suite(url));
    const { code } = await tandem.run("night", "suite.yaml", "--results", "kept here", "--notify-command", tell);
    expect(code).toBe(3);
    const [reported] = toldIn(tandem);
    expect(reported?.sentence).toMatch(/^here\/\S+ was stopped: .*401/);
    expect(reported?.sentence).toContain("Check the key in TANDEM_API_KEY: it belongs to the deployment here at");
    expect(reported?.sentence).toMatch(/Next, .*: `tandem (run|resume) .*--results 'kept here'`$/);
    expect(reported?.details[0]).toMatch(/^\d+ of 80 requests done; `tandem resume` goes on$/);
  });

  test("of a run with other cases know nothing of the nights", async () => {
    const { tandem, set } = await desk();
    set(40);
    await tandem.run("night", "suite.yaml", "--notify-command", tell);
    await tandem.run("run", "suite.yaml", "--limit", "20", "--notify-command", tell);
    expect(toldIn(tandem)).toMatchObject([{ news: { state: "new" } }, { news: { state: "new" } }]);
  });

  test("are neither over nor new for a target that took no part, or was compared with another baseline", async () => {
    const bad = new Set(["bot-three"]);
    const { url } = await startService(({ path, body, prompt }) => {
      const isWrong = [...bad].some((bot) => `${path} ${body}`.includes(bot)) && Number(prompt.slice(2)) < 20;
      return record(isWrong ? "wrong" : "right");
    });
    const bots = ["one", "two", "three"];
    const withBots = (which: readonly string[], extra = ""): string =>
      suite(url)
        .replace(
          /targets:\n(?: {2}.*\n)+/,
          `targets:\n${which.map((bot) => `  ${bot}: { deployment: here, endpoint: video-bots, example_id: bot-${bot} }\n`).join("")}`,
        )
        .concat(extra);
    const tandem = new Tandem()
      .file("sheet.csv", sheet)
      .file("suite.yaml", withBots(bots))
      .file("part.yaml", withBots(["one", "two"]))
      .file("other.yaml", withBots(bots, "compare: { baseline: two }\n"));
    const nightOf = async (...words: string[]) =>
      tandem.run("night", ...words, "--notify-on", "change", "--notify-command", tell, "--quiet");
    expect((await nightOf("suite.yaml")).code).toBe(1);
    expect(toldIn(tandem)).toMatchObject([{ state: "regression", news: { state: "new" } }]);

    // Without the bot that is worse: nothing is over, and nothing is said of it.
    for (const words of [["part.yaml"], ["suite.yaml", "--target", "one", "--target", "two"]]) {
      const { code, out } = await nightOf(...words);
      expect([code, out]).toEqual([0, expect.not.stringMatching(/is over|not found any more|counts as still|PASS \(/)]);
    }
    expect(toldIn(tandem)).toHaveLength(1);
    const nights = JSON.parse((await tandem.run("history", "desk", "--json")).out).nights;
    const open = { name: "regression of correct (three)", baseline: "one", isShown: false, takesPart: false };
    expect(
      nights.map((night: { troubles: unknown; otherCases: boolean }) => [night.troubles, night.otherCases]),
    ).toEqual([
      [[{ ...open, isShown: true, takesPart: true }], false],
      [[open], false],
      [[open], false],
    ]);

    // Back again: it is the same regression as before, not a new one.
    const back = await nightOf("suite.yaml", "--target", "one", "--target", "three");
    expect([back.code, back.out]).toEqual([1, expect.stringMatching(/REGRESSION \(since \d+ [A-Z][a-z]+\) /)]);
    expect(back.err).toContain("No notice: the regression of correct (three) is still open, since");
    expect(toldIn(tandem)).toHaveLength(1);

    // Against another baseline it is another regression, and the one against `one` stays open.
    bad.add("bot-two");
    const other = await nightOf("other.yaml");
    expect([other.code, other.out]).toEqual([0, expect.not.stringMatching(/is over|not found any more/)]);
    expect(toldIn(tandem)).toHaveLength(1);
    bad.clear();
    expect((await nightOf("suite.yaml")).code).toBe(0);
    expect(toldIn(tandem).at(-1)?.news).toMatchObject({
      state: "over",
      sentence: expect.stringMatching(/^The regression of correct \(three\) of \d+ [A-Z][a-z]+ is over$/),
    });
  });
});
