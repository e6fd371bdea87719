import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { slowTest } from "../often.ts";
import { record, startService } from "./service.ts";
import { Tandem } from "./tandem.ts";

const sentences = [
  "You may borrow books for four weeks.",
  "The library is closed on Fridays.",
  "पुस्तकालय शुक्रवार को बंद रहता है।",
  "المكتبة مغلقة يوم الجمعة.",
  "ቤተ መጻሕፍቱ ዓርብ ዝግ ነው።",
  "图书馆星期五不开门。",
];
const sheet = (answers: readonly string[]): string =>
  ["id,input_prompt,expected", ...answers.map((answer, i) => `k${i},Question ${i}?,"${answer}"`)].join("\n");
const many = Array.from({ length: 40 }, (_, i) => sentences[i % sentences.length] ?? "");

/** Two bots: one answers in other words than the sheet, one says that it does not know. */
async function services() {
  const prod = await startService(({ prompt }) => {
    const said = many[Number(/\d+/.exec(prompt)?.[0])] ?? "";
    return record(`${said.slice(0, -1)} -- ${prompt}`);
  });
  const candidate = await startService(() => record("🤷"));
  return { prod, candidate, close: () => Promise.all([prod.close(), candidate.close()]) };
}

const urls = ({ prod, candidate }: Awaited<ReturnType<typeof services>>): string =>
  `deployments: { prod: { base_url: "${prod.url}" }, test: { base_url: "${candidate.url}" } }`;
const matrix = "matrix: { deployments: [prod, test], endpoint: video-bots, example_ids: [a] }";

describe("a scorer that fits", () => {
  test("is written by init, with the reason; the suite validates without a word about it", async () => {
    const written = async (answers: readonly string[]): Promise<string> => {
      const tandem = new Tandem().file("s.csv", sheet(answers));
      const { code, err } = await tandem.run("init", "s.csv", "--yes");
      expect(code, err).toBe(0);
      const checked = await tandem.run("check", "--offline", "tandem.yaml");
      expect([checked.code, checked.err]).toEqual([0, ""]);
      return readFileSync(join(tandem.folder, "tandem.yaml"), "utf8");
    };
    const [ofSentences, ofNumbers, ofWords, ofJson] = await Promise.all([
      written(sentences),
      written(["12 km", "1,200 km", "7 km"]),
      written(["Denver", "डेनवर", "ዴንቨር"]),
      written(['{""a"": 1}', '{""a"": 2}']),
    ]);
    expect(ofSentences).toContain(
      "  - { name: similar, type: chrf }\n  # - { name: correct, type: icontains } # instead:",
    );
    expect(ofSentences).toMatch(
      /# The expected answers are sentences \(\d\d characters in the median\)\. A good answer may/,
    );
    expect(ofSentences).toContain(
      "  # - { name: same, type: judge, rubric: same-meaning, deployment: judges, model: THE_MODEL_THAT_JUDGES }",
    );
    expect(ofWords).not.toContain("judge");
    expect(ofNumbers).toContain("# The expected answers are numbers (km). An answer with the same number is right");
    expect(ofNumbers).toContain("  - { name: correct, type: numeric }\n");
    expect(ofWords).toContain("  - { name: correct, type: icontains }\n");
    expect(ofJson).toContain(
      '  - { name: correct, type: json-path, path: $, equals: "{{ expected }}", within: true }\n',
    );
  });

  slowTest("is named after a run without one, by a command that decides it", async () => {
    const both = await services();
    const tandem = new Tandem().file("s.csv", sheet(many));
    const flags = [
      "--deployment",
      `prod=${both.prod.url}`,
      "--deployment",
      `test=${both.candidate.url}`,
      "--example-id",
      "a",
    ];
    const planned = await tandem.run("check", "--offline", "s.csv", ...flags, "--json");
    expect(JSON.parse(planned.out)).toMatchObject({
      warnings: [
        expect.stringMatching(
          /^No scorer grades the answers\. One that fits: chrf\..* Or ask a judge .*rubric: same-meaning/,
        ),
      ],
    });
    const ran = await tandem.run("run", "s.csv", ...flags, "--quiet");
    await both.close();
    expect(ran.code, ran.err).toBe(0);
    const [batch] = tandem.query<{ name: string }>("SELECT name FROM batch");
    const report = readFileSync(join(tandem.folder, "results", batch?.name ?? "", "report.md"), "utf8");
    expect(report).toContain("One that fits: chrf");
    const [, next = ""] = /^Next: grade the answers:\s+(tandem score .*)$/m.exec(ran.out) ?? [];
    const [first = "", second = ""] = next.split(" && ");
    const graded = await tandem.run(...first.split(" ").slice(1));
    expect(graded.code, graded.err).toBe(0);
    const decided = await tandem.run(...second.split(" ").slice(1));
    expect([decided.code, decided.out]).toEqual([1, expect.stringContaining("test is worse than prod on `chrf`")]);
  });

  test("is named before anything is sent where the chosen one visibly does not fit", async () => {
    const both = await services();
    const scorers = "scorers:\n  - { name: correct, type: contains }\ngates:\n  - { metric: correct, margin: 0.4 }\n";
    const text = ["dataset: s.csv", urls(both), matrix, scorers].join("\n");
    const tandem = new Tandem().file("s.csv", sheet(many)).file("suite.yaml", text);
    const warning =
      "correct (contains) asks for the whole text, and the expected answers are sentences (33 characters in the median): a good answer in other words fails. Better: { name: correct, type: chrf }. The margin of its gate is then in points of 100, such as 5. Or ask a judge whether it means the same: { name: same, type: judge, rubric: same-meaning, deployment: DEPLOYMENT, model: MODEL }.";
    const validated = await tandem.run("check", "--offline", "suite.yaml", "--json");
    expect(JSON.parse(validated.out)).toMatchObject({
      valid: true,
      warnings: [`scorers: ${warning}`],
    });
    const planned = await tandem.run("check", "--offline", "suite.yaml");
    expect(planned.err).toContain(`warning scorers: ${warning}`);
    const ran = await tandem.run("run", "suite.yaml");
    await both.close();
    expect(ran.err.indexOf(`warning: ${warning}`)).toBeGreaterThan(-1);
    expect(ran.err.indexOf(`warning: ${warning}`)).toBeLessThan(ran.err.indexOf("in flight"));
  });

  test("is not looked for where rows bring checks of their own", async () => {
    const checks = "question,__expected\nWhere?,icontains:Denver\nWhen?,icontains:nine\n";
    const tandem = new Tandem().file("s.csv", checks);
    const both = await services();
    const flags = [
      "--deployment",
      `prod=${both.prod.url}`,
      "--deployment",
      `test=${both.candidate.url}`,
      "--example-id",
      "a",
    ];
    const planned = await tandem.run("check", "--offline", "s.csv", ...flags, "--json");
    await both.close();
    expect(JSON.parse(planned.out)).toMatchObject({ warnings: [] });
  });
});
