import { describe, expect, test } from "vitest";
import { slowTest } from "../often.ts";
import { record, startService } from "./service.ts";
import { Tandem } from "./tandem.ts";

const hostile = '"; DROP TABLE score;-- \u001b[31m<script>alert(1)</script> =1+1 नमस्ते 🏳️‍🌈';

const suite = (urls: { prod: string; test: string }, scorers: string[]): string =>
  [
    "name: desk",
    "dataset: prompts.csv",
    "case: { key: id, expected: expected, tags: [language] }",
    `deployments: { prod: { base_url: "${urls.prod}" }, test: { base_url: "${urls.test}" } }`,
    "targets:",
    "  prod: { deployment: prod, endpoint: video-bots, example_id: a }",
    "  test: { deployment: test, endpoint: video-bots, example_id: a }",
    "scorers:",
    ...scorers.map((scorer) => `  - ${scorer}`),
    "",
  ].join("\n");

const sheet = "id,input_prompt,expected,language\nk1,When?,nine,en\nk2,कब?,नौ,hi\n=k3,Odd,odd,en\n";

/** A batch that was run; its services are gone. */
async function ranBatch(scorers: string[]) {
  const prod = await startService(({ prompt }) => record(prompt === "Odd" ? hostile : "It opens at nine (नौ)."));
  const other = await startService(() => record("It opens at ten."));
  const urls = { prod: prod.url, test: other.url };
  const tandem = new Tandem().file("prompts.csv", sheet).file("suite.yaml", suite(urls, scorers));
  const { code, err } = await tandem.run("run", "suite.yaml", "--quiet");
  expect([0, 1, 4], err).toContain(code);
  await Promise.all([prod.close(), other.close()]);
  return { tandem, urls };
}

const correct = "{ name: correct, type: contains }";

