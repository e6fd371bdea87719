import { describe, expect, test } from "vitest";
import { blocksOf } from "./guide-blocks.ts";
import { record, type Service, startService } from "./service.ts";
import { Tandem } from "./tandem.ts";

const page = "docs/guides/conversations.md";

/** The sheets of the page, each with the mapping that follows it. */
const shapes = blocksOf(page).flatMap(({ language, text }, i, blocks) => {
  const mapping = blocks[i + 1];
  return language === "csv" && mapping?.language === "yaml" ? [{ sheet: text, mapping: mapping.text }] : [];
});

const suite = ({ url }: Service, mapping: string, scorers = "[{ type: contains }]"): string => `dataset: a.csv
deployments: { prod: { base_url: "${url}" } }
targets: { prod: { deployment: prod, endpoint: video-bots, example_id: a } }
scorers: ${scorers}
${mapping}`;

/** Answers what the sheets of the page expect. */
const librarian = ({ prompt }: { prompt: string }) =>
  record(prompt.includes("Sunday") ? "It is open from 11:00 to 16:00." : "It is open from 09:00 to 17:00.");

const passed = (tandem: Tandem) => tandem.query("SELECT case_key AS key, pass FROM scores WHERE pass IS NOT NULL");

/** A module that grades what is as expected, and says why it cannot where nothing is. */
const own =
  "export default ({ text, expected }) => (expected === null ? { unscored: 'nothing is expected' } : text.includes(expected) ? 1 : 0);\n";

describe("a first case in which nothing is expected", () => {
  test("stands in the sheets of the guide, which run as they are", async () => {
    expect(shapes).toHaveLength(2);
    const service = await startService(librarian);
    for (const { sheet, mapping } of shapes) {
      const tandem = new Tandem().file("a.csv", sheet).file("suite.yaml", suite(service, mapping));
      const { code, out } = await tandem.run("run", "suite.yaml");
      expect(code, out).toBe(0);
    }
    expect(service.received).toHaveLength(4);
    const [last] = service.received.slice(-1);
    expect(JSON.parse(last?.body ?? "")).toMatchObject({
      messages: [
        { role: "user", content: "When is the library open on Saturday?" },
        { role: "assistant", content: "It is open from 09:00 to 17:00." },
      ],
    });
  });

  test("of every conversation stops nothing, with a module that says why it cannot grade it either", async () => {
    const service = await startService(librarian);
    const talks = ["a", "b", "c", "d"].map((talk) => {
      const turns = ["Hello", "Who are you?", "Fine", "One more", "And on Sunday?"].map((said) => `""${said}""`);
      return `${talk},"[${turns.join(",")}]",from 11:00 to 16:00`;
    });
    const scorers = "[{ type: contains }, { name: own, type: module, file: ./own.mjs }]";
    const tandem = new Tandem()
      .file("a.csv", `id,script,golden\n${talks.join("\n")}\n`)
      .file("own.mjs", own)
      .file("suite.yaml", suite(service, "case: { key: id, turns: script, expected: golden }", scorers));
    const { code, out, err } = await tandem.run("run", "suite.yaml");
    expect(code, out + err).toBe(0);
    expect(service.received).toHaveLength(20);
    expect(passed(tandem)).toHaveLength(8);
  });

  test("and whose reply tells no tokens stops nothing: that these are counted beside other scorers is nobody's wish", async () => {
    const message = { role: "assistant", content: "It is red." };
    const body = JSON.stringify({ id: "a", choices: [{ index: 0, finish_reason: "stop", message }] });
    const service = await startService(() => ({ body }));
    const tandem = new Tandem().file("a.csv", "kind,question\nother,Hello\nother,And now?\ncolour,Which?\n").file(
      "suite.yaml",
      `dataset: a.csv
case: { input: { input_prompt: question }, tags: [kind] }
deployments: { prod: { base_url: "${service.url}" } }
targets: { prod: { deployment: prod, endpoint: chat-completions, model: some } }
scorers: [{ type: contains, value: red, when: { kind: [colour] } }]
`,
    );
    const { code, out, err } = await tandem.run("run", "suite.yaml", "--seed", "other");
    expect(code, out + err).toBe(0);
    expect(service.received).toHaveLength(3);
  });

  test("is not the first where others have an answer that is expected: that one tells of the scorers", async () => {
    const rows = Array.from({ length: 40 }, (_, i) => `k${i},question ${i},${i === 23 ? "question 23" : ""}`);
    const service = await startService(({ prompt }) => record(prompt));
    const sheet = `id,question,expected\n${rows.join("\n")}\n`;
    const mapping = "case: { key: id, input: { input_prompt: question }, expected: expected }";
    const tandem = new Tandem().file("a.csv", sheet).file("suite.yaml", suite(service, mapping));
    expect((await tandem.run("run", "suite.yaml")).code).toBe(0);
    expect([service.received[0]?.prompt, service.received.length]).toEqual(["question 23", 40]);
    expect(passed(tandem)).toEqual([{ key: "k23", pass: 1 }]);

    // So a scorer that can grade nothing real is found by one request.
    const broken =
      "export default ({ latency_ms }) => (latency_ms === 1000 ? 1 : { unscored: 'no latitude in it' });\n";
    const scorers = "[{ name: own, type: module, file: ./own.mjs }]";
    tandem.file("own.mjs", broken).file("suite.yaml", suite(service, mapping, scorers));
    const { code, out } = await tandem.run("run", "suite.yaml");
    expect([code, service.received.length]).toEqual([3, 41]);
    expect(out.replaceAll(/\s+/g, " ")).toContain("no scorer can grade the first answer of prod: own: no latitude");
  });
});