describe("tandem score", () => {
  test("grades again without the network and keeps the older scores; the same again changes nothing", async () => {
    const { tandem, urls } = await ranBatch([correct]);
    const same = await tandem.run("score");
    expect(same.out).toContain("nothing has changed since");
    tandem.file("new.yaml", suite(urls, [correct, "{ name: short, type: length, max: 30, unit: graphemes }"]));
    const again = await tandem.run("score", "--suite", "new.yaml", "--quiet");
    expect(again.code, again.err).toBe(0);
    expect(again.out).toContain("6 finished jobs graded by correct, short");
    const { out } = await tandem.run("score", "--list", "--json");
    const { scorings } = JSON.parse(out) as { scorings: { suiteHash: string; finishedAt: number }[] };
    expect(scorings).toHaveLength(2);
    expect(scorings[0]?.suiteHash).not.toBe(scorings[1]?.suiteHash);
    const counts = tandem.query("SELECT scoring_id AS id, count(*) AS n FROM score GROUP BY 1 ORDER BY 1");
    expect(counts).toEqual([
      { id: 1, n: 6 },
      { id: 2, n: 12 },
    ]);
  });

  test("a run of a sheet without scorers is decided afterwards by --scorer", async () => {
    const prod = await startService(() => record("It opens at nine (नौ), odd."));
    const other = await startService(() => record("It opens at ten."));
    const rows = Array.from({ length: 40 }, (_, i) => `k${i},When ${i}?,nine\n`).join("");
    const tandem = new Tandem().file("prompts.csv", `id,input_prompt,expected\n${rows}`);
    const sent = [
      "--deployment",
      `prod=${prod.url}`,
      "--deployment",
      `test=${other.url}`,
      "--example-id",
      "a",
      "--quiet",
    ];
    const ran = await tandem.run("run", "prompts.csv", ...sent);
    expect([ran.code, ran.out], ran.err).toEqual([0, expect.stringContaining("not graded")]);
    await Promise.all([prod.close(), other.close()]);
    const wrong = await tandem.run("score", "--scorer", "contains", "--scorer", "contains");
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining("--scorer 2 is the second one")]);
    const graded = await tandem.run(
      "score",
      "--scorer",
      "contains",
      "--scorer",
      "{ name: short, type: length, max: 9 }",
    );
    expect(graded.code, graded.err).toBe(0);
    expect(graded.out).toContain("graded by contains, short");
    const decided = await tandem.run("compare");
    expect([decided.code, decided.out]).toEqual([1, expect.stringContaining("test is worse than prod on `contains`")]);
    const twice = await tandem.run("score", "--scorer", "contains", "--suite", "prompts.csv");
    expect([twice.code, twice.err]).toEqual([2, expect.stringContaining("cannot be used together")]);
  });

  test("explains one case, target by target, and hostile answers stay text", async () => {
    const { tandem } = await ranBatch([correct, "{ name: similar, type: chrf }"]);
    const { out, code } = await tandem.run("score", "--explain", "=k3");
    expect(code).toBe(0);
    expect(out).toContain("prod: answered");
    expect(out).toContain("correct (contains): fail");
    expect(out).toMatch(/similar \(chrf\): \d/);
    expect(out).toContain("␛[31m");
    expect(out).not.toContain("\u001b[31m");
    const json = JSON.parse((await tandem.run("score", "--explain", "k2", "--json")).out) as {
      answers: { target: string; pass: boolean; scores: { scorer: string; looked: { text: string } | null }[] }[];
    };
    expect(json.answers.map(({ target, pass }) => [target, pass])).toEqual([
      ["prod", true],
      ["test", false],
    ]);
    const ofRow = await tandem.run("score", "--explain", "row:3");
    expect(ofRow.out).toMatch(/^k2 \(row 3\) of /);
    const missing = await tandem.run("score", "--explain", "k9");
    expect(missing.code).toBe(2);
    expect(missing.err).toContain('no case "k9"');
  });

  test("takes labels from a sheet and says how far scorers agree with them", async () => {
    const { tandem } = await ranBatch([correct]);
    expect((await tandem.run("label", "export", "latest", "-o", "labels.csv")).code).toBe(0);
    tandem.file("filled.csv", "key,target,label,note\nk1,prod,good,\nk2,prod,good,सही\nk1,test,bad,\n'=k3,prod,bad,\n");
    const imported = await tandem.run("label", "import", "filled.csv", "--author", "ana");
    expect(imported.out, imported.err).toContain("4 labels added");
    const { out } = await tandem.run("label", "agreement");
    expect(out).toMatch(/correct +4 +0 +2 +2 +0 +0 +1 +1 +1/);
    expect((await tandem.run("score")).out).toContain("4 labels: tandem label agreement");
  });

  slowTest(
    "gives up on a module that never returns, in time, and runs modules only of a suite that is named",
    async () => {
      const prod = await startService(({ prompt }) => record(prompt));
      const other = await startService(() => record("Later."));
      const urls = { prod: prod.url, test: other.url };
      const polite = "{ name: polite, type: module, file: ./polite.mjs, timeout: 5s }";
      const tandem = new Tandem()
        .file("prompts.csv", sheet)
        .file("suite.yaml", suite(urls, [correct, polite]))
        // Waits for what never comes: a loop that never ends keeps the machine busy, and is ended in test/score/own.test.ts.
        .file(
          "polite.mjs",
          'const never = new Int32Array(new SharedArrayBuffer(4));\nexport default ({ text }) => { if (text === "Odd") Atomics.wait(never, 0, 0); return text.length > 4; };\n',
        );
      const { code, err } = await tandem.run("run", "suite.yaml", "--quiet");
      expect([0, 1, 4], err).toContain(code);
      const polites = () =>
        tandem.query<{ key: string; target: string; value: number | null; reason: string }>(
          "SELECT case_key AS key, target, value, reason FROM scores WHERE scorer = 'polite' ORDER BY 1, 2",
        );
      expect(polites()).toMatchObject([
        { key: "=k3", target: "prod", value: null, reason: expect.stringContaining("longer than 5000 ms") as string },
        { key: "=k3", target: "test", value: 1 },
        { key: "k1", target: "prod", value: 1 },
        { key: "k1", target: "test", value: 1 },
        { key: "k2", target: "prod", value: 0 },
        { key: "k2", target: "test", value: 1 },
      ]);
      const before = polites();
      tandem.file("polite.mjs", "export default () => false;\n");
      const alone = await tandem.run("score", "--again", "--quiet");
      expect(alone.out).toContain("Taken over from the scoring before: polite");
      expect(polites()).toEqual(before);
      const named = await tandem.run("score", "--suite", "suite.yaml", "--quiet");
      expect(named.out, named.err).not.toContain("Taken over");
      expect(new Set(polites().map(({ value }) => value))).toEqual(new Set([0]));
    },
  );
});
